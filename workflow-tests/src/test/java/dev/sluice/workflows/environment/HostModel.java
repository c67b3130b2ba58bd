package dev.sluice.workflows.environment;

import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.environment.SessionCluster.Leaving;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Newest;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.Step;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The session cluster of somebody else, as far as the job of one resource meets it. What the status
 * notes that Flink was asked to run is the {@link Deployment} of the model, and its process is the
 * life of the job: it begins when Flink takes the job.
 */
public final class HostModel {

  private static final Set<String> STOPS =
      Set.of(Step.STOP_WITH_SAVEPOINT.title(), Step.CANCEL_JOB.title());

  private final Environment environment;
  private final SessionCluster cluster;
  private int notedCluster;
  private int notedProcess;

  HostModel(Environment environment, SessionCluster cluster) {
    this.environment = environment;
    this.cluster = cluster;
    cluster.add(this);
  }

  Environment environment() {
    return environment;
  }

  SessionCluster cluster() {
    return cluster;
  }

  /** Its FlinkDeployment is upgraded: it comes back as another cluster. */
  public void replace() {
    synchronized (environment) {
      cluster.replace();
    }
  }

  /** Its FlinkDeployment is to be upgraded, unless it is missing or being upgraded. */
  public void leave(Leaving how) {
    synchronized (environment) {
      cluster.leave(how);
    }
  }

  /** Its FlinkDeployment is deleted, until that is healed. */
  public void delete() {
    synchronized (environment) {
      cluster.delete();
    }
  }

  /**
   * Whether its upgrade waits for the job, which runs on it, is about to come back, or was stopped
   * and what it left is not recorded.
   */
  public boolean waitsForJob() {
    Deployment noted = environment.ownDeployment();
    JobManagerProcess life = noted == null ? null : noted.process();
    FlinkJob job = life == null ? null : life.job();
    boolean runs = job == null ? life != null && life.isInMetadata() : job.live();
    return cluster.goes() && cluster.isUp() && (runs || (noted != null && isBeingStopped()));
  }

  private boolean isBeingStopped() {
    OperationReport operation = environment.resource().operation();
    return operation != null && operation.state().isOpen() && STOPS.contains(operation.step());
  }

  /** A job may be stopped for it, also by a run that has not seen yet that it is another one. */
  boolean askedForJobs() {
    return cluster.wentOnce();
  }

  /** A job may be sent to it. */
  boolean takesJobs() {
    return answers() && !cluster.goes();
  }

  boolean answers() {
    return cluster.isUp() && !environment.isFlinkAway();
  }

  /** Time passes until it is back, unless it does not come back by itself. */
  public void awaitBack() {
    while (cluster.isComingBack()) {
      environment.tick(1);
    }
  }

  /** Flink is about to be asked. */
  void notes(JobManagerProcess of) {
    of.hostedWhile(cluster::isUp);
    notedCluster = cluster.number();
    notedProcess = cluster.process();
  }

  /** What is observed of a job on it, from what would be of one on a cluster of its own. */
  Observation observed(Observation seen) {
    Deployment noted = environment.ownDeployment();
    JobObservation job = noted == null ? seen.job() : job(noted, seen);
    boolean there = noted != null && !(job instanceof Unreachable && isForgotten(noted, seen));
    JobManagerProcess life = noted == null ? null : noted.process();
    boolean never =
        job instanceof Absent
            && life != null
            && !life.everReady()
            && cluster.process() == notedProcess;
    Target frozen = seen.frozen();
    return new Observation(
        seen.deleting(),
        new Newest(
            hosted(seen.newest().target()),
            seen.newest().problem(),
            seen.newest().sameAsFrozen(),
            seen.newest().sameAsStable(),
            seen.newest().restoreFrom()),
        frozen == null ? null : hosted(frozen),
        seen.stableGeneration(),
        seen.phase(),
        seen.begunAtMs(),
        seen.operationOpen(),
        seen.givenUp(),
        seen.recorded(),
        new ClusterObservation(
            new ClusterRef(seen.cluster().ref().namespace(), "session"),
            there,
            there ? seen.cluster().generation() : null,
            there ? seen.cluster().jobId() : null,
            seen.cluster().preparedJobId(),
            never ? JobManager.NEVER_READY : JobManager.MAY_HAVE_RUN,
            seen.cluster().highAvailability(),
            0,
            null,
            false),
        job,
        List.of(),
        seen.deployed(),
        seen.deletionSavepointMs(),
        seen.recovery(),
        seen.startedFrom(),
        List.of(),
        cluster.goes() && !(job instanceof JobObservation.Ended),
        List.of(),
        seen.pendingStop());
  }

  private JobObservation job(Deployment noted, Observation seen) {
    JobManagerProcess life = noted.process();
    if (!answers()) {
      return new Unreachable("the session cluster does not answer", noted.jobId());
    }
    FlinkJob job = life == null ? null : life.job();
    if (job != null) {
      return job.observation(environment.healed());
    }
    boolean comesBack = life != null && life.isInMetadata();
    return comesBack || isForgotten(noted, seen)
        ? new Unreachable("the session cluster does not know the job", noted.jobId())
        : new Absent(noted.jobId());
  }

  /** It answers, does not know the job, and no operation is about to start that on it. */
  private boolean isForgotten(Deployment noted, Observation seen) {
    JobManagerProcess life = noted.process();
    RestorePoint recorded = seen.recorded();
    boolean knows = life != null && (life.job() != null || life.isInMetadata());
    boolean starting =
        recorded != null && recorded.starts(noted.jobId()) && notedCluster == cluster.number();
    return answers() && !knows && !starting;
  }

  /** The cluster stays, so no job is left to its metadata. */
  private static Target hosted(Target target) {
    StateOptions options = target.options();
    return new Target(
        target.generation(),
        target.upgradeMode(),
        target.initialSavepointPath(),
        target.flinkVersion(),
        new StateOptions(
            false, options.fallsBack(), true, options.maxCheckpointAgeMs(), false, null),
        target.suspended(),
        target.redeploys(),
        false);
  }

  /** The job is there, noted or not; null when none is. */
  static @Nullable FlinkJob job(@Nullable Deployment noted) {
    JobManagerProcess life = noted == null ? null : noted.process();
    return life == null ? null : life.job();
  }
}
