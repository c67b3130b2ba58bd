/** From one generation to the next with its state. */
@NullMarked
package dev.sluice.workflows.upgrade;

import org.jspecify.annotations.NullMarked;
