package dev.sluice.activities.resource;

import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.WithMethods;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a status that belongs to the workflow. It is always written as a whole, because
 * server-side apply takes away what a manager leaves out.
 *
 * @param reconciliation which spec is frozen and which was stable
 * @param operation the operation in flight, or the last one; null before the first
 * @param recorded the state that an operation recorded; null when none did
 * @param upgradeSavepointPath {@code jobStatus.upgradeSavepointPath}, the path of {@code recorded}
 *     for Apache's operator; null when there is none
 * @param ended how the job ended that was started last; null while it may run
 * @param pendingStop a stop of the job whose outcome is not recorded yet; null when there is none
 * @param recovery how often the job was brought back; null when it never was
 */
@WithMethods
public record OwnedStatus(
    ReconciliationStatus reconciliation,
    @Nullable OperationStatus operation,
    @Nullable RecordedState recorded,
    @Nullable String upgradeSavepointPath,
    @Nullable EndedJob ended,
    @Nullable PendingStop pendingStop,
    @Nullable RecoveryStatus recovery)
    implements OwnedStatusBuilder.With {

  /** Nothing was ever written. */
  public static final OwnedStatus EMPTY =
      new OwnedStatus(ReconciliationStatus.EMPTY, null, null, null, null, null, null);

  /** The part of a status as it was read. */
  public static OwnedStatus of(JobResourceStatus status) {
    JobStatus job = status.jobStatus();
    return new OwnedStatus(
        Objects.requireNonNullElse(status.reconciliationStatus(), ReconciliationStatus.EMPTY),
        status.operation(),
        status.recordedState(),
        job == null ? null : job.upgradeSavepointPath(),
        status.endedJob(),
        status.pendingStop(),
        status.recovery());
  }

  /** A blank path is none. */
  public OwnedStatus {
    upgradeSavepointPath =
        upgradeSavepointPath == null || upgradeSavepointPath.isBlank()
            ? null
            : upgradeSavepointPath;
  }

  /** What an operation recorded; null where only what the running job was started from is kept. */
  public @Nullable RecordedState recordedByOperation() {
    return recorded == null || recorded.belongsToRunningJob() ? null : recorded;
  }

  /** The job that is started from the recorded state; null when none is known. */
  public @Nullable String startedJob() {
    RecordedState current = recordedByOperation();
    return current == null ? null : current.startedJob();
  }

  /** The recorded state; null when there is none, or it does not say enough to be used. */
  public @Nullable RestorePoint restorePoint() {
    RecordedState current = recordedByOperation();
    StateRef state = current == null ? null : state(current);
    String started = startedJob();
    return state == null || started == null || current == null
        ? null
        : new RestorePoint(
            state,
            current.takenFrom(),
            started,
            current.replacedJob(),
            leftByStable(current),
            current.upJob(),
            Boolean.TRUE.equals(current.initial()));
  }

  /** What an earlier job has left, where that is recorded. */
  public static @Nullable StateRef leftByStable(RecordedState recorded) {
    RecordedState.Left left = recorded.leftByStable();
    return left == null ? null : state(left);
  }

  /** A state alone, of no job that would be started from it. */
  public static RecordedState recorded(StateRef state) {
    RecordedState.Left left = left(state);
    return new RecordedState(left.type(), left.path(), left.reason(), null, null);
  }

  /** The state that is recorded there; null when it does not say enough to be used. */
  public static @Nullable StateRef state(RecordedState recorded) {
    RecordedState.Type type = recorded.type();
    if (type == null) {
      return null;
    }
    String path = recorded.path();
    return switch (type) {
      case SAVEPOINT -> path == null ? null : new StateRef.Savepoint(path);
      case CHECKPOINT -> path == null ? null : new StateRef.Checkpoint(path);
      // the same job goes on
      case HA_METADATA ->
          recorded.startedJob() == null ? null : new StateRef.HaMetadata(recorded.startedJob());
      case EMPTY ->
          new StateRef.Empty(
              Objects.requireNonNullElse(recorded.reason(), "no reason was recorded"));
    };
  }

  /** A copy in which that is recorded: the outcome of a pending stop is known with it. */
  public OwnedStatus withRecorded(RestorePoint point) {
    RecordedState.Left state = left(point.state());
    StateRef stable = point.stableState();
    RecordedState before = recordedByOperation();
    RecordedState record =
        new RecordedState(
            state.type(),
            state.path(),
            state.reason(),
            point.takenFrom(),
            point.startedJob(),
            point.replacedJob(),
            stable == null ? null : left(stable),
            before == null ? null : before.redeployNonce(),
            point.upJob(),
            point.initial() ? true : null,
            null,
            null);
    return withRecorded(record)
        .withUpgradeSavepointPath(state.path())
        .withEnded(tellsEndOf(point.startedJob()) ? ended : null)
        .withPendingStop(null);
  }

  /** Whether it is recorded that that job has ended. */
  public boolean tellsEndOf(@Nullable String jobId) {
    return ended != null && ended.jobId() != null && ended.jobId().equals(jobId);
  }

  /** A copy in which the end of the job is recorded. */
  public OwnedStatus withEnd(Ended job, Instant at) {
    boolean known = job.newest().isKnown();
    return withEnded(
        new EndedJob(
            job.jobId(),
            job.state(),
            known ? left(job.newest()) : null,
            job.progressed(),
            at.toString()));
  }

  /** How the job ended that was started last; empty where that is not recorded. */
  public Optional<Ended> end() {
    FlinkJobState as = ended == null ? null : ended.state();
    String jobId = ended == null ? null : ended.jobId();
    boolean isOfEarlierJob = startedJob() != null && !tellsEndOf(startedJob());
    if (ended == null || as == null || jobId == null || isOfEarlierJob) {
      return Optional.empty();
    }
    StateRef left = ended.left() == null ? null : state(ended.left());
    return Optional.of(
        new Ended(
            jobId,
            as,
            left == null
                ? new StateRef.Unknown("Flink did not tell it when job " + jobId + " had ended")
                : left,
            !Boolean.FALSE.equals(ended.progressed())));
  }

  private static @Nullable StateRef state(RecordedState.Left left) {
    return state(new RecordedState(left.type(), left.path(), left.reason(), null, null));
  }

  /** The state that a job has left, to be recorded. */
  public static RecordedState.Left left(StateRef state) {
    RecordedState.Type type =
        state instanceof StateRef.Savepoint
            ? RecordedState.Type.SAVEPOINT
            : state instanceof StateRef.Checkpoint
                ? RecordedState.Type.CHECKPOINT
                : state instanceof StateRef.HaMetadata
                    ? RecordedState.Type.HA_METADATA
                    : RecordedState.Type.EMPTY;
    String reason = state instanceof StateRef.Empty empty ? empty.reason() : null;
    return new RecordedState.Left(type, state.pathOrNull(), reason);
  }

  /** The run that wrote last; null before the first. */
  public @Nullable String runId() {
    return operation == null ? null : operation.runId();
  }

  /** A copy whose recorded state is for a job of a spec with that nonce. */
  public OwnedStatus withRedeployNonce(@Nullable Long nonce) {
    RecordedState current = recordedByOperation();
    return current == null ? this : withRecorded(current.withRedeployNonce(nonce));
  }

  /**
   * A copy for an operation that has recorded nothing yet: what the job that may still run was
   * started from is only kept.
   */
  public OwnedStatus keptForRunningJob() {
    RecordedState from = recorded == null ? recordedByApache() : recorded;
    return from == null
        ? withoutRecorded()
        : withRecorded(from.withOfRunningJob(true)).withUpgradeSavepointPath(null);
  }

  /** It records a path and nothing else. */
  private @Nullable RecordedState recordedByApache() {
    return upgradeSavepointPath == null
            || upgradeSavepointPath.equals(StatusFacts.APACHE_HA_METADATA)
        ? null
        : new RecordedState(RecordedState.Type.SAVEPOINT, upgradeSavepointPath, null, null, null);
  }

  /** A copy in which the running job goes on that {@link #keptForRunningJob} was for. */
  public OwnedStatus withRunningJob() {
    RecordedState kept =
        recorded == null || !recorded.belongsToRunningJob()
            ? null
            : recorded.withOfRunningJob(false);
    return kept == null
        ? withoutRecorded()
        : withRecorded(kept).withUpgradeSavepointPath(kept.path());
  }

  public OwnedStatus withoutRecorded() {
    return withRecorded((RecordedState) null).withUpgradeSavepointPath(null);
  }
}
