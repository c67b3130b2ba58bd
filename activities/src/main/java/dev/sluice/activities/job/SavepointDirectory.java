package dev.sluice.activities.job;

import java.util.List;
import java.util.Optional;

/** Finds savepoints in the directory they were written to, when the JobManager forgot them. */
public interface SavepointDirectory {

  /**
   * The complete savepoints that may be of a job. May block for a moment. The name of a directory
   * has only the first six digits of the job id, and nothing inside a savepoint tells its job, so
   * these are candidates and not more.
   *
   * @param directory as configured, e.g. {@code file:/savepoints}
   * @param sinceMs those that were complete before this are left out, ms since the epoch
   * @return their paths; empty when the directory cannot be read from here, so that the answer is
   *     unknown
   */
  Optional<List<String>> candidates(String directory, String jobId, long sinceMs);

  /** What the name of each savepoint of a job begins with: Flink's own rule. */
  static String prefix(String jobId) {
    return "savepoint-" + jobId.substring(0, Math.min(6, jobId.length())) + "-";
  }
}
