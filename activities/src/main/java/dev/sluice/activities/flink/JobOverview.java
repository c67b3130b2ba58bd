package dev.sluice.activities.flink;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobObservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One job in {@code GET /jobs/overview}.
 *
 * @param jobId 32 hex digits
 * @param name for people
 * @param state its state; RECONCILING for a word that is not known here
 * @param word Flink's own word for the state, for messages
 * @param times when it began, ended and last changed
 * @param tasks its tasks
 */
public record JobOverview(
    String jobId, String name, FlinkJobState state, String word, Times times, Tasks tasks) {

  /**
   * When things happened to a job, by the JobManager's clock.
   *
   * @param start when the JobManager first saw the job
   * @param end when it ended; empty while it lives
   * @param lastModification when its state changed last
   */
  public record Times(Instant start, Optional<Instant> end, Instant lastModification) {}

  /**
   * How many tasks are in which state.
   *
   * @param total all tasks of the execution graph; 0 before it is scheduled
   */
  public record Tasks(
      int total,
      int created,
      int scheduled,
      int deploying,
      int initializing,
      int running,
      int finished,
      int canceling,
      int canceled,
      int failed,
      int reconciling) {

    /** As workflows see them; there is the one rule for "all tasks are up". */
    public JobObservation.Tasks observed() {
      return new JobObservation.Tasks(running, finished, total);
    }

    /** For people: {@code 3 of 4 tasks running, 1 scheduled}. */
    public String display() {
      List<String> parts = new ArrayList<>();
      parts.add(observed().display());
      add(parts, created, "created");
      add(parts, scheduled, "scheduled");
      add(parts, deploying, "deploying");
      add(parts, initializing, "initializing");
      add(parts, canceling, "canceling");
      add(parts, canceled, "canceled");
      add(parts, failed, "failed");
      add(parts, reconciling, "reconciling");
      return String.join(", ", parts);
    }

    /** Whether a task failed, or is being cancelled: its part of the job is about to restart. */
    boolean anyFailing() {
      return canceling + canceled + failed + reconciling > 0;
    }

    private static void add(List<String> parts, int count, String state) {
      if (count > 0) {
        parts.add(count + " " + state);
      }
    }
  }

  /**
   * Whether the job runs in earnest: RUNNING, and each of its tasks runs or has finished. The state
   * alone does not say so: Flink's default scheduler reports RUNNING with no TaskManager at all.
   */
  public boolean isUp() {
    return state == FlinkJobState.RUNNING && tasks.observed().allUp();
  }

  /**
   * Whether it runs in earnest if it is a batch job. Those run stage by stage: tasks whose inputs
   * are not produced yet, or that wait for the slots of an earlier stage, are part of a healthy
   * job. So it is enough that some task runs or has finished and none is failing.
   */
  public boolean isUpAsBatch() {
    return isUp()
        || (state == FlinkJobState.RUNNING
            && tasks.running + tasks.finished > 0
            && !tasks.anyFailing());
  }

  /** For people: {@code RUNNING, 3 of 4 tasks running, 1 scheduled}. */
  public String display() {
    return word + ", " + tasks.display();
  }
}
