package dev.sluice.controller.observation;

import dev.sluice.activities.flink.JobExceptions.Failure;
import dev.sluice.api.common.FlinkJobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What Flink says of the job. */
public sealed interface ObservedJob {

  /** Whether anything that is shown differs. */
  default boolean differsFrom(ObservedJob before) {
    return !equals(before);
  }

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
   * @param unhealthy what is wrong with a job that has not ended, where its spec wants that to be
   *     checked
   */
  record Answered(Optional<Job> job, Map<String, String> clusterInfo, Optional<Unhealthy> unhealthy)
      implements ObservedJob {
    public Answered {
      clusterInfo = Map.copyOf(clusterInfo);
    }

    /** Nothing is wrong with the job, or that is not checked. */
    public Answered(Optional<Job> job, Map<String, String> clusterInfo) {
      this(job, clusterInfo, Optional.empty());
    }

    @Override
    public boolean differsFrom(ObservedJob other) {
      return !(other instanceof Answered before)
          || !before.clusterInfo.equals(clusterInfo)
          || before.unhealthy.isPresent() != unhealthy.isPresent()
          || !before.job.map(Job::visible).equals(job.map(Job::visible));
    }
  }

  /**
   * What is wrong with a job that has not ended.
   *
   * @param why in words, without a full stop
   * @param healedAfter it is healthy again once every task is up for that long without a restart;
   *     null where that says nothing
   */
  record Unhealthy(String why, @Nullable Duration healedAfter) {}

  /**
   * A job.
   *
   * @param tasksUp each of its tasks runs or has finished; of a batch job, it makes progress
   * @param failure why it does not run, shortened and without credentials; empty until Flink has
   *     said so
   * @param exceptions the newest that it failed or restarted with, newest first; also those that it
   *     got over
   */
  record Job(
      String id,
      String name,
      FlinkJobState state,
      boolean tasksUp,
      Times times,
      Optional<String> failure,
      List<Failure> exceptions) {

    public Job {
      exceptions = List.copyOf(exceptions);
    }

    /** Whether it does what it is there for. */
    public boolean isUp() {
      return state == FlinkJobState.RUNNING && tasksUp;
    }

    private Job visible() {
      Times steady = new Times(times.started, Instant.EPOCH);
      return new Job(id, name, state, tasksUp, steady, failure, exceptions);
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
