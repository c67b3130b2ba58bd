/** What the container image starts: one program, whose argument chooses controller or worker. */
@NullMarked
package dev.sluice.image;

import org.jspecify.annotations.NullMarked;
