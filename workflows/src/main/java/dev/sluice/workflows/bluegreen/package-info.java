/**
 * The operations of a FlinkBlueGreenDeployment: contracts, planner, runbooks and workflow types.
 */
@NullMarked
package dev.sluice.workflows.bluegreen;

import org.jspecify.annotations.NullMarked;
