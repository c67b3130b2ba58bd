package dev.sluice.activities.job;

import java.util.Optional;

/** Finds a savepoint in the directory it was written to, when the JobManager has forgotten it. */
public interface SavepointDirectory {

  /**
   * The newest complete savepoint of a job. May block for a moment.
   *
   * @param directory as configured, e.g. {@code file:/savepoints}
   * @return its path; empty when there is none, or the directory cannot be read from here
   */
  Optional<String> newest(String directory, String jobId);

  /** What the name of each savepoint of a job begins with: Flink's own rule. */
  static String prefix(String jobId) {
    return "savepoint-" + jobId.substring(0, Math.min(6, jobId.length())) + "-";
  }
}
