/** The reconciler of FlinkBlueGreenDeployment, and all that is about it alone. */
@NullMarked
package dev.sluice.controller.bluegreen;

import org.jspecify.annotations.NullMarked;
