package dev.sluice.controller.application;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.TaskManagerOverview;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What Flink says of a version in addition to the state of its job.
 *
 * @param known whether it was asked and has answered
 * @param taskManagers one by one
 * @param job the recorded job; empty where Flink does not know it
 * @param checkpoints of that; empty where it takes none, or that is not known
 * @param interval at which it takes them
 * @param at when that was
 */
record VersionDetails(
    boolean known,
    List<TaskManagerOverview> taskManagers,
    Optional<JobOverview> job,
    Optional<Checkpoints> checkpoints,
    Optional<Duration> interval,
    Instant at) {

  /** Flink was not asked, or has not answered. */
  static final VersionDetails NONE =
      new VersionDetails(
          false, List.of(), Optional.empty(), Optional.empty(), Optional.empty(), Instant.EPOCH);

  VersionDetails {
    taskManagers = List.copyOf(taskManagers);
  }
}
