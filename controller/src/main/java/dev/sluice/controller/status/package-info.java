/** What a FlinkDeployment's status says, derived from what was seen of it. */
@NullMarked
package dev.sluice.controller.status;

import org.jspecify.annotations.NullMarked;
