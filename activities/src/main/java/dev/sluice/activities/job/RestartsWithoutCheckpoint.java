package dev.sluice.activities.job;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How often a job was started again since it completed a checkpoint. The limit of a checkpoint is
 * long, because a single one may take that long; one that a restart ends never takes it.
 */
final class RestartsWithoutCheckpoint {

  /** Fewer are no proof that it goes on like that. */
  private static final int SEVERAL = 3;

  /** What the clocks of a JobManager and a worker may differ by from look to look. */
  private static final Duration SAME = Duration.ofSeconds(2);

  private @Nullable Instant upSince;
  private long completed;
  private int restarts;
  private int finished;
  private long sinceMs;
  private long lastMs;

  /**
   * The job was up at this look.
   *
   * @param up since when every task runs
   * @param done number of checkpoints that were completed until now; a JobManager that was started
   *     again counts anew
   * @param finishedTasks number of tasks that have finished: a further one is no restart
   * @param nowMs the time, in ms
   */
  void note(Instant up, long done, int finishedTasks, long nowMs) {
    Instant before = upSince;
    if (before == null || done > completed) {
      restarts = 0;
      sinceMs = nowMs;
    } else if (up.isAfter(before.plus(SAME)) && finishedTasks <= finished) {
      restarts++;
      lastMs = nowMs;
    }
    finished = finishedTasks;
    upSince = up;
    completed = done;
  }

  /**
   * When the job is given up, in ms: at the first restart after the patience. One that has
   * recovered meanwhile is not.
   *
   * @param patienceMs for how long it may go on like that
   */
  long givenUpMs(long patienceMs) {
    boolean goesOn = restarts >= SEVERAL && lastMs >= sinceMs + patienceMs;
    return goesOn ? lastMs : Long.MAX_VALUE;
  }
}
