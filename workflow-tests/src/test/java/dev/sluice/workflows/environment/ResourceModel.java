package dev.sluice.workflows.environment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The custom resource: what people write, and the status that workflows write. */
public final class ResourceModel {

  /** The model's clock stands still where none is asked for: a count never begins anew by time. */
  private static final String UP_SINCE = "2100-01-01T00:00:00Z";

  private final ResourceRef ref;
  private final List<Spec> specs = new ArrayList<>();
  private boolean exists = true;
  private boolean deleting;
  private @Nullable String restoreFrom;
  private @Nullable Spec frozen;
  private @Nullable Spec stable;
  private Phase phase = Phase.IDLE;
  private @Nullable RestorePoint recorded;
  private @Nullable RestorePoint runningFrom;
  private @Nullable Ended end;
  private @Nullable PendingStop pendingStop;
  private @Nullable OperationReport operation;
  private @Nullable String frozenBy;
  private @Nullable String recordedNonce;
  private @Nullable RecoveryStatus recovery;
  private long givenUp;
  private boolean everRan;
  private final Map<Long, Revision> revisions = new TreeMap<>();
  private final RollbackAnnotations rollback = new RollbackAnnotations();
  private boolean rolledBackToNewestState;

  /** A ControllerRevision: a spec that was stable, and what its job left. */
  record Revision(Spec spec, @Nullable StateRef left) {}

  ResourceModel(ResourceRef ref) {
    this.ref = ref;
  }

  /** Which one it is. */
  public ResourceRef ref() {
    return ref;
  }

  /** Applies a spec as the next generation. A session cluster stays one, or it is refused. */
  public Spec apply(Spec spec) {
    boolean session = !specs.isEmpty() && SessionModel.is(newest());
    Spec next = (session ? spec.asSession() : spec).as(specs.size() + 1L);
    specs.add(next);
    return next;
  }

  /** The spec asks for a start from its initial savepoint, and no job was started so. */
  boolean redeploys(Spec spec) {
    String asked = spec.redeployNonce();
    RestorePoint point = visibleRecorded();
    if (asked == null || (point == null && (stable == null || isUnstarted()))) {
      return false;
    }
    return !asked.equals(point == null ? stable.redeployNonce() : recordedNonce);
  }

  /** The newest spec. */
  public Spec newest() {
    return specs.get(specs.size() - 1);
  }

  /** The same as it is observed. */
  Observation.Newest seen() {
    Spec newest = newest();
    return new Observation.Newest(
        newest.target().withRedeploys(redeploys(newest)),
        newest.problem(),
        frozen != null && frozen.content().equals(newest.content()),
        stable != null && stable.content().equals(newest.content()),
        restoreFrom);
  }

  /** False once its finalizer is released, or it was removed by force. */
  public boolean exists() {
    return exists;
  }

  /** It is gone from the API server. */
  public void remove() {
    exists = false;
  }

  /** It has a deletion timestamp. */
  public boolean deleting() {
    return deleting;
  }

  /** The annotation {@code sluice.dev/rollback} and those beside it. */
  public RollbackAnnotations rollback() {
    return rollback;
  }

  /** An earlier spec was gone back to with the newest state. */
  boolean rollsBackToNewestState() {
    return rolledBackToNewestState;
  }

  void rollsBack(boolean toNewestState) {
    rolledBackToNewestState = toNewestState;
  }

  /** Keeps what was stable until now. */
  void keep(Spec spec, @Nullable StateRef left) {
    revisions.put(spec.generation(), new Revision(spec, left));
  }

  /** The one of that generation; null when it is not kept. */
  @Nullable Revision revision(long generation) {
    return revisions.get(generation);
  }

  /** The newest that is kept from before that generation; null when none is. */
  @Nullable Revision before(long generation) {
    return revisions.values().stream()
        .filter(it -> it.spec().generation() < generation)
        .reduce((older, newer) -> newer)
        .orElse(null);
  }

  /** As with kubectl. */
  public void delete() {
    deleting = true;
  }

  /** The annotation {@code sluice.dev/restore-from}; null when absent. */
  public @Nullable String restoreFrom() {
    return restoreFrom;
  }

  /** Sets or removes the annotation {@code sluice.dev/restore-from}. */
  public void restoreFrom(@Nullable String value) {
    restoreFrom = value;
  }

  /** {@code lastReconciledSpec}. */
  public @Nullable Spec frozen() {
    return frozen;
  }

  /** {@code lastStableSpec}. */
  public @Nullable Spec stable() {
    return stable;
  }

  /** Generation of the last stable spec, unless no job ever ran; null when there is none. */
  public @Nullable Long stableGeneration() {
    return stable == null || isUnstarted() ? null : stable.generation();
  }

  /** A state was recorded for a job to start from. */
  boolean everRan() {
    return everRan;
  }

  /** Suspended from the first. */
  public boolean isUnstarted() {
    return stable != null && stable.suspended() && !everRan;
  }

  /** What an operation in progress recorded, or a suspended job left. */
  public @Nullable RestorePoint visibleRecorded() {
    return begun() || (frozen != null && frozen.suspended()) ? recorded : null;
  }

  /** {@code reconciliationStatus.state}. */
  public Phase phase() {
    return phase;
  }

  /** An operation was begun and not finished. */
  public boolean begun() {
    return phase != Phase.IDLE;
  }

  /** {@code recordedState}. */
  public @Nullable RestorePoint recorded() {
    return recorded;
  }

  /** {@code pendingStop}, while an operation is begun. */
  public @Nullable PendingStop pendingStop() {
    return begun() ? pendingStop : null;
  }

  /** What the job was started from that runs when an operation begins. */
  @Nullable RestorePoint runningFrom() {
    return runningFrom;
  }

  void pendingStop(@Nullable PendingStop stop) {
    pendingStop = stop;
  }

  /** {@code status.operation}; null when there never was one. */
  public @Nullable OperationReport operation() {
    return operation;
  }

  /** {@code status.recovery}; null when there is none. */
  public @Nullable RecoveryStatus recovery() {
    return recovery;
  }

  void recovery(@Nullable RecoveryStatus counted) {
    recovery = counted;
  }

  /**
   * Whether an operation was aborted for the newest spec, or rolled back from it. What differs from
   * an aborted first deployment in ignored fields only is given up with it, unless they say what
   * the job starts from.
   */
  public boolean isNewestGivenUp() {
    OperationReport last = operation;
    boolean firstAborted =
        last != null
            && last.state() == OperationState.ABORTED
            && last.run().operation().equals("Deploy")
            && stable == null
            && frozen != null
            && frozen.isGivenUpWith(newest());
    return givenUp >= newest().generation() || firstAborted;
  }

  /**
   * The generation that the last operation has given up, or a rollback gives up; null when it has
   * not, or goes on.
   */
  @Nullable Long givenUp() {
    OperationReport last = operation;
    if (last != null && last.run().operation().equals("Rollback")) {
      return givenUp;
    }
    boolean goesBack =
        last != null
            && (last.run().operation().equals("Rollback")
                || last.run().operation().equals("Recover"));
    return last != null
            && !last.state().isOpen()
            && (goesBack || last.state() == OperationState.ABORTED)
        ? Long.valueOf(givenUp)
        : null;
  }

  void giveUp(long generation) {
    givenUp = Math.max(givenUp, generation);
  }

  /** The newest generation that says what is frozen is given up. */
  void giveUpFrozen() {
    Spec given = frozen;
    if (given != null) {
      giveUp((given.content().equals(newest().content()) ? newest() : given).generation());
    }
  }

  void freeze(Spec spec, Phase as) {
    if (phase == Phase.IDLE && as != Phase.IDLE) {
      runningFrom = recorded;
    }
    frozen = spec;
    phase = as;
  }

  /** {@code endedJob}; null unless it is of the job that was started last. */
  @Nullable Ended end() {
    return end == null || recorded == null || recorded.startedJob().equals(end.jobId())
        ? end
        : null;
  }

  void end(Ended job) {
    end = job;
  }

  void record(@Nullable RestorePoint point) {
    recorded = point;
    end = point != null && end() != null && !point.startedJob().equals(end.jobId()) ? null : end;
    pendingStop = null;
    recordedNonce = frozen == null || frozen.suspended() ? recordedNonce : frozen.redeployNonce();
    everRan |= point != null;
  }

  void stabilize() {
    stable = frozen;
    phase = Phase.IDLE;
    pendingStop = null;
    recorded = recorded == null ? null : recorded.settled();
  }

  /** The job is up: only a recovery keeps the count of recoveries. */
  void up(OperationReport report) {
    boolean recovers = report.run().operation().equals("Recover");
    if (!recovers) {
      recovery = null;
    } else if (recovery != null && recovery.since() == null) {
      recovery = recovery.upSince(UP_SINCE);
    }
  }

  /** Another operation has begun to write its target. */
  void frozenBy(RunRef run) {
    frozenBy = run.operation();
  }

  /** The operation that has written the target last. */
  @Nullable String frozenBy() {
    return frozenBy;
  }

  void report(OperationReport report) {
    operation = report;
    String up = report.upJob();
    if (up != null && recorded != null && begun()) {
      recorded = recorded.up(up);
    }
    if (report.state() == OperationState.ABORTED) {
      giveUp(report.targetGeneration());
    }
  }
}
