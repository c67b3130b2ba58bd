package dev.sluice.workflows.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.common.WithMethods;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was observed of a resource, its cluster and its job at one moment: everything that {@code
 * UpgradePlanner} decides from.
 *
 * @param deleting the resource has a deletion timestamp
 * @param newest the newest spec
 * @param frozen the spec in {@code lastReconciledSpec}; null before the first deployment, or when
 *     it cannot be read
 * @param stableGeneration generation of {@code lastStableSpec}; null when no job was ever stable
 * @param phase whether an operation was begun and not finished
 * @param begunAtMs when the frozen spec was frozen, ms since the epoch; 0 when not known
 * @param operationOpen {@code status.operation.state} says that an operation is in progress,
 *     blocked or parked
 * @param givenUp generation that the last operation has given up; null when it has reached its
 *     target, or goes on
 * @param recorded the state that the operation in {@code phase} recorded, or that a suspended job
 *     left; null when none is recorded
 * @param cluster the cluster on Kubernetes
 * @param job the job that the cluster was made for. A session cluster has none: {@code Absent}
 *     while its JobManager answers
 * @param otherJobs ids of live jobs on the cluster that are not the resource's: all of a session
 *     cluster. Where its JobManager does not answer, those that its high-availability metadata has
 * @param deployed the spec that the cluster was made from; null when that is not known
 * @param deletionSavepointMs how long Flink lets the savepoint take that a deletion begins with, in
 *     ms; 0 when the spec asks for none, or nothing was ever deployed
 * @param recovery how often the job was brought back; null when it never was since the last upgrade
 * @param startedFrom what the deployed job was started from, which it has left behind unless the
 *     contrary is proved; null when that is not known, or while an operation is begun
 * @param sessionJobs of a session cluster: ids of jobs that FlinkSessionJobs have it run
 * @param clusterGoes of a job on a session cluster: the cluster that runs it is about to be
 *     replaced, and waits until the job is suspended
 * @param savepoints of a session cluster: ids of jobs of which a savepoint is in progress
 * @param pendingStop a stop of the job that Flink was, or is about to be, asked for and whose
 *     outcome is not recorded; null when there is none
 */
@WithMethods
public record Observation(
    boolean deleting,
    Newest newest,
    @Nullable Target frozen,
    @Nullable Long stableGeneration,
    Phase phase,
    long begunAtMs,
    boolean operationOpen,
    @Nullable Long givenUp,
    @Nullable RestorePoint recorded,
    ClusterObservation cluster,
    JobObservation job,
    List<String> otherJobs,
    @Nullable Deployed deployed,
    long deletionSavepointMs,
    @Nullable RecoveryStatus recovery,
    @Nullable RestorePoint startedFrom,
    List<String> sessionJobs,
    boolean clusterGoes,
    List<String> savepoints,
    @Nullable PendingStop pendingStop)
    implements ObservationBuilder.With {

  /** Copies the lists. */
  public Observation {
    otherJobs = List.copyOf(otherJobs);
    savepoints = List.copyOf(Objects.requireNonNullElse(savepoints, List.of()));
    sessionJobs = List.copyOf(Objects.requireNonNullElse(sessionJobs, List.of()));
  }

  /** Those of {@link #otherJobs} that no FlinkSessionJob runs. */
  @JsonIgnore
  public List<String> unmanagedJobs() {
    return otherJobs.stream().filter(it -> !sessionJobs.contains(it)).toList();
  }

  /** The newest spec was given up, and differs from what is deployed. */
  @JsonIgnore
  public boolean isNewestGivenUp() {
    return Objects.equals(givenUp, newest.target().generation())
        && !(phase == Phase.IDLE && newest.sameAsFrozen());
  }

  /** An operation was begun and not finished. */
  @JsonIgnore
  public boolean begun() {
    return phase != Phase.IDLE;
  }

  /** The frozen spec is that target, or differs from it in ignored fields at most. */
  public boolean isFrozen(Target target) {
    return frozen != null && (newest.sameAsFrozen() || target.generation() == frozen.generation());
  }

  /** The cluster of the last stable spec is there. */
  @JsonIgnore
  public boolean isStableCluster() {
    return cluster.present() && Objects.equals(cluster.generation(), stableGeneration);
  }

  /** What is recorded, if that job was started from it and has not progressed; else null. */
  public @Nullable RestorePoint startOf(JobObservation.Ended ended) {
    return recorded != null && recorded.starts(ended.jobId()) && !ended.progressed()
        ? recorded
        : null;
  }

  /** It is a session cluster that is deployed, or was asked for. */
  @JsonIgnore
  public boolean isSession() {
    return (frozen == null ? newest.target() : frozen).session();
  }

  /** A recovery of a job that is not healthy was begun: that it runs is no reason to leave it. */
  @JsonIgnore
  public boolean replacesUnhealthy() {
    return phase == Phase.UPGRADING
        && recovery != null
        && recovery.since() == null
        && recovery.cause() == RecoveryCause.UNHEALTHY;
  }

  /** The job that was started last, or is about to be, as far as is known; null when none was. */
  @JsonIgnore
  public @Nullable String newestJobId() {
    if (recorded != null) {
      return recorded.startedJob();
    }
    return cluster.jobId() == null ? cluster.preparedJobId() : cluster.jobId();
  }

  /** How far the operations have come. */
  @JsonIgnore
  public Standing standing() {
    return new Standing(
        phase,
        frozen == null ? null : frozen.generation(),
        recorded == null ? null : recorded.startedJob(),
        pendingStop);
  }

  /** The operation that takes the resource to its newest spec. */
  @JsonIgnore
  public OperationType operation() {
    if (newest.target().suspended()) {
      return OperationType.SUSPEND;
    }
    if (frozen == null || (phase != Phase.IDLE && stableGeneration == null)) {
      return OperationType.DEPLOY;
    }
    boolean suspended = frozen.suspended() && phase == Phase.IDLE;
    return suspended ? OperationType.RESUME : OperationType.UPGRADE;
  }

  /** Whether an operation is under way according to {@code reconciliationStatus.state}. */
  public enum Phase {
    /** No operation was begun, or the last one was finished. */
    IDLE,
    /** {@code UPGRADING}. */
    UPGRADING,
    /** {@code ROLLING_BACK}. */
    ROLLING_BACK
  }

  /**
   * The newest spec of the resource.
   *
   * @param target its generation and how it is restored
   * @param problem why it is not valid, with the field's path; null when it is valid
   * @param sameAsFrozen it differs from the frozen spec in ignored fields at most
   * @param sameAsStable it differs from the last stable spec in ignored fields at most
   * @param restoreFrom the value of the annotation {@code sluice.dev/restore-from}; null when
   *     absent
   */
  public record Newest(
      Target target,
      @Nullable String problem,
      boolean sameAsFrozen,
      boolean sameAsStable,
      @Nullable String restoreFrom) {}

  /**
   * One spec, as far as the planner needs it.
   *
   * @param generation {@code metadata.generation} of the spec
   * @param upgradeMode its upgrade mode
   * @param initialSavepointPath {@code spec.job.initialSavepointPath}; null when not set
   * @param flinkVersion {@code spec.flinkVersion}; null when not set
   * @param options what its configuration says about state
   * @param suspended {@code spec.job.state} is suspended: no job is to run
   * @param redeploys its {@code savepointRedeployNonce} asks for a start from its {@code
   *     initialSavepointPath}, and no job was started so yet
   * @param session it is a session cluster: it has no job of its own
   */
  @WithMethods
  public record Target(
      long generation,
      UpgradeMode upgradeMode,
      @Nullable String initialSavepointPath,
      @Nullable FlinkVersion flinkVersion,
      StateOptions options,
      boolean suspended,
      boolean redeploys,
      boolean session)
      implements ObservationTargetBuilder.With {

    /** A run that was begun by an older worker has no options. */
    public Target {
      options = Objects.requireNonNullElse(options, StateOptions.DEFAULT);
    }

    /** The spec of a session cluster. */
    public static Target session(
        long generation, @Nullable FlinkVersion flinkVersion, StateOptions options) {
      return new Target(
          generation, UpgradeMode.STATELESS, null, flinkVersion, options, false, false, true);
    }

    /** The same, which goes on from its last state, whatever the age of that. */
    public Target fromLastState() {
      UpgradeMode mode =
          upgradeMode == UpgradeMode.STATELESS ? upgradeMode : UpgradeMode.LAST_STATE;
      return withOptions(options.withMaxCheckpointAgeMs(null))
          .withUpgradeMode(mode)
          .withRedeploys(false);
    }
  }

  /**
   * What the configuration of a spec says about the state of its job.
   *
   * @param highAvailability Flink keeps metadata of the job in Kubernetes
   * @param fallsBack an upgrade with a savepoint takes the job's last state where no savepoint is
   *     possible
   * @param cancels last-state cancels the job and keeps its checkpoint; false: the job goes on from
   *     its high-availability metadata, where that has one
   * @param maxCheckpointAgeMs last-state takes a savepoint instead of an older checkpoint; null for
   *     any age
   * @param ignoresSavepoints the job is stopped although a savepoint of it is in progress
   * @param highAvailabilityStore kind and directory of high availability: files of jobs that are in
   *     its metadata are there and nowhere else; null when it is off
   */
  @WithMethods
  public record StateOptions(
      boolean highAvailability,
      boolean fallsBack,
      boolean cancels,
      @Nullable Long maxCheckpointAgeMs,
      boolean ignoresSavepoints,
      @Nullable String highAvailabilityStore)
      implements ObservationStateOptionsBuilder.With {
    /** Where nothing is said. */
    public static final StateOptions DEFAULT =
        new StateOptions(false, true, true, null, false, null);
  }

  /**
   * What the job that is there was deployed with.
   *
   * @param flinkVersion {@code spec.flinkVersion}; null when not set
   * @param savepointDirectory whether a directory for savepoints is configured, without which none
   *     can be taken
   * @param highAvailabilityStore as in {@link StateOptions}
   */
  public record Deployed(
      @Nullable FlinkVersion flinkVersion,
      boolean savepointDirectory,
      @Nullable String highAvailabilityStore) {}
}
