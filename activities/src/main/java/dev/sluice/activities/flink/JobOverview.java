package dev.sluice.activities.flink;

import java.time.Instant;
import java.util.Optional;

/**
 * One job in {@code GET /jobs/overview}.
 *
 * @param startTime when the JobManager first saw the job
 * @param endTime when it ended; empty while it lives
 */
public record JobOverview(
    String jobId,
    String name,
    JobState state,
    Instant startTime,
    Optional<Instant> endTime,
    Instant lastModification,
    Tasks tasks) {

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

    /** WaitProgress for people: {@code 5 of 8 tasks running}. */
    public String progress() {
      return running + " of " + total + " tasks running";
    }
  }

  /**
   * Whether the job runs in earnest: RUNNING, and every one of its tasks is. The state alone does
   * not say so: Flink's default scheduler reports RUNNING with no TaskManager at all.
   */
  public boolean allTasksRunning() {
    return state == JobState.RUNNING && tasks.total > 0 && tasks.running == tasks.total;
  }
}
