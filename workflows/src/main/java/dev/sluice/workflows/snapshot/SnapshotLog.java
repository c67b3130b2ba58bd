package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposedRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.ObserveRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.RecordRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/** What the status of a snapshot says, and how this run changes that. */
final class SnapshotLog {

  private static final String COMPLETED = "Completed";
  private static final String FAILED = "Failed";
  private static final String ABANDONED = "Abandoned";

  private final OperationContext context;
  private final StepRunner steps;
  private final SnapshotReports reports;
  private SnapshotRecord known = SnapshotRecord.NONE;
  private String id = "";

  SnapshotLog(OperationContext context, StepRunner steps, SnapshotReports reports) {
    this.context = context;
    this.steps = steps;
    this.reports = reports;
  }

  /** What the status says now. */
  SnapshotRecord known() {
    return known;
  }

  /** For activities that need no more than the resource. */
  ObserveRequest request() {
    return new ObserveRequest(
        context.resource(), OperationType.DELETE.wire().equals(context.operation()));
  }

  /** Looks at the resource. */
  SnapshotSeen observe() {
    return observe(request());
  }

  /** Looks at what is taken, also in a run that disposes of something else. */
  SnapshotSeen observeTaken() {
    return observe(new ObserveRequest(context.resource(), false));
  }

  private SnapshotSeen observe(ObserveRequest request) {
    context.signals().looks();
    SnapshotSeen seen =
        steps.run(
            Step.OBSERVE,
            "Look at the snapshot",
            SnapshotActivities.class,
            a -> a.observe(request));
    known = seen.record();
    id = seen.id();
    reports.about(id);
    return seen;
  }

  /** The run is under way; nothing is triggered yet, or what is in flight is taken up. */
  void begins(String message) {
    SnapshotRecord next = known.isInFlight() ? known : known.pending();
    write(next, running(Step.AWAIT_JOB, message));
  }

  /** This is about to be sent to Flink. */
  void triggering(Trigger trigger, String message) {
    write(known.triggering(trigger), running(Step.TAKE_SNAPSHOT, message));
  }

  /** An attempt has failed, and another one follows. */
  void failedOnce(String why, boolean doubt, String message) {
    retried(known.failed(why, doubt), Reasons.SAVEPOINT_FAILED, message);
  }

  /** The job was stopped under an attempt, and another one follows. */
  void interrupted(String why, boolean doubt, String message) {
    retried(known.interrupted(why, doubt), Reasons.JOB_NOT_RUNNING, message);
  }

  private void retried(SnapshotRecord next, String reason, String message) {
    context
        .signals()
        .forgetRetry(); // one that comes from here on ends the pause that this tells of
    write(
        next,
        context.report(
            OperationState.RUNNING,
            Step.TAKE_SNAPSHOT,
            reason,
            message,
            EventReasons.SNAPSHOT_ERROR));
  }

  /** The last attempt that is allowed has failed. */
  OperationResult failedForGood(String message, boolean doubt) {
    return fail(known.failed(message, doubt), Step.TAKE_SNAPSHOT, message);
  }

  /** It cannot be taken, however often it is tried. */
  OperationResult failed(String message) {
    return fail(known, Step.RECORD_SNAPSHOT, message);
  }

  private OperationResult fail(SnapshotRecord failed, Step step, String message) {
    context.signals().forgetRetry(); // one that comes from here on is for another attempt
    write(
        failed.givenUp(SnapshotState.FAILED, message, now(), failed.inDoubt()),
        context.report(
            OperationState.FAILED,
            step,
            Reasons.SAVEPOINT_FAILED,
            message,
            EventReasons.SNAPSHOT_ERROR));
    return new OperationResult(FAILED, context.target(), message);
  }

  /** Its job is gone. */
  OperationResult abandoned(String why, boolean doubt) {
    return abandon(why, doubt, OperationState.FAILED, Reasons.JOB_NOT_RUNNING);
  }

  /** The user wants no more of it. */
  OperationResult aborted(String reason) {
    String left =
        known.isInFlight()
            ? "; Flink may still complete what was triggered, and then its files are left"
            : "";
    return abandon(
        "Aborted: " + reason + left,
        known.mayHaveLeftFiles(),
        OperationState.ABORTED,
        Reasons.ABORTED);
  }

  private OperationResult abandon(String why, boolean doubt, OperationState state, String reason) {
    context.signals().forgetRetry(); // as above
    write(
        known.givenUp(SnapshotState.ABANDONED, why, now(), doubt),
        context.report(state, Step.RECORD_SNAPSHOT, reason, why, EventReasons.SNAPSHOT_ABANDONED));
    return new OperationResult(ABANDONED, context.target(), why);
  }

  /** It was taken. */
  OperationResult completed(Outcome.Taken taken, String what) {
    String where =
        taken.path() == null ? "Flink does not tell where it is" : "it is at " + taken.path();
    String message = "The %s was taken (%s); %s".formatted(what, taken.how(), where);
    return complete(taken.path(), message);
  }

  /** It was taken before. */
  OperationResult existing(String path) {
    return complete(path, "The savepoint " + path + " was taken before");
  }

  private OperationResult complete(@Nullable String path, String message) {
    write(
        known.completed(path, now()),
        context.report(
            OperationState.SUCCEEDED,
            Step.RECORD_SNAPSHOT,
            null,
            message,
            EventReasons.SNAPSHOT_COMPLETED));
    return new OperationResult(COMPLETED, context.target(), message, path);
  }

  /**
   * A disposal has ended, whatever came of it.
   *
   * @param kept whether a history must remember what it was of
   */
  OperationResult disposed(boolean kept, OperationReport report) {
    Long keptAtMs = kept ? Long.valueOf(now()) : null;
    boolean unused =
        steps.run(
            Step.REPORT,
            report.message(),
            SnapshotActivities.class,
            a -> {
              a.disposed(new DisposedRequest(id, keptAtMs, report));
              return true;
            });
    return new OperationResult(OperationResult.DELETED, 0, report.message());
  }

  /** There is nothing to do; the status may say that a run is at work. */
  OperationResult upToDate(SnapshotRecord record) {
    String message = "Nothing to do: the snapshot is " + record.state();
    context.done(message);
    steps.reportEnd(Step.RECORD_SNAPSHOT, message);
    return new OperationResult(
        OperationResult.UP_TO_DATE, context.target(), message, record.path());
  }

  private OperationReport running(Step step, String message) {
    return context.report(OperationState.RUNNING, step, null, message, null);
  }

  private void write(SnapshotRecord next, OperationReport report) {
    SnapshotRecord before = known;
    boolean unused =
        steps.run(
            Step.RECORD_SNAPSHOT,
            "Record: " + next.state(),
            SnapshotActivities.class,
            a -> {
              a.record(new RecordRequest(id, before, next, report));
              return true;
            });
    known = next;
    context.done(report.message());
  }

  private static long now() {
    return Workflow.currentTimeMillis();
  }
}
