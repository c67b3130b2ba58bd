package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.function.Function;

/** Wires {@link JobActivities} to what carries them out. */
public final class JobActivitiesImpl implements JobActivities {

  private final Function<ResourceRef, ResourceStore> stores;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final SavepointLimiter savepoints;
  private final Watcher watcher;
  private final Clock clock;

  /**
   * @param stores the store of a resource's kind
   * @param watcher does the waiting
   */
  public JobActivitiesImpl(
      Function<ResourceRef, ResourceStore> stores,
      ClusterAccess access,
      FlinkRest flink,
      SavepointLimiter savepoints,
      Watcher watcher) {
    this.stores = stores;
    this.access = access;
    this.flink = flink;
    this.savepoints = savepoints;
    this.watcher = watcher;
    this.clock = access.clock();
  }

  @Override
  public TakenState stopWithSavepoint(StopRequest request) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    JobTarget target = running(request.resource(), request.job());
    ClusterCheck<TakenState> check = check(target, request.job(), gone(request.job()));
    TriggerLog triggers =
        new TriggerLog(request, target.endpoint(), flink, activity.getInfo().getAttempt(), clock);
    try (SavepointLimiter.Slot slot = savepoints.slot(activity)) {
      SavepointStop stop =
          new SavepointStop(request, target, options(request), flink, slot, triggers);
      Wait<TakenState> wait =
          acting(
              request.resource(),
              request.job(),
              "job %s to stop with a savepoint",
              request.deadlineMs(),
              guard -> check.then(() -> stop.look(guard)));
      return watcher.watch(wait.extendedBy(slot::queuedMs));
    }
  }

  /** A deletion is for the newest spec, everything else for the one that is frozen. */
  private SavepointOptions options(StopRequest request) {
    ResourceStore store = stores.apply(request.resource());
    return SavepointOptions.of(
        request.last()
            ? store.newest(request.resource())
            : store.target(request.resource()).configuration(),
        request.last());
  }

  @Override
  public TakenState cancelJob(CancelRequest request) {
    JobTarget target = running(request.resource(), request.job());
    JobCancellation cancellation = new JobCancellation(request, target, flink, clock);
    ProbeResult<TakenState> nothingLeft =
        ProbeResult.done(
            new TakenState(
                new StateRef.Empty("its state is not needed"), "its cluster does not exist"));
    ClusterCheck<TakenState> check =
        check(
            target,
            request.job(),
            request.onlyIf().keepsState() ? gone(request.job()) : nothingLeft);
    return watcher.watch(
        acting(
            request.resource(),
            request.job(),
            "job %s to be cancelled",
            request.deadlineMs(),
            guard -> check.then(() -> cancellation.look(guard))));
  }

  @Override
  public RunningJob awaitRunning(AwaitRunningRequest request) {
    JobRef job = request.job();
    JobTarget target = frozen(request.resource(), job);
    JobUpWait<RunningJob> start = JobUpWait.ofStart(request, target, access, flink);
    ClusterCheck<RunningJob> check = check(target, job, missing(job));
    return watcher.watch(
        Wait.of(
                job.cluster().display(),
                "every task of job " + job.jobId() + " to be up",
                request.deadlineMs(),
                () -> check.then(start::look))
            .timingOutAs(FailureType.CLUSTER_NOT_READY)
            .reportingTo(request.resource()));
  }

  @Override
  public StableJob awaitStable(AwaitStableRequest request) {
    JobRef job = request.job();
    ResourceRef ref = request.resource();
    ResourceStore store = stores.apply(ref);
    JobTarget target = frozen(ref, job);
    StabilityCheck stable =
        new StabilityCheck(request, target, clock, flink, () -> store.read(ref).stableAfter());
    JobUpWait<StableJob> wait = new JobUpWait<>(job, target, access, flink, stable);
    ClusterCheck<StableJob> check = check(target, job, missing(job));
    return watcher.watch(
        Wait.of(
                job.cluster().display(),
                "job " + job.jobId() + " to be stable",
                request.deadlineMs(),
                () -> check.then(wait::look))
            .timingOutAs(FailureType.NOT_STABLE)
            .extendedBy(stable::extensionMs)
            .reportingTo(ref));
  }

  private static <T> ProbeResult<T> missing(JobRef job) {
    return ProbeResult.failed(
        FailureType.OUTDATED,
        "the JobManager Deployment of " + job.cluster().display() + " does not exist");
  }

  private static <T> Wait<T> acting(
      ResourceRef resource, JobRef job, String what, long deadlineMs, Wait.Probe<T> probe) {
    return Wait.acting(job.cluster().display(), what.formatted(job.jobId()), deadlineMs, probe)
        .quick()
        .reportingTo(resource);
  }

  private <T> ClusterCheck<T> check(JobTarget target, JobRef job, ProbeResult<T> gone) {
    return new ClusterCheck<>(job, access, gone, target.cluster().session());
  }

  private static ProbeResult<TakenState> gone(JobRef job) {
    return ProbeResult.failed(
        FailureType.STATE_NOT_FOUND,
        "The JobManager Deployment of %s does not exist, so job %s cannot be asked for its state."
            .formatted(job.cluster().display(), job.jobId()));
  }

  /** The job on the cluster that runs now. */
  private JobTarget running(ResourceRef resource, JobRef job) {
    ResourceStore store = stores.apply(resource);
    RunningCluster cluster = require(job, store.running(resource));
    return new JobTarget(cluster, job.jobId(), store.target(resource).configuration());
  }

  /** The job on the cluster that was made from the frozen target. */
  private JobTarget frozen(ResourceRef resource, JobRef job) {
    RunningCluster cluster = stores.apply(resource).target(resource);
    return new JobTarget(require(job, cluster), job.jobId(), cluster.configuration());
  }

  private static RunningCluster require(JobRef job, RunningCluster cluster) {
    String madeFor = cluster.jobId();
    boolean other = madeFor != null && !madeFor.equals(job.jobId());
    if (other || !cluster.ref().equals(job.cluster())) {
      throw ApplicationFailure.newNonRetryableFailure(
          ClusterCheck.outdated(job, madeFor), FailureType.OUTDATED);
    }
    return cluster;
  }
}
