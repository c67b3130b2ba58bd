package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkJobState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What Flink says of the job. */
public sealed interface ObservedJob {

  /** Nobody asked yet, or the answer is to something that has changed since. */
  record Pending() implements ObservedJob {}

  /**
   * Flink does not answer.
   *
   * @param why for people, in words that stay the same from try to try
   */
  record Unreachable(String why) implements ObservedJob {}

  /**
   * Flink answered.
   *
   * @param job empty when the JobManager knows none
   * @param clusterInfo what the cluster says of itself; empty when unknown
   */
  record Answered(Optional<Job> job, Map<String, String> clusterInfo) implements ObservedJob {
    public Answered {
      clusterInfo = Map.copyOf(clusterInfo);
    }

    /** Whether a person would see a difference. */
    public boolean differsFrom(ObservedJob other) {
      return !(other instanceof Answered before)
          || !before.clusterInfo.equals(clusterInfo)
          || !before.job.map(Job::essence).equals(job.map(Job::essence));
    }
  }

  /**
   * A job.
   *
   * @param everyTaskRuns each of its tasks runs, or has done its work
   * @param modified when any of its tasks changed last: changes too often to be shown on its own
   */
  record Job(
      String id,
      String name,
      FlinkJobState state,
      boolean everyTaskRuns,
      Instant started,
      Instant modified) {

    /** Whether it does what it is there for. */
    public boolean healthy() {
      return state == FlinkJobState.RUNNING && everyTaskRuns;
    }

    Job essence() {
      return new Job(id, name, state, everyTaskRuns, started, Instant.EPOCH);
    }
  }
}
