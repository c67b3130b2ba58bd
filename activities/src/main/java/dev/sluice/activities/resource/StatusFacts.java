package dev.sluice.activities.resource;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a status tells of the operations of a resource, ours or those of Apache's operator. Pure.
 *
 * @param status the part of the workflow
 * @param job what was last seen of the job; null when none ever was
 * @param frozen the spec that is deployed, or being deployed; null when there is none, or it cannot
 *     be read
 * @param stable the last one that was stable; null as for {@code frozen}
 */
public record StatusFacts(
    OwnedStatus status,
    @Nullable JobStatus job,
    @Nullable DeployedSpec frozen,
    @Nullable DeployedSpec stable) {

  /**
   * What Apache's operator, which records a path and nothing else, writes when only
   * high-availability metadata is left.
   */
  public static final String APACHE_HA_METADATA = "KUBERNETES_OPERATOR_LAST_STATE";

  /** Stands for the job that a resume will start. */
  private static final String NO_JOB = "0".repeat(32);

  /**
   * The newest spec, next to the deployed ones.
   *
   * @param spec the spec
   * @param problem why it is not valid; null when it is valid
   * @param sameAsFrozen it differs from the frozen one in ignored fields at most
   * @param sameAsStable the same of the last stable one
   */
  public record Newest(
      TargetSpec spec, @Nullable String problem, boolean sameAsFrozen, boolean sameAsStable) {}

  /** How far the operation has come. */
  public Observation.Phase phase() {
    ReconciliationState state = status.reconciliation().state();
    if (state == ReconciliationState.ROLLING_BACK) {
      return Observation.Phase.ROLLING_BACK;
    }
    return state == ReconciliationState.UPGRADING
        ? Observation.Phase.UPGRADING
        : Observation.Phase.IDLE;
  }

  /** The state that is recorded for the job to start; null when none is. */
  public @Nullable RestorePoint recorded() {
    if (phase() == Observation.Phase.IDLE && !isSuspended(frozen)) {
      return null;
    }
    String path = leftByApache();
    return status.recordedByOperation() == null && path != null && !path.equals(APACHE_HA_METADATA)
        ? new RestorePoint(new StateRef.Savepoint(path), lastJobId(), NO_JOB)
        : status.restorePoint();
  }

  /**
   * The path that Apache's operator recorded when it suspended the job. Up to release 1.9 it is the
   * last savepoint of all, which counts only where the mode that was really used says so: next to
   * metadata there may be an older one.
   */
  private @Nullable String leftByApache() {
    DeployedSpec suspended = isSuspended(frozen) ? frozen : stable;
    if (suspended == null || !suspended.isSuspended()) {
      return null;
    }
    if (status.upgradeSavepointPath() != null) {
      return status.upgradeSavepointPath();
    }
    return suspended.isByApache() && suspended.target().upgradeMode() == UpgradeMode.SAVEPOINT
        ? lastSavepoint()
        : null;
  }

  private @Nullable String lastSavepoint() {
    SavepointInfo info = job == null ? null : job.savepointInfo();
    Savepoint last = info == null ? null : info.lastSavepoint();
    String path = last == null ? null : last.location();
    return path == null || path.isBlank() ? null : path;
  }

  /**
   * Whether that nonce asks for a redeployment. A job that is started from a recorded state has the
   * nonce that is recorded with it.
   */
  public boolean redeploys(@Nullable Long asked) {
    boolean counts = phase() != Observation.Phase.IDLE || isSuspended(frozen);
    RecordedState recorded = counts ? status.recordedByOperation() : null;
    if (recorded != null) {
      return asked != null && !asked.equals(recorded.redeployNonce());
    }
    return asked != null && stable != null && ranBefore() && !asked.equals(stable.redeployNonce());
  }

  /** A spec that was stable ran a job, unless it was suspended from the first. */
  public boolean ranBefore() {
    return stable != null && (!stable.isUnstarted() || hasTraces());
  }

  /** The newest spec is the first that is deployed. */
  public boolean isFirst() {
    return frozen == null || (frozen.isFirst() && !ranBefore());
  }

  /**
   * Whether the newest spec says what the next job starts from.
   *
   * @param metadata of the resource
   * @param job of its newest spec; null when it has none
   */
  public boolean startsFromSpec(ObjectMeta metadata, @Nullable JobSpec job) {
    return job != null
        && !job.isSuspended()
        && metadata.getDeletionTimestamp() == null
        && (!ranBefore() || redeploys(job.savepointRedeployNonce()));
  }

  private boolean hasTraces() {
    return lastJobId() != null
        || status.recorded() != null
        || status.upgradeSavepointPath() != null
        || lastSavepoint() != null;
  }

  /** The job that was seen last; null when none ever was. */
  public @Nullable String lastJobId() {
    return job == null ? null : job.jobId();
  }

  /** Generation of the last spec that ran a job and was stable; null when none was. */
  public @Nullable Long stableGeneration() {
    return stable == null || !ranBefore() ? null : stable.target().generation();
  }

  /**
   * What proves that no job was ever started; null when nothing does. A spec in the status that
   * cannot be read proves nothing, nor does a job that was seen.
   */
  public @Nullable String unstarted() {
    if (hasTraces()) {
      return null;
    }
    ReconciliationStatus reconciliation = status.reconciliation();
    if (reconciliation.lastReconciledSpec() == null && reconciliation.lastStableSpec() == null) {
      return "nothing was ever deployed";
    }
    if (frozen == null || !frozen.isFirst()) {
      return null;
    }
    if (frozen.isUnstarted()) {
      return "the job was suspended from the first";
    }
    boolean never = reconciliation.lastStableSpec() == null || (stable != null && !ranBefore());
    return never ? "the first deployment has not created its cluster" : null;
  }

  /**
   * What a workflow decides from.
   *
   * @param metadata of the resource
   * @param deletionSavepointMs as in {@link Observation}
   * @param unstarted what proves that no job was ever started; null when nothing does
   */
  public ObservedResource observed(
      ObjectMeta metadata, Newest newest, long deletionSavepointMs, @Nullable String unstarted) {
    Observation.Phase phase = phase();
    return new ObservedResource(
        metadata.getDeletionTimestamp() != null,
        new Observation.Newest(
            newest.spec().target().withRedeploys(redeploys(newest.spec().redeployNonce())),
            newest.problem(),
            newest.sameAsFrozen(),
            newest.sameAsStable(),
            Annotations.of(metadata, Annotations.RESTORE_FROM)),
        frozen == null
            ? null
            : frozen
                .target()
                .withRedeploys(
                    phase == Observation.Phase.UPGRADING && redeploys(frozen.redeployNonce())),
        stableGeneration(),
        phase,
        Objects.requireNonNullElse(status.reconciliation().reconciliationTimestamp(), 0L),
        recorded(),
        phase == Observation.Phase.IDLE ? null : status.pendingStop(),
        deletionSavepointMs,
        lastJobId(),
        unstarted);
  }

  private static boolean isSuspended(@Nullable DeployedSpec spec) {
    return spec != null && spec.isSuspended();
  }
}
