/** The FlinkDeployment resource: spec, status, and the pure logic that belongs to them. */
@NullMarked
package dev.sluice.api.deployment;

import org.jspecify.annotations.NullMarked;
