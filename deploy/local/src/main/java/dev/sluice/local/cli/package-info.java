/** The command line of the laptop cluster: what {@code ./sluice} runs. */
@NullMarked
package dev.sluice.local.cli;

import org.jspecify.annotations.NullMarked;
