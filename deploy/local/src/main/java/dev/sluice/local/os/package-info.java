/** Processes and files of this machine, for all other packages; it knows none of them. */
@NullMarked
package dev.sluice.local.os;

import org.jspecify.annotations.NullMarked;
