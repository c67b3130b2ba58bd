/** The binaries the laptop cluster is made of: where they come from and where they are kept. */
@NullMarked
package dev.sluice.local.parts;

import org.jspecify.annotations.NullMarked;
