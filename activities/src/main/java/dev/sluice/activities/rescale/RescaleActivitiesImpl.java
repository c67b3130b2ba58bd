package dev.sluice.activities.rescale;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.job.ClusterCheck;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.RescaleActivities;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;

/** Changes the parallelism of jobs that run, through Flink's own scheduler. */
public final class RescaleActivitiesImpl implements RescaleActivities {

  private final KubernetesClient client;
  private final ResourceStores stores;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final Watcher watcher;

  /**
   * @param client stays the caller's to close
   * @param watcher does the waiting
   */
  public RescaleActivitiesImpl(
      KubernetesClient client,
      ResourceStores stores,
      ClusterAccess access,
      FlinkRest flink,
      Watcher watcher) {
    this.client = client;
    this.stores = stores;
    this.access = access;
    this.flink = flink;
    this.watcher = watcher;
  }

  @Override
  public Answer checkRescale(RescaleRequest request) {
    StoredResource resource = read(request.resource());
    TargetSpec newest = resource.newest();
    if (newest.target().generation() != request.generation()) {
      throw outdated("generation %d is the newest".formatted(newest.target().generation()));
    }
    Optional<TargetSpec> stable = resource.stable();
    if (stable.isEmpty()) {
      return new Answer("no job was ever stable");
    }
    String bySpec = newest.notScaledFrom(stable.get());
    if (bySpec != null && !newest.isToldByVerticesOf(stable.get())) {
      return new Answer(bySpec);
    }
    RescaledCluster cluster = required(request, EffectWindow.open(access.clock()));
    if (!isMadeFromKnown(cluster, stable.get())) {
      return new Answer("the cluster was made from another spec than the last stable one");
    }
    try {
      ScalableJob job = job(request, resource);
      ResourceRequirements now = job.requirements();
      ScaledRequirements scaled =
          scaled(before(cluster, stable.get(), now, job), stable.get(), newest);
      return byState(scaled, newest)
          .or(() -> Optional.ofNullable(bySpec).map(Answer::new))
          .or(() -> speaksAgainst(scaled, now, newest, cluster, job))
          .orElse(Answer.YES);
    } catch (FlinkRestException.Rejected rejected) {
      return new Answer(rejected.getMessage());
    }
  }

  /** Whatever is required already needs no look at what the tasks would start again from. */
  private Optional<Answer> speaksAgainst(
      ScaledRequirements scaled,
      ResourceRequirements now,
      TargetSpec target,
      RescaledCluster cluster,
      ScalableJob job) {
    return byState(scaled, target)
        .or(
            () ->
                scaled
                    .problem()
                    .or(cluster::lacksTaskManagers)
                    .or(
                        () ->
                            scaled.requirements().equals(now)
                                ? Optional.empty()
                                : job.restart(access.clock().instant()).problem(target.target()))
                    .map(Answer::new));
  }

  /** An upgrade without the state may do what that does not allow. */
  private static Optional<Answer> byState(ScaledRequirements scaled, TargetSpec target) {
    boolean leavesState = target.target().upgradeMode() == UpgradeMode.STATELESS;
    return scaled.againstState().map(why -> new Answer(why, !leavesState));
  }

  /** A newer spec comes while the cluster is on its way to the frozen one. */
  private static boolean isMadeFromKnown(RescaledCluster cluster, TargetSpec stable) {
    Long generation = cluster.generation();
    long known = stable.target().generation();
    return generation == null || generation == known || cluster.note(known).isPresent();
  }

  @Override
  public Answer changeParallelism(RescaleRequest request) {
    EffectWindow window = EffectWindow.open(access.clock());
    StoredResource resource = begun(request);
    TargetSpec stable = stable(resource);
    TargetSpec target = resource.frozen().orElseThrow();
    RescaledCluster cluster = required(request, window);
    ScalableJob job = job(request, resource);
    try {
      ResourceRequirements now = job.requirements();
      RescaleNote before = before(cluster, stable, now, job);
      ScaledRequirements scaled = scaled(before, stable, target);
      Optional<Answer> against = speaksAgainst(scaled, now, target, cluster, job);
      if (against.isPresent()) {
        return against.get();
      }
      cluster.note(before);
      cluster.atLeastTaskManagers(target.parallelism().taskManagers());
      if (!scaled.requirements().equals(now)) {
        job.require(scaled.requirements(), window);
      }
      return Answer.YES;
    } catch (FlinkRestException.Rejected rejected) {
      return new Answer(rejected.getMessage());
    }
  }

  @Override
  public String awaitParallelism(AwaitParallelismRequest request) {
    RescaleRequest rescale = request.rescale();
    JobRef job = rescale.job();
    StoredResource resource = begun(rescale);
    TargetSpec stable = stable(resource);
    RescaleNote before = noted(required(rescale, EffectWindow.open(access.clock())), stable);
    ParallelismWait wait =
        new ParallelismWait(
            flink,
            endpoint(rescale.resource(), resource),
            job.jobId(),
            scaled(before, stable, resource.frozen().orElseThrow()).requirements());
    ClusterCheck<String> check =
        new ClusterCheck<>(
            job,
            access,
            ProbeResult.failed(FailureType.OUTDATED, "there is no JobManager Deployment"));
    return watcher.watch(
        Wait.of(
                job.cluster().display(),
                "job " + job.jobId() + " to run with the new parallelism",
                request.deadlineMs(),
                () -> check.then(wait::look))
            .timingOutAs(FailureType.CLUSTER_NOT_READY)
            .reportingTo(rescale.resource()));
  }

  @Override
  public void updateCluster(RescaleRequest request) {
    EffectWindow window = EffectWindow.open(access.clock());
    StoredResource resource = begun(request);
    TargetSpec stable = stable(resource);
    TargetSpec target = resource.frozen().orElseThrow();
    RescaledCluster cluster = required(request, window);
    cluster.update(target);
    // a JobManager that was lost before may have read what stood there before
    RescaleNote before = noted(cluster, stable);
    if (!job(request, resource).runsAsRequired(scaled(before, stable, target).requirements())) {
      throw outdated("the JobManager runs the job with another parallelism by now");
    }
  }

  private static RescaleNote noted(RescaledCluster cluster, TargetSpec stable) {
    return cluster
        .note(stable.target().generation())
        .orElseThrow(() -> outdated("the parallelism was not changed"));
  }

  @Override
  public void undoRescale(RescaleRequest request) {
    EffectWindow window = EffectWindow.open(access.clock());
    StoredResource resource = read(request.resource());
    TargetSpec stable = resource.stable().orElse(null);
    RescaledCluster cluster = find(request, window).orElse(null);
    boolean deleting = resource.metadata().getDeletionTimestamp() != null;
    if (deleting || stable == null || cluster == null) {
      return;
    }
    RescaleNote before = cluster.note(stable.target().generation()).orElse(null);
    if (before == null) {
      return;
    }
    ScalableJob job = job(request, resource);
    try {
      Optional<String> problem =
          job.requirements().equals(before.requirements())
              ? Optional.empty()
              : againstUndo(job, stable);
      if (problem.isPresent()) {
        throw ApplicationFailure.newNonRetryableFailure(
            "The old parallelism waits for the next checkpoint: " + problem.get(),
            FailureType.NO_CHECKPOINTS);
      }
      // also where nothing else is required: what was sent may not have arrived yet
      job.require(before.requirements(), window);
    } catch (FlinkRestException.Rejected rejected) {
      throw ApplicationFailure.newNonRetryableFailure(
          String.valueOf(rejected.getMessage()), FailureType.REFUSED);
    }
    cluster.update(stable);
    cluster.removeNote();
  }

  /** Tasks that are not up start again from the newest checkpoint anyway. */
  private Optional<String> againstUndo(ScalableJob job, TargetSpec stable) {
    return job.isUp()
        ? job.restart(access.clock().instant()).problem(stable.target())
        : Optional.empty();
  }

  /** How the job ran by the stable spec: as it was noted, or as it runs now. */
  private static RescaleNote before(
      RescaledCluster cluster, TargetSpec stable, ResourceRequirements now, ScalableJob job) {
    long generation = stable.target().generation();
    return cluster
        .note(generation)
        .filter(it -> it.vertices().keySet().equals(now.vertices().keySet()))
        .orElseGet(() -> RescaleNote.of(job.jobId(), generation, now, job.vertices()));
  }

  private static ScaledRequirements scaled(RescaleNote before, TargetSpec from, TargetSpec to) {
    return ScaledRequirements.of(before, from.parallelism(), to.parallelism());
  }

  private StoredResource read(ResourceRef ref) {
    return stores.of(ref).read(ref);
  }

  /** The resource, while that generation is frozen and its operation goes on. */
  private StoredResource begun(RescaleRequest request) {
    StoredResource resource = read(request.resource());
    boolean frozen =
        resource
            .frozen()
            .filter(it -> it.target().generation() == request.generation())
            .isPresent();
    if (!frozen || !resource.observed().isBegun()) {
      throw outdated("no operation to generation %d is begun".formatted(request.generation()));
    }
    return resource;
  }

  private static TargetSpec stable(StoredResource resource) {
    return resource.stable().orElseThrow(() -> outdated("no spec was stable before"));
  }

  private RescaledCluster required(RescaleRequest request, EffectWindow window) {
    return find(request, window)
        .orElseThrow(
            () ->
                outdated(
                    "cluster %s is not that of job %s any more"
                        .formatted(request.job().cluster().display(), request.job().jobId())));
  }

  private Optional<RescaledCluster> find(RescaleRequest request, EffectWindow window) {
    return RescaledCluster.find(client, access.live(), window, request.job(), request.resource());
  }

  private ScalableJob job(RescaleRequest request, StoredResource resource) {
    return new ScalableJob(flink, endpoint(request.resource(), resource), request.job().jobId());
  }

  private Endpoint endpoint(ResourceRef ref, StoredResource resource) {
    ResourceStore store = stores.of(ref);
    RunningCluster running = store.running(ref, resource);
    return running.endpoint();
  }

  private static ApplicationFailure outdated(String message) {
    return ApplicationFailure.newNonRetryableFailure(message, FailureType.OUTDATED);
  }
}
