package dev.sluice.workflows.deployment;

import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.activity.ClusterActivities.SuspendSessionJobsRequest;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.operation.StepRunner.Wake;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits until the FlinkSessionJobs of a session cluster have suspended their jobs, for as long as
 * that takes. The cluster is untouched until then, so that whatever is asked for ends the wait.
 */
final class SessionJobsWait {

  /** Then the run says for whom it waits. A savepoint usually takes less. */
  private static final Duration AT_FIRST = Duration.ofMinutes(2);

  /** Then the run looks whether its history is long. */
  private static final Duration AT_LENGTH = Duration.ofHours(1);

  /** Between two times that the same is waited for. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final OperationContext context;
  private final StepRunner steps;
  private final ClusterRef cluster;

  SessionJobsWait(OperationContext context, StepRunner steps, ClusterRef cluster) {
    this.context = context;
    this.steps = steps;
    this.cluster = cluster;
  }

  /**
   * Returns true when none of them has a live job there, false when a retry is requested: the jobs
   * may be given up with it.
   */
  boolean await() {
    HeldDeletion known = HeldDeletion.NOTHING;
    boolean held = false;
    while (true) {
      Wake wake;
      try {
        Optional<HeldDeletion> looked = look(known);
        if (looked.isEmpty()) {
          return false;
        }
        known = looked.get();
        if (known.reason() == null) {
          context.done("No FlinkSessionJob has a job on the session cluster");
          return true;
        }
        if (held && context.signals().retryAsked()) {
          return false;
        }
        StepFailure why = new StepFailure(known.reason(), known.message(), true);
        wake = steps.hold(Step.SUSPEND_SESSION_JOBS, why, true, AGAIN);
      } catch (ActivityFailure failure) {
        wake = steps.hold(Step.SUSPEND_SESSION_JOBS, steps.failure(failure), true);
      }
      if (wake == Wake.RETRY) {
        return false;
      }
      held = true;
    }
  }

  private Optional<HeldDeletion> look(HeldDeletion known) {
    long deadline = context.in(known.reason() == null ? AT_FIRST : AT_LENGTH);
    return steps.awaitAtLength(
        Step.SUSPEND_SESSION_JOBS,
        "Wait until the FlinkSessionJobs have suspended their jobs",
        deadline,
        ClusterActivities.class,
        a ->
            a.suspendSessionJobs(
                new SuspendSessionJobsRequest(context.resource(), cluster, known, deadline)));
  }
}
