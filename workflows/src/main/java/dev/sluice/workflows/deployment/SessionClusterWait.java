package dev.sluice.workflows.deployment;

import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.AwaitNoJobsRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.activity.ClusterActivities.SuspendSessionJobsRequest;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner.Wake;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits for the jobs on a session cluster that is about to go, for as long as that takes. The
 * cluster is untouched until then. One that does not report its jobs does not go (FLINK-40542).
 */
record SessionClusterWait(LaneRun run, ClusterRef cluster) {

  /** Then the run says for whom it waits. A savepoint usually takes less. */
  private static final Duration AT_FIRST = Duration.ofMinutes(2);

  /** Then the run looks whether its history is long. */
  private static final Duration AT_LENGTH = Duration.ofHours(1);

  /** Between two times that the same is waited for. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /**
   * Returns when no job holds the deletion: they have ended, or the spec says that they do not
   * matter.
   */
  void awaitNoJobs() {
    HeldDeletion known = HeldDeletion.NOTHING;
    while (true) {
      try {
        HeldDeletion before = known;
        long deadline = run.context.in(AT_LENGTH);
        known =
            run.steps.runOnce(
                Step.AWAIT_NO_JOBS,
                "Wait until no job is left on the session cluster",
                deadline,
                ClusterActivities.class,
                a ->
                    a.awaitNoJobs(
                        new AwaitNoJobsRequest(run.context.resource(), cluster, before, deadline)));
        if (known.reason() == null) {
          if (before.reason() != null) {
            run.steps.goesOn(Step.AWAIT_NO_JOBS, "No job holds the deletion any more");
          }
          return;
        }
        Wake unused = run.steps.hold(Step.AWAIT_NO_JOBS, held(known), false, AGAIN);
      } catch (ActivityFailure failure) {
        Wake unused = run.steps.hold(Step.AWAIT_NO_JOBS, run.steps.failure(failure), false);
      }
    }
  }

  /**
   * Returns true when no FlinkSessionJob has a live job there, false when a retry is requested: the
   * jobs may be given up with it.
   */
  boolean awaitSuspended() {
    HeldDeletion known = HeldDeletion.NOTHING;
    boolean held = false;
    while (true) {
      Wake wake;
      try {
        Optional<HeldDeletion> looked = lookForLiveJobs(known);
        if (looked.isEmpty()) {
          return false;
        }
        known = looked.get();
        if (known.reason() == null) {
          run.context.done("No FlinkSessionJob has a job on the session cluster");
          return true;
        }
        if (held && run.context.signals().retryAsked()) {
          return false;
        }
        wake = run.steps.hold(Step.SUSPEND_SESSION_JOBS, held(known), true, AGAIN);
      } catch (ActivityFailure failure) {
        wake = run.steps.hold(Step.SUSPEND_SESSION_JOBS, run.steps.failure(failure), true);
      }
      if (wake == Wake.RETRY) {
        return false;
      }
      held = true;
    }
  }

  private Optional<HeldDeletion> lookForLiveJobs(HeldDeletion known) {
    long deadline = run.context.in(known.reason() == null ? AT_FIRST : AT_LENGTH);
    return run.steps.awaitAtLength(
        Step.SUSPEND_SESSION_JOBS,
        "Wait until the FlinkSessionJobs have suspended their jobs",
        deadline,
        ClusterActivities.class,
        a ->
            a.suspendSessionJobs(
                new SuspendSessionJobsRequest(run.context.resource(), cluster, known, deadline)));
  }

  private static StepFailure held(HeldDeletion known) {
    return new StepFailure(String.valueOf(known.reason()), known.message(), true);
  }
}
