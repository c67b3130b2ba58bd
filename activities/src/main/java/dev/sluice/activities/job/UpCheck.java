package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.JobOverview;

/**
 * What must be so once every task of a job is up, and until when.
 *
 * @param <T> what the activity returns
 */
interface UpCheck<T> {

  /** Every task is up, or the job has finished. */
  ProbeResult<T> check(JobOverview job);

  /** The job is not up, or no longer. */
  default void notUp() {}

  /**
   * Flink gave no answer.
   *
   * @param seen what is known nevertheless
   */
  ProbeResult<T> silent(String seen);

  /** Whether it is given up, unless the next look shows that it is so. */
  boolean isOverdue();

  /**
   * It is given up.
   *
   * @param seen what was seen last
   */
  ProbeResult<T> overdue(String seen);
}
