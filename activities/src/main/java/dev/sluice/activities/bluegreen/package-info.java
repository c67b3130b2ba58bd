/** All activities of a FlinkBlueGreenDeployment. */
@NullMarked
package dev.sluice.activities.bluegreen;

import org.jspecify.annotations.NullMarked;
