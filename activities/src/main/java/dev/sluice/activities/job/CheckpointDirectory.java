package dev.sluice.activities.job;

import java.util.List;
import java.util.Optional;

/** Finds the checkpoints of a job in the directory they were written to. */
interface CheckpointDirectory {

  /**
   * The complete checkpoints of a job. May block for a moment.
   *
   * @param directory as configured, e.g. {@code file:/checkpoints}
   * @return in no order; empty when the directory cannot be read from here, so that the answer is
   *     unknown
   */
  Optional<List<Checkpoint>> completed(String directory, String jobId);

  /**
   * A complete checkpoint.
   *
   * @param path of its folder
   * @param id which Flink counts up; a job that is begun again without high availability counts
   *     from 1 again
   * @param writtenMs when it was complete, ms since the epoch
   */
  record Checkpoint(String path, long id, long writtenMs) {}
}
