package dev.sluice.activities.snapshot;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.StatusSnapshots;
import org.jspecify.annotations.Nullable;

/**
 * What snapshot runs write into the status of what runs a job, of whatever kind: always all of it,
 * because server-side apply takes away what a manager leaves out.
 *
 * @param snapshots what is taken without a FlinkStateSnapshot; null for nothing
 * @param jobStatus with {@code savepointInfo} and {@code checkpointInfo} alone
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SnapshotFields(@Nullable StatusSnapshots snapshots, JobStatus jobStatus) {}
