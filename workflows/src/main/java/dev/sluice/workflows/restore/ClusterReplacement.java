package dev.sluice.workflows.restore;

import dev.sluice.workflows.cluster.AwaitJobManagerRequest;
import dev.sluice.workflows.cluster.ClusterActivities;
import dev.sluice.workflows.cluster.CreateClusterRequest;
import dev.sluice.workflows.cluster.DeleteClusterRequest;
import dev.sluice.workflows.job.AwaitRunningRequest;
import dev.sluice.workflows.job.JobActivities;
import dev.sluice.workflows.job.RunningJob;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.Steps;
import dev.sluice.workflows.resource.FrozenTarget;
import dev.sluice.workflows.resource.ResourceActivities;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Brings the frozen target to running, from state that is already recorded: the old cluster goes
 * completely before the new one is made, and the job must say that it restored what it was given.
 */
public final class ClusterReplacement {

  /** Change id: runs that began before the status told of the new cluster replay without it. */
  private static final String REPORTS_START = "report-start";

  private final OperationContext run;
  private final Steps steps;
  private int attempts;

  /** A restore within {@code run}. */
  public ClusterReplacement(OperationContext run, Steps steps) {
    this.run = run;
    this.steps = steps;
  }

  /**
   * Returns when the target is stable.
   *
   * @param target what is frozen in the status
   * @param path the state to restore from; null to start empty
   * @param endState what {@code status.operation.state} says at the end
   * @throws dev.sluice.workflows.operation.InterruptedRun at the safe points: before the old
   *     cluster goes, before the new one is made, and while the new one does not come up
   */
  public void run(FrozenTarget target, @Nullable String path, String endState) {
    while (true) {
      run.safePoint();
      deleteCluster();
      run.safePoint();
      String jobId = Ids.derive(Workflow.getInfo().getRunId(), "job", ++attempts);
      createCluster(target, jobId, path);
      if (comesUp(target, jobId, path)) {
        markStable(target, endState);
        return;
      }
    }
  }

  /** Removes all of the cluster and waits until no pod of it is left. */
  public void deleteCluster() {
    steps.finishing(
        Step.DELETE_CLUSTER,
        "delete the cluster that is there, if any; wait until no pod is left",
        StepLimits.GONE,
        ClusterActivities.class,
        (a, deadline) -> {
          a.deleteCluster(new DeleteClusterRequest(run.resource(), false, deadline));
          return true;
        });
    steps.done("no cluster and no pod is left");
  }

  private void createCluster(FrozenTarget target, String jobId, @Nullable String path) {
    String from = from(path);
    steps.effect(
        Step.CREATE_CLUSTER,
        "create the cluster of generation " + target.generation() + " " + from,
        ClusterActivities.class,
        a -> {
          a.createCluster(
              new CreateClusterRequest(run.resource(), target.generation(), jobId, path));
          return true;
        });
    steps.done("cluster of generation %d created, %s".formatted(target.generation(), from));
  }

  /**
   * The one write that is for people alone: without it the status would say that the old cluster is
   * being deleted until the new one runs.
   */
  private void report(FrozenTarget target, @Nullable String path) {
    if (Workflow.getVersion(REPORTS_START, Workflow.DEFAULT_VERSION, 1) == 1) {
      String message =
          "the cluster of generation %d is created, %s; waiting until every task runs"
              .formatted(target.generation(), from(path));
      steps.report(
          steps
              .report("Running", Step.AWAIT_RUNNING, null, message, null)
              .withDeadline(run.in(Duration.ofMillis(target.readinessTimeoutMs()))));
    }
  }

  private boolean comesUp(FrozenTarget target, String jobId, @Nullable String path) {
    report(target, path);
    long deadline = run.in(Duration.ofMillis(target.readinessTimeoutMs()));
    Step step = Step.AWAIT_JOB_MANAGER;
    try {
      steps.waiting(
          step,
          "wait until the JobManager answers",
          deadline,
          ClusterActivities.class,
          a -> {
            a.awaitJobManager(new AwaitJobManagerRequest(run.resource(), jobId, deadline));
            return true;
          });
      steps.done("JobManager answers");
      step = Step.AWAIT_RUNNING;
      RunningJob job =
          steps.waiting(
              step,
              path == null
                  ? "wait until every task runs"
                  : "wait until every task runs, then check what was restored",
              deadline,
              JobActivities.class,
              a -> a.awaitRunning(new AwaitRunningRequest(run.resource(), jobId, path, deadline)));
      steps.done("all %d tasks run%s".formatted(job.tasks(), restored(job)));
      return true;
    } catch (ActivityFailure failure) {
      steps.park(step, failure);
      return false;
    }
  }

  private void markStable(FrozenTarget target, String endState) {
    String message = "generation " + target.generation() + " runs: " + target.summary();
    steps.effect(
        Step.MARK_STABLE,
        "write that generation " + target.generation() + " is stable",
        ResourceActivities.class,
        a -> {
          a.markStable(steps.report(endState, Step.MARK_STABLE, null, message, null));
          return true;
        });
    steps.done("generation " + target.generation() + " is stable");
  }

  private static String from(@Nullable String path) {
    return path == null ? "with empty state" : "from " + path;
  }

  private static String restored(RunningJob job) {
    return job.restoredFrom() == null ? "" : ", restored from " + job.restoredFrom();
  }
}
