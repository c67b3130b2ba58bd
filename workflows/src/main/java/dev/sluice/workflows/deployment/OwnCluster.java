package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.operation.StepRunner.doing;

import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.AwaitJobManagerRequest;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.plan.Plan.Teardown;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A cluster that belongs to the resource, of its job or for the jobs of others. */
record OwnCluster(LaneRun run) implements JobPlace {

  private static final String DELETED = "No cluster and no pod is left";

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
  public void tearDown(Observation seen, Teardown teardown, StateRef from, boolean jobEnded) {
    String kept = from instanceof StateRef.HaMetadata metadata ? metadata.jobId() : null;
    boolean keeps = kept != null || teardown.jobs() == JobsOnCluster.COME_BACK;
    run.steps.runToCompletion(
        Step.DELETE_CLUSTER,
        "Delete the old cluster%s; wait until no pod is left"
            .formatted(keeps ? ", keep its high-availability metadata" : ""),
        StepLimits.GONE,
        ClusterActivities.class,
        doing(
            (a, deadline) ->
                a.deleteCluster(
                    request(
                        seen,
                        teardown,
                        Set.of(teardown.jobId()),
                        kept,
                        jobEnded ? teardown.jobId() : null,
                        deadline))));
    run.context.done(DELETED);
  }

  /**
   * @param jobs the jobs whose Deployment may be deleted; empty: any, because the resource is being
   *     deleted
   */
  private DeleteClusterRequest request(
      Observation seen,
      Teardown teardown,
      Set<String> jobs,
      @Nullable String kept,
      @Nullable String endedJob,
      long deadline) {
    return new DeleteClusterRequest(
        run.context.resource(),
        seen.cluster().ref(),
        jobs,
        teardown.generation(),
        teardown.onlyWhile(),
        kept,
        jobs.isEmpty(),
        endedJob,
        teardown.jobs(),
        deadline);
  }

  @Override
  public void create(Frozen target, JobRef job, StateRef from) {
    long generation = target.target().generation();
    run.steps.run(
        Step.CREATE_CLUSTER,
        "Create the cluster of generation " + generation + ", starting from " + from.display(),
        ClusterActivities.class,
        doing(
            a ->
                a.createCluster(
                    new CreateClusterRequest(run.context.resource(), job, generation, from))));
    String created =
        "Created the cluster of generation %d from %s".formatted(generation, from.display());
    run.context.done(created);
    boolean session = target.target().session();
    run.tell(
        session ? Step.AWAIT_JOB_MANAGER : Step.AWAIT_RUNNING,
        created + (session ? "" : "; waiting until every task is up"),
        null,
        Duration.ofMillis(target.readinessTimeoutMs()));
  }

  @Override
  public long awaitStart(
      Frozen target, JobRef job, StateRef from, Observation seen, Runnable heldElsewhere) {
    long deadline = run.context.in(Duration.ofMillis(target.readinessTimeoutMs()));
    run.steps.awaitInterruptibly(
        Step.AWAIT_JOB_MANAGER,
        "Wait until the JobManager answers",
        deadline,
        ClusterActivities.class,
        doing(
            a ->
                a.awaitJobManager(
                    new AwaitJobManagerRequest(run.context.resource(), job, deadline))));
    run.context.done("The JobManager answers");
    return deadline;
  }

  @Override
  public void removeOnce(Observation seen, @Nullable String endedJob, boolean session) {
    long deadline = run.context.in(ResourceDeletion.GONE);
    Teardown any = new Teardown(Teardown.NO_JOB, null, null, session ? JobsOnCluster.NONE : null);
    run.steps.runOnce(
        Step.DELETE_CLUSTER,
        "Delete the cluster; wait until no pod is left",
        deadline,
        ClusterActivities.class,
        doing(a -> a.deleteCluster(request(seen, any, Set.of(), null, endedJob, deadline))));
    run.context.done(DELETED);
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
