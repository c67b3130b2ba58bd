package dev.sluice.activities.rescale;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.job.ClusterCheck;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.RescaleActivities;
import dev.sluice.workflows.model.JobRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;
import java.util.function.Supplier;

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
    StoredResource resource = read(request);
    TargetSpec newest = resource.newest();
    if (newest.target().generation() != request.generation()) {
      throw outdated("generation %d is the newest".formatted(newest.target().generation()));
    }
    TargetSpec stable = resource.stable().orElse(null);
    if (stable == null) {
      return new Answer("no job was ever stable");
    }
    String bySpec = newest.notScaledFrom(stable);
    if (bySpec != null && !newest.isToldByVerticesOf(stable)) {
      return new Answer(bySpec);
    }
    Scaling scaling = scaling(request, resource, stable, newest, EffectWindow.open(access.clock()));
    if (!scaling.isMadeFromStable()) {
      return new Answer("the cluster was made from another spec than the last stable one");
    }
    return answer(
        () -> {
          ResourceRequirements now = scaling.required();
          ScaledRequirements scaled = scaling.scaled(scaling.before(now));
          return byState(scaled, newest)
              .or(() -> Optional.ofNullable(bySpec).map(Answer::new))
              .or(() -> speaksAgainst(scaling, scaled, now))
              .orElse(Answer.YES);
        });
  }

  /** Flink's refusal is an answer. */
  private static Answer answer(Supplier<Answer> question) {
    try {
      return ask(question);
    } catch (FlinkRestException.Rejected rejected) {
      return new Answer(rejected.getMessage());
    }
  }

  /** What is no refusal may pass. */
  private static <T> T ask(Supplier<T> question) {
    try {
      return question.get();
    } catch (FlinkRestException.Rejected rejected) {
      throw rejected;
    } catch (FlinkRestException silent) {
      throw notReady(String.valueOf(silent.getMessage()));
    }
  }

  /** Whatever is required already needs no look at what the tasks would start again from. */
  private Optional<Answer> speaksAgainst(
      Scaling scaling, ScaledRequirements scaled, ResourceRequirements now) {
    return byState(scaled, scaling.target())
        .or(
            () ->
                scaled
                    .problem()
                    .or(scaling.cluster()::lacksTaskManagers)
                    .or(
                        () ->
                            scaled.requirements().equals(now)
                                ? Optional.empty()
                                : scaling.noCheckpoint(access.clock().instant()))
                    .map(Answer::new));
  }

  /** An upgrade without the state may do what that does not allow. */
  private static Optional<Answer> byState(ScaledRequirements scaled, TargetSpec target) {
    boolean leavesState = target.target().upgradeMode() == UpgradeMode.STATELESS;
    return scaled.againstState().map(why -> new Answer(why, !leavesState));
  }

  @Override
  public Answer changeParallelism(RescaleRequest request) {
    EffectWindow window = EffectWindow.open(access.clock());
    Scaling scaling = begun(request, window);
    return answer(
        () -> {
          ResourceRequirements now = scaling.required();
          RescaleNote before = scaling.before(now);
          ScaledRequirements scaled = scaling.scaled(before);
          Optional<Answer> against = speaksAgainst(scaling, scaled, now);
          if (against.isPresent()) {
            return against.get();
          }
          scaling.cluster().note(before);
          scaling.cluster().atLeastTaskManagers(scaling.target().parallelism().taskManagers());
          if (!scaled.requirements().equals(now)) {
            window.check();
            ResourceRequirements unused = scaling.require(scaled.requirements());
          }
          return Answer.YES;
        });
  }

  @Override
  public String awaitParallelism(AwaitParallelismRequest request) {
    RescaleRequest rescale = request.rescale();
    JobRef job = rescale.job();
    Scaling scaling = begun(rescale, EffectWindow.open(access.clock()));
    ResourceRequirements wanted = scaling.scaled(noted(scaling)).requirements();
    ClusterCheck<String> check =
        new ClusterCheck<>(
            job,
            access,
            ProbeResult.failed(FailureType.OUTDATED, "there is no JobManager Deployment"),
            false);
    return watcher.watch(
        Wait.of(
                job.cluster().display(),
                "job " + job.jobId() + " to run with the new parallelism",
                request.deadlineMs(),
                () -> check.then(() -> look(scaling, wanted)))
            .timingOutAs(FailureType.CLUSTER_NOT_READY)
            .reportingTo(rescale.resource()));
  }

  private static ProbeResult<String> look(Scaling scaling, ResourceRequirements wanted) {
    JobOverview job = scaling.job().orElse(null);
    if (job == null) {
      return ProbeResult.notYet("the JobManager answers; it has no job yet");
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return ProbeResult.done("the job has finished");
    }
    if (job.state().isGloballyTerminal()) {
      return ProbeResult.failed(
          FailureType.JOB_FAILED, "Job %s is %s".formatted(job.jobId(), job.word()));
    }
    if (job.isUp() && job.tasks().total() == wanted.subtasks() && scaling.runs(wanted)) {
      return ProbeResult.done(job.tasks().display());
    }
    // a JobManager that was lost without high availability does not remember what was required
    return scaling.required().equals(wanted)
        ? ProbeResult.notYet(
            "job is %s; %d are required".formatted(job.display(), wanted.subtasks()))
        : ProbeResult.failed(
            FailureType.OUTDATED,
            "the parallelism that is required of job %s has changed meanwhile"
                .formatted(job.jobId()));
  }

  @Override
  public void updateCluster(RescaleRequest request) {
    Scaling scaling = begun(request, EffectWindow.open(access.clock()));
    scaling.cluster().update(scaling.target());
    ResourceRequirements wanted = scaling.scaled(noted(scaling)).requirements();
    JobOverview job =
        ask(scaling::job).orElseThrow(() -> notReady("the JobManager has no job yet"));
    if (job.state().isGloballyTerminal()) {
      return;
    }
    // a JobManager that was lost before may have read what stood there before
    if (!ask(scaling::required).equals(wanted)) {
      throw outdated("the JobManager runs the job with another parallelism by now");
    }
    if (!job.isUp()) {
      throw notReady("job is " + job.display());
    }
  }

  private static RescaleNote noted(Scaling scaling) {
    return scaling.noted().orElseThrow(() -> outdated("the parallelism was not changed"));
  }

  @Override
  public void undoRescale(RescaleRequest request) {
    EffectWindow window = EffectWindow.open(access.clock());
    StoredResource resource = read(request);
    TargetSpec stable = resource.stable().orElse(null);
    RescaledCluster cluster = find(request, window).orElse(null);
    if (resource.metadata().getDeletionTimestamp() != null || stable == null || cluster == null) {
      return;
    }
    RescaleNote before = cluster.note(stable.target().generation()).orElse(null);
    if (before == null) {
      return;
    }
    Scaling scaling = scaling(request, resource, stable, stable, window);
    window.check();
    try {
      // also where nothing else is required: what was sent may not have arrived yet
      ResourceRequirements unused = ask(() -> scaling.require(before.requirements()));
    } catch (FlinkRestException.Rejected rejected) {
      throw ApplicationFailure.newNonRetryableFailure(
          String.valueOf(rejected.getMessage()), FailureType.REFUSED);
    }
    cluster.update(stable);
    cluster.removeNote();
  }

  private StoredResource read(RescaleRequest request) {
    return stores.of(request.resource()).read(request.resource());
  }

  /** The scaling to the frozen spec, while that generation is frozen and its operation goes on. */
  private Scaling begun(RescaleRequest request, EffectWindow window) {
    StoredResource resource = read(request);
    TargetSpec frozen =
        resource
            .frozen()
            .filter(it -> it.target().generation() == request.generation())
            .filter(it -> resource.observed().isBegun())
            .orElseThrow(
                () ->
                    outdated(
                        "no operation to generation %d is begun".formatted(request.generation())));
    TargetSpec stable = resource.stable().orElseThrow(() -> outdated("no spec was stable before"));
    return scaling(request, resource, stable, frozen, window);
  }

  private Scaling scaling(
      RescaleRequest request,
      StoredResource resource,
      TargetSpec stable,
      TargetSpec target,
      EffectWindow window) {
    JobRef job = request.job();
    RescaledCluster cluster =
        find(request, window)
            .orElseThrow(
                () ->
                    outdated(
                        "cluster %s is not that of job %s any more"
                            .formatted(job.cluster().display(), job.jobId())));
    Endpoint endpoint =
        stores.of(request.resource()).running(request.resource(), resource).endpoint();
    return new Scaling(flink, endpoint, cluster, job.jobId(), stable, target);
  }

  private Optional<RescaledCluster> find(RescaleRequest request, EffectWindow window) {
    return RescaledCluster.find(client, access.live(), window, request.job(), request.resource());
  }

  private static ApplicationFailure outdated(String message) {
    return ApplicationFailure.newNonRetryableFailure(message, FailureType.OUTDATED);
  }

  private static ApplicationFailure notReady(String message) {
    return ApplicationFailure.newFailure(message, FailureType.CLUSTER_NOT_READY);
  }
}
