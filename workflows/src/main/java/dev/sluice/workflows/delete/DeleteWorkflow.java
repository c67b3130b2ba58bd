package dev.sluice.workflows.delete;

import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.cluster.ClusterActivities;
import dev.sluice.workflows.cluster.DeleteClusterRequest;
import dev.sluice.workflows.job.CancelRequest;
import dev.sluice.workflows.job.JobActivities;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.Observation.JobSeen;
import dev.sluice.workflows.resource.ObserveRequest;
import dev.sluice.workflows.resource.ResourceActivities;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Delete: end the job if it can be reached, with a savepoint where the spec asks for
 * one, delete the cluster, wait until no pod is left, say so. Always ends: what cannot be done in
 * time is reported, not waited for. Only what is being deleted in Kubernetes is deleted here.
 */
public final class DeleteWorkflow extends OperationWorkflow implements Delete {

  private static final Duration CANCEL = Duration.ofSeconds(20);
  static final Duration GONE = Duration.ofMinutes(2);
  private static final int ATTEMPTS = 3;
  private static final String REFUSES_UNDELETED = "delete-refuses-what-is-not-deleted";
  static final Set<String> ENDED = Set.of("FINISHED", "FAILED", "CANCELED");

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public DeleteWorkflow(OperationInput input) {
    super(TYPE, input, false);
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(this::everything);
  }

  private OperationResult everything() {
    Observation seen = look();
    if (seen != null && !seen.deleting() && refusesWhatIsNotDeleted()) {
      return notDeleted(seen);
    }
    if (seen != null) {
      endJob(seen);
    }
    String left = deleteCluster();
    String state = lane().progress().savepoint();
    String message =
        (left == null ? "all is gone" : "given up waiting: " + left)
            + (state == null ? "" : "; a state of the job is left: " + state);
    try {
      steps()
          .report(
              steps()
                  .report(
                      "Succeeded",
                      Step.DELETE_CLUSTER,
                      left == null ? null : FailureType.CLUSTER_NOT_GONE,
                      message,
                      left == null ? null : FailureType.CLUSTER_NOT_GONE));
    } catch (InterruptedRun gone) {
      steps().done("the resource itself is gone");
    }
    return new OperationResult(OperationResult.DELETED, 0, message, state);
  }

  /** Null when nothing can be seen of it, as when the resource is gone already. */
  private @Nullable Observation look() {
    try {
      return steps()
          .attempt(
              Step.OBSERVE,
              "look at the cluster and its job",
              null,
              ResourceActivities.class,
              a -> a.observe(new ObserveRequest(lane().resource(), 0)));
    } catch (ActivityFailure failure) {
      steps().done("nothing can be seen of it, going on: " + cause(failure));
      return null;
    }
  }

  private static boolean refusesWhatIsNotDeleted() {
    return Workflow.getVersion(REFUSES_UNDELETED, Workflow.DEFAULT_VERSION, 1) == 1;
  }

  /**
   * A signal sent by hand asks for a deletion that Kubernetes knows nothing of. What is desired
   * stands there: the job runs on, and what was in flight is taken up again.
   */
  private OperationResult notDeleted(Observation seen) {
    String why = "not deleted: 'kubectl delete' deletes the resource, a signal does not";
    steps().done(why);
    OperationInput input = lane().input();
    return lane().cancelled()
        ? new OperationResult(OperationResult.ABORTED, 0, why)
        : HandOver.to(
            OperationType.UPGRADE,
            new OperationInput(input.resource(), seen.generation(), why, input.savepoint()));
  }

  /** Best effort: a job that is ended closes its sinks in order. */
  private void endJob(Observation seen) {
    try {
      if (seen.deletionSavepointMs() > 0) {
        new FinalSavepoint(lane(), steps()).keep(seen);
        return;
      }
      JobSeen job = seen.job();
      String jobId = job.jobId();
      if (jobId == null || job.state() == null || ENDED.contains(job.state())) {
        return;
      }
      long deadline = lane().in(CANCEL);
      steps()
          .attempt(
              Step.CANCEL_JOB,
              "cancel job " + jobId + ", at most " + CANCEL.toSeconds() + " s",
              deadline,
              JobActivities.class,
              a -> a.cancelJob(new CancelRequest(lane().resource(), jobId, false, deadline)));
      steps().done("job cancelled");
    } catch (ActivityFailure failure) {
      steps().done("job not cancelled, going on: " + cause(failure));
    }
  }

  /** Null when all is gone, else what is left. */
  private @Nullable String deleteCluster() {
    String left = null;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      long deadline = lane().in(GONE);
      try {
        steps()
            .attempt(
                Step.DELETE_CLUSTER,
                "delete the cluster, wait until no pod is left",
                deadline,
                ClusterActivities.class,
                a -> {
                  a.deleteCluster(new DeleteClusterRequest(lane().resource(), true, deadline));
                  return true;
                });
        steps().done("cluster gone");
        return null;
      } catch (ActivityFailure failure) {
        left = cause(failure);
        steps().done("attempt %d of %d: %s".formatted(attempt, ATTEMPTS, left));
      }
    }
    return left;
  }

  static String cause(ActivityFailure failure) {
    return failure.getCause() instanceof ApplicationFailure application
        ? application.getOriginalMessage()
        : String.valueOf(failure.getMessage());
  }
}
