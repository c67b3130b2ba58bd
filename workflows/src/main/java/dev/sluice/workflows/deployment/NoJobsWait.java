package dev.sluice.workflows.deployment;

import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.AwaitNoJobsRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;

/**
 * Holds the deletion of a session cluster while jobs run on it, for as long as that takes: it ends
 * when they have ended, or the spec says that they do not matter. A cluster that does not tell its
 * jobs is not deleted (FLINK-40542).
 */
final class NoJobsWait {

  /** Then the run looks whether its history is long. */
  private static final Duration AT_LENGTH = Duration.ofHours(1);

  /** Between two times that Flink is asked for the same in vain. */
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final OperationContext context;
  private final StepRunner steps;
  private final ClusterRef cluster;

  NoJobsWait(OperationContext context, StepRunner steps, ClusterRef cluster) {
    this.context = context;
    this.steps = steps;
    this.cluster = cluster;
  }

  /** Returns when no job holds the deletion. */
  void await() {
    HeldDeletion known = HeldDeletion.NOTHING;
    while (true) {
      try {
        HeldDeletion now = look(known);
        if (now.reason() == null) {
          if (known.reason() != null) {
            steps.goesOn(Step.AWAIT_NO_JOBS, "No job holds the deletion any more");
          }
          return;
        }
        known = now;
        steps.hold(
            Step.AWAIT_NO_JOBS, new StepFailure(now.reason(), now.message(), true), false, AGAIN);
      } catch (ActivityFailure failure) {
        steps.hold(Step.AWAIT_NO_JOBS, steps.failure(failure), false);
      }
    }
  }

  private HeldDeletion look(HeldDeletion known) {
    long deadline = context.in(AT_LENGTH);
    return steps.runOnce(
        Step.AWAIT_NO_JOBS,
        "Wait until no job is left on the session cluster",
        deadline,
        ClusterActivities.class,
        a -> a.awaitNoJobs(new AwaitNoJobsRequest(context.resource(), cluster, known, deadline)));
  }
}
