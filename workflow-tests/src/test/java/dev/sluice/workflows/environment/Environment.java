package dev.sluice.workflows.environment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One resource with all that it made. Its monitor is the one lock of the model; time passes only in
 * {@link #tick}.
 */
public final class Environment extends JobEvents {

  private static final int TRACE = 1_000;
  private static final int WAIT_TICKS = 30;

  private final ResourceModel resource;
  private final StateStorage storage = new StateStorage();
  private final Invariants invariants;
  private final KubernetesModel kubernetes;
  private final @Nullable HostModel host;
  private final List<String> trace = new ArrayList<>();
  private List<String> told = List.of();

  /** The life of its job that the first call of a stop saw, by trigger id. */
  final Map<String, Integer> incarnationAt = new HashMap<>();

  private boolean healed;
  private int apiServerAway;
  private int flinkAway;
  private boolean podsStuck;
  private boolean workersDiffer;
  private boolean otherJob;
  private long ticks;

  /** A job on a session cluster has that for itself. */
  public Environment(ResourceRef ref) {
    this(ref, new SessionCluster());
  }

  /**
   * @param cluster the session cluster that its job runs on, when it has none of its own
   */
  public Environment(ResourceRef ref, SessionCluster cluster) {
    resource = new ResourceModel(ref);
    invariants = new Invariants(this, storage);
    kubernetes = new KubernetesModel(storage, invariants);
    host = ref.ownsCluster() ? null : new HostModel(this, cluster);
  }

  /** The resource as people and the controller see it. */
  public ResourceModel resource() {
    return resource;
  }

  /** What was found wrong. */
  public Invariants invariants() {
    return invariants;
  }

  /** What happened, in order, for people. */
  public synchronized List<String> trace() {
    return List.copyOf(trace);
  }

  @Override
  public synchronized void note(String line) {
    if (trace.size() < TRACE) {
      trace.add(ticks + " " + line);
    }
  }

  /** Notes what was done to Kubernetes, Flink or the status: a line of its {@link Trace}. */
  public void effect(String line) {
    note(Trace.MARK + line);
  }

  /** The trace begins here. */
  public void given() {
    told = Trace.status(resource);
    effect(Trace.GIVEN);
  }

  /** What the status says and did not say at the last look is an effect. */
  public synchronized void lookAtStatus() {
    List<String> now = Trace.status(resource);
    now.stream().filter(fact -> !told.contains(fact)).forEach(this::effect);
    told = now;
  }

  @Override
  KubernetesModel kubernetes() {
    return kubernetes;
  }

  /** The session cluster that its job runs on; null when it has a cluster of its own. */
  public @Nullable HostModel host() {
    return host;
  }

  boolean isFlinkAway() {
    return flinkAway > 0;
  }

  StateStorage storage() {
    return storage;
  }

  /** Time passes. */
  public synchronized void tick(int count) {
    for (int i = 0; i < count; i++) {
      if (host == null) {
        flinkIsAwayOneTickLess();
        workGoesOn();
      } else {
        host.cluster().tick();
      }
    }
  }

  void flinkIsAwayOneTickLess() {
    ticks++;
    if (flinkAway > 0) {
      flinkAway--;
    }
  }

  void workGoesOn() {
    kubernetes.tick(healed);
    RescaleEffects.verify(this);
    invariants.atMostOneLiveJob();
  }

  /** Lets time pass until that is so. False when it does not come to be in time. */
  boolean await(Moments moments, BooleanSupplier condition) {
    for (int i = 0; i < WAIT_TICKS; i++) {
      synchronized (this) {
        if (condition.getAsBoolean()) {
          return true;
        }
        tick(1);
      }
      if (moments.cancelled()) {
        throw Failures.passing("Cancelled", "left");
      }
    }
    return false;
  }

  /** The causes of faults that pass are gone: images, slots, quota, savepoints, outages. */
  public synchronized void heal() {
    note("healed");
    healed = true;
    apiServerAway = 0;
    flinkAway = 0;
    podsStuck = false;
    workersDiffer = false;
    otherJob = false;
    if (host != null) {
      host.cluster().heal();
    }
    kubernetes.session.end();
  }

  @Override
  boolean healed() {
    return healed;
  }

  /**
   * The worker that freezes has a rule that the one that observes has not, until that is healed.
   */
  public synchronized void workersDiffer() {
    workersDiffer = true;
  }

  boolean breaksRuleOfThisWorker() {
    return workersDiffer;
  }

  /** The API server does not answer the next calls. */
  public synchronized void apiServerAway(int calls) {
    note("API server away for " + calls + " calls");
    apiServerAway = calls;
  }

  /** Flink's REST API does not answer for that many ticks. */
  public synchronized void flinkAway(int forTicks) {
    note("Flink away for " + forTicks + " ticks");
    flinkAway = forTicks;
  }

  /** Pods do not go away until that is healed. */
  public synchronized void podsStuck() {
    podsStuck = true;
  }

  boolean arePodsStuck() {
    return podsStuck;
  }

  /** Somebody else's job runs on the cluster until that is healed. */
  public synchronized void otherJob() {
    otherJob = host == null;
    kubernetes.session.submit(kubernetes.answering());
  }

  /** A FlinkSessionJob has a session cluster run a job. */
  public synchronized void sessionJob() {
    kubernetes.session.submitManaged(kubernetes.answering());
  }

  /** Somebody takes a savepoint of each job on the session cluster. */
  public synchronized void savepointsOfSessionJobs() {
    kubernetes.session.takeSavepoints();
  }

  boolean isClusterToGo() {
    return host != null && host.askedForJobs();
  }

  boolean hasOtherJob() {
    return otherJob;
  }

  /**
   * What every call to the API server begins with.
   *
   * @param needed the resource must exist
   */
  void callApiServer(boolean needed) {
    if (apiServerAway > 0) {
      apiServerAway--;
      throw Failures.passing(Failures.AWAY, "the API server does not answer");
    }
    if (needed && !resource.exists()) {
      throw Failures.permanent(FailureType.RESOURCE_GONE, resource.ref().display() + " is gone");
    }
  }

  /** The Deployment of this instance of the resource; null when there is none. */
  @Nullable Deployment ownDeployment() {
    Deployment deployment = kubernetes.deployment();
    return deployment != null && deployment.ownerUid().equals(resource.ref().uid())
        ? deployment
        : null;
  }

  /** The JobManager, when it answers. */
  @Nullable JobManagerProcess flink() {
    return flinkAway > 0 || ownDeployment() == null ? null : kubernetes.answering();
  }

  /** A person asks for what was aborted once more. */
  public synchronized void askAgain() {
    invariants.abortedGeneration = 0;
  }

  /** Everything, as it is now. */
  public synchronized Observation observation() {
    Spec newest = resource.newest();
    Spec frozen = resource.frozen();
    ClusterRef cluster = new ClusterRef(resource.ref().namespace(), resource.ref().name());
    Observation seen =
        new Observation(
            resource.deleting(),
            resource.seen(),
            frozen == null
                ? null
                : frozen
                    .target()
                    .withRedeploys(
                        resource.phase() == Observation.Phase.UPGRADING
                            && resource.redeploys(frozen)),
            resource.stableGeneration(),
            resource.phase(),
            resource.begun() ? 1 : 0,
            resource.operation() != null && resource.operation().state().isOpen(),
            resource.givenUp(),
            resource.visibleRecorded(),
            kubernetes.observation(cluster, resource.ref().uid(), isAvailable()),
            job(),
            SessionModel.is(newest)
                ? kubernetes.session.seen(flink())
                : otherJob ? List.of("0123456789abcdef0123456789abcdef") : List.of(),
            new Observation.Deployed(FlinkVersion.V2_2, true, null),
            newest.savepointOnDeletion() && frozen != null ? 600_000 : 0,
            resource.recovery(),
            resource.begun() ? null : resource.recorded(),
            kubernetes.session.managed(),
            false,
            kubernetes.session.savepoints(flink()),
            resource.pendingStop());
    return host == null ? seen : host.observed(seen);
  }

  /** By the spec that the cluster was made from; without one by the last stable spec. */
  private boolean isAvailable() {
    Deployment own = ownDeployment();
    Spec stable = resource.stable() == null ? resource.frozen() : resource.stable();
    Spec spec = own == null ? stable : own.spec();
    return spec != null && spec.shape().highAvailability();
  }

  private JobObservation job() {
    Deployment own = ownDeployment();
    if (own == null && resource.end() != null) {
      return resource.end();
    }
    if (own == null) {
      boolean unstarted = resource.frozen() == null || !resource.everRan();
      return unstarted && kubernetes.configuration() == null
          ? new JobObservation.NeverStarted("nothing was ever deployed")
          : new JobObservation.Unreachable("there is no JobManager Deployment", lastKnownJob());
    }
    return KubernetesModel.job(own, flink(), resource.end(), healed);
  }

  private @Nullable String lastKnownJob() {
    return kubernetes.configuration() == null ? null : kubernetes.configuration().jobId();
  }

  /** Whether a later look may tell more. */
  boolean unsettled() {
    JobObservation job = job();
    boolean starting = job instanceof JobObservation.Unreachable && ownDeployment() != null;
    boolean saving = !kubernetes.session.savepoints(flink()).isEmpty();
    return starting || saving || (job instanceof JobObservation.Alive alive && !alive.isUp());
  }

  // ---- what people, Kubernetes and Flink do by themselves ----

  /** Somebody deletes the JobManager Deployment by hand. */
  public synchronized void deleteDeploymentByHand() {
    note("Deployment deleted by hand");
    if (host == null) {
      kubernetes.deleteDeployment();
    } else {
      host.replace();
    }
  }

  /** Nothing where the resource has a cluster of its own. */
  public synchronized void deleteSessionCluster() {
    if (host != null) {
      host.delete();
    }
  }

  /** Its upgrade is to begin. Nothing where the resource has a cluster of its own. */
  public synchronized void sessionClusterLeaves(SessionCluster.Leaving how) {
    if (host != null) {
      host.leave(how);
    }
  }

  /** The JobManager works on and answers nobody any more: its node is cut off. */
  public synchronized void silenceJobManager() {
    toJobManager("JobManager falls silent", JobManagerProcess::fallSilent, () -> flinkAway = 1_000);
  }

  private void toJobManager(String what, Consumer<JobManagerProcess> own, Runnable hosted) {
    JobManagerProcess process = kubernetes.answering();
    if (process != null) {
      note(what);
      if (host == null) {
        own.accept(process);
      } else {
        hosted.run();
      }
    }
  }

  /** Somebody deletes the high-availability metadata. */
  public synchronized void loseMetadata() {
    note("metadata deleted by hand");
    kubernetes.loseMetadata();
  }

  /** Somebody has deleted the metadata that the recorded job is to go on from. */
  boolean metadataIsLost() {
    return kubernetes.hasLostMetadataFor(resource.recorded());
  }

  /** Somebody deletes the files of the newest state of the job. */
  public synchronized void deleteNewestState() {
    Snapshot newest = invariants.last == null ? null : invariants.last.newestEver();
    if (newest != null) {
      note("deleted by hand: " + newest.path());
      storage.delete(newest);
    }
  }

  /** Flink tells of an older state of the job than the one that is deleted. */
  public synchronized void tellOlderState() {
    FlinkJob job = Objects.requireNonNull(invariants.last);
    note("an older state is told");
    job.tellInstead(storage.write(Snapshot.checkpoint(job.jobId, 1, 1, 1)));
  }

  /** The JobManager process dies; Kubernetes starts it again. */
  public synchronized void killJobManager() {
    toJobManager(
        "JobManager dies",
        JobManagerProcess::crash,
        () -> Objects.requireNonNull(host).cluster().restart());
  }

  /** A savepoint of some other job, for {@code initialSavepointPath}. */
  public synchronized String savepointOfAnother(long progress) {
    return storage.write(Snapshot.savepoint("another", 1, progress)).path();
  }

  /**
   * Whether a job has ended for good, and its status does not say so; or says so, while its cluster
   * is there that would run it again.
   */
  public synchronized boolean mustFinish() {
    return host == null
        && ownDeployment() != null
        && flink() != null
        && kubernetes.hasEndedForGood()
        && (resource.end() == null || !isAvailable());
  }

  /** A job that had not ended has lost its JobManager Deployment. */
  public synchronized boolean lostJobManager() {
    return !observation().cluster().present() && invariants.jobHadNotEnded();
  }

  /** Whether the job that is deployed is FAILED. */
  public synchronized boolean jobFailed() {
    JobManagerProcess process = ownDeployment() == null ? null : flink();
    FlinkJob job = process == null ? null : process.job();
    return job != null && job.state() == FlinkJobState.FAILED;
  }

  /** The job that is deployed restarts too often, as its metrics say; it runs all the same. */
  public synchronized void unhealthy() {
    invariants.unhealthyJob = Objects.requireNonNull(ownDeployment()).jobId();
  }

  /** Whether Flink tells that. */
  public synchronized boolean tellsUnhealthy() {
    return flink() != null && invariants.isUnhealthy();
  }

  /** The spec that is deployed; null when there is no Deployment. */
  public synchronized @Nullable Spec deployed() {
    Deployment own = ownDeployment();
    return own == null || !observation().cluster().present() ? null : own.spec();
  }
}
