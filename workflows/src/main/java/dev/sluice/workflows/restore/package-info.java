/**
 * From recorded state to a running cluster: the second half of every operation that starts a job.
 */
@NullMarked
package dev.sluice.workflows.restore;

import org.jspecify.annotations.NullMarked;
