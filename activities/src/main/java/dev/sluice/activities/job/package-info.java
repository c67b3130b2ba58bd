/** Effects on a running Flink job, and waiting for it. */
@NullMarked
package dev.sluice.activities.job;

import org.jspecify.annotations.NullMarked;
