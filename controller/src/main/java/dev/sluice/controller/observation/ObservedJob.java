package dev.sluice.controller.observation;

import dev.sluice.api.common.FlinkJobState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What Flink says of the job. */
public sealed interface ObservedJob {

  /** Flink was not queried yet, or what the answer was about has changed since. */
  record Pending() implements ObservedJob {}

  /**
   * Flink does not answer.
   *
   * @param why in words, the same text with each poll; without a full stop
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

    /** Whether anything that is shown differs. */
    public boolean differsFrom(ObservedJob other) {
      return !(other instanceof Answered before)
          || !before.clusterInfo.equals(clusterInfo)
          || !before.job.map(Job::visible).equals(job.map(Job::visible));
    }
  }

  /**
   * A job.
   *
   * @param tasksUp each of its tasks runs or has finished; of a batch job, it makes progress
   * @param failure why it is FAILED, shortened and without credentials; empty until Flink was asked
   */
  record Job(
      String id,
      String name,
      FlinkJobState state,
      boolean tasksUp,
      Times times,
      Optional<String> failure) {

    /** Whether it does what it is there for. */
    public boolean isUp() {
      return state == FlinkJobState.RUNNING && tasksUp;
    }

    private Job visible() {
      return new Job(id, name, state, tasksUp, new Times(times.started, Instant.EPOCH), failure);
    }
  }

  /**
   * Times of a job.
   *
   * @param started when the JobManager first saw it
   * @param modified when any of its tasks changed last: changes too often to be shown on its own
   */
  record Times(Instant started, Instant modified) {}
}
