/** The operations of a FlinkStateSnapshot: contracts, runbooks and workflow types. */
@NullMarked
package dev.sluice.workflows.snapshot;

import org.jspecify.annotations.NullMarked;
