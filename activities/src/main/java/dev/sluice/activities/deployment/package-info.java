/** What is particular to FlinkDeployments. */
@NullMarked
package dev.sluice.activities.deployment;

import org.jspecify.annotations.NullMarked;
