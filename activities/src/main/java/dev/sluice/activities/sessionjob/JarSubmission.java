package dev.sluice.activities.sessionjob;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.JobSpec;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
import org.jspecify.annotations.Nullable;

/**
 * Has a session cluster run a job: fetches the jar, uploads it unless Flink has it, and runs it.
 *
 * <p>Who calls has noted the job id before and has asked Flink whether it knows the job. An attempt
 * whose answer was lost is repeated with the same id: Flink refuses a job that it runs already.
 */
@FunctionalInterface
interface JarSubmission {

  /**
   * Returns when Flink has accepted the job, or says that it knows a job of that id. Blocks while
   * the jar is fetched and while its main method runs; an interrupt ends it within 30 s.
   *
   * @param alive is asked right before the job is run, among others
   * @throws io.temporal.failure.ApplicationFailure of a type that says whether it may pass: the jar
   *     cannot be fetched, the cluster does not answer, or Flink refuses the jar or the job. A
   *     failure after the run was sent says that the job may have been accepted
   */
  void run(Endpoint cluster, Run job, Lease alive);

  /** Whether an attempt may go on; asked before each call to Flink. */
  @FunctionalInterface
  interface Lease extends ActGuard {

    /** Flink is asked to run the job next; what it throws keeps it from being asked. Blocks. */
    default void sending() {}

    /** It is certain that the run that was sent last has started nothing. Blocks. */
    default void startedNothing() {}
  }

  /**
   * What Flink is to run.
   *
   * @param jobId its id, 32 hex digits
   * @param target whose jar and program it is
   * @param savepointPath savepoint or checkpoint to start from; null for none
   */
  record Run(String jobId, SessionJobTarget target, @Nullable String savepointPath) {

    JobSpec spec() {
      JobSpec spec = target.spec().spec().job();
      if (spec == null) {
        throw ApplicationFailure.newNonRetryableFailure("spec.job is missing", FailureType.REFUSED);
      }
      return spec;
    }
  }
}
