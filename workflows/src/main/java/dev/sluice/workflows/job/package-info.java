/** What a workflow asks of a running Flink job. */
@NullMarked
package dev.sluice.workflows.job;

import org.jspecify.annotations.NullMarked;
