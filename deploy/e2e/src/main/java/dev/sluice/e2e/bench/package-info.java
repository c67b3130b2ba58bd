/** {@code ./sluice bench}: what Sluice costs, measured on the laptop cluster. */
@NullMarked
package dev.sluice.local.bench;

import org.jspecify.annotations.NullMarked;
