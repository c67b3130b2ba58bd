/** The reconciler of FlinkStateSnapshot. */
@NullMarked
package dev.sluice.controller.snapshot;

import org.jspecify.annotations.NullMarked;
