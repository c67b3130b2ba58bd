/** FlinkBlueGreenDeployment. */
@NullMarked
package dev.sluice.api.bluegreen;

import org.jspecify.annotations.NullMarked;
