/** The operations of a FlinkApplication: contracts, planner and workflow types. */
@NullMarked
package dev.sluice.workflows.application;

import org.jspecify.annotations.NullMarked;
