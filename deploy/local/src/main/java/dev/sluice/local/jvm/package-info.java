/** How Java programs start quickly. */
@NullMarked
package dev.sluice.local.jvm;

import org.jspecify.annotations.NullMarked;
