/** The operations of a FlinkDeployment, each a workflow type that composes procedures. */
@NullMarked
package dev.sluice.workflows.deployment;

import org.jspecify.annotations.NullMarked;
