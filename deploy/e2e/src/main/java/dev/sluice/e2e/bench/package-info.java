/** {@code ./sluice bench}: what Sluice costs, measured on the laptop cluster. */
@NullMarked
package dev.sluice.e2e.bench;

import org.jspecify.annotations.NullMarked;
