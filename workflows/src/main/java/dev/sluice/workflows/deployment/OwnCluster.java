package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.AwaitJobManagerRequest;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.plan.Plan.Teardown.Replace;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cluster that belongs to the resource, of its job or for the jobs of others. */
record OwnCluster(OperationContext context, StepRunner steps) implements JobPlace {

  @Override
  public Step endStep() {
    return Step.DELETE_CLUSTER;
  }

  @Override
  public Step startStep() {
    return Step.AWAIT_JOB_MANAGER;
  }

  /** What is wrong with its image is told by its pods. */
  @Override
  public boolean fetchesJar() {
    return false;
  }

  @Override
  public void prepare(Frozen target) {}

  @Override
  public void tearDown(Observation seen, Replace replace, StateRef from, boolean jobEnded) {
    String kept = from instanceof StateRef.HaMetadata metadata ? metadata.jobId() : null;
    steps.runToCompletion(
        Step.DELETE_CLUSTER,
        kept == null
            ? "Delete the old cluster; wait until no pod is left"
            : "Delete the old cluster, keep its high-availability metadata; wait until no pod is left",
        StepLimits.GONE,
        ClusterActivities.class,
        (a, deadline) -> {
          a.deleteCluster(
              new DeleteClusterRequest(
                  context.resource(),
                  seen.cluster().ref(),
                  Set.of(replace.jobId()),
                  replace.generation(),
                  replace.onlyWhile(),
                  kept,
                  false,
                  jobEnded ? replace.jobId() : null,
                  deadline));
          return true;
        });
    context.done("No cluster and no pod is left");
  }

  @Override
  public void create(Frozen target, JobRef job, StateRef from) {
    long generation = target.target().generation();
    steps.run(
        Step.CREATE_CLUSTER,
        "Create the cluster of generation " + generation + ", starting from " + from.display(),
        ClusterActivities.class,
        a -> {
          a.createCluster(new CreateClusterRequest(context.resource(), job, generation, from));
          return true;
        });
    context.done("Cluster of generation %d created, from %s".formatted(generation, from.display()));
    boolean session = target.target().session();
    String message =
        session
            ? "Created the session cluster of generation %d; waiting until its JobManager answers"
                .formatted(generation)
            : "Created the cluster of generation %d from %s; waiting until every task is up"
                .formatted(generation, from.display());
    Step next = session ? Step.AWAIT_JOB_MANAGER : Step.AWAIT_RUNNING;
    steps.report(
        context
            .report(OperationState.RUNNING, next, null, message, null)
            .withDeadlineMs(context.in(Duration.ofMillis(target.readinessTimeoutMs()))));
  }

  @Override
  public long awaitStart(
      Frozen target,
      JobRef job,
      StateRef from,
      @Nullable Observation seen,
      Runnable heldElsewhere) {
    long deadline = context.in(Duration.ofMillis(target.readinessTimeoutMs()));
    steps.awaitInterruptibly(
        Step.AWAIT_JOB_MANAGER,
        "Wait until the JobManager answers",
        deadline,
        ClusterActivities.class,
        a -> {
          a.awaitJobManager(new AwaitJobManagerRequest(context.resource(), job, deadline));
          return true;
        });
    context.done("The JobManager answers");
    return deadline;
  }

  @Override
  public void removeOnce(Observation seen, @Nullable String endedJob, boolean session) {
    long deadline = context.in(ResourceDeletion.GONE);
    steps.runOnce(
        Step.DELETE_CLUSTER,
        "Delete the cluster; wait until no pod is left",
        deadline,
        ClusterActivities.class,
        a -> {
          a.deleteCluster(
              new DeleteClusterRequest(
                  context.resource(),
                  seen.cluster().ref(),
                  Set.of(),
                  null,
                  null,
                  null,
                  true,
                  endedJob,
                  session ? JobsOnCluster.NONE : null,
                  deadline));
          return true;
        });
    context.done("No cluster and no pod is left");
  }

  /** A cluster of any job goes. */
  @Override
  public Observation afterOutdated(Observation seen, Supplier<Observation> look) {
    return seen;
  }

  @Override
  public String removed(@Nullable String left) {
    return left == null ? "The cluster is deleted" : "Not everything could be deleted: " + left;
  }

  @Override
  public String givenUp() {
    return "its cluster is deleted";
  }
}
