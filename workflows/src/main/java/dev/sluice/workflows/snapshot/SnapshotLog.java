package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.snapshot.SnapshotActivities.ObserveRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.RecordRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.temporal.workflow.Workflow;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The status of a snapshot as this run has observed and written it. */
final class SnapshotLog {

  private final OperationContext context;
  private final StepRunner steps;
  private SnapshotRecord known = SnapshotRecord.NONE;
  private String id = "";

  SnapshotLog(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
  }

  /** The status now. */
  SnapshotRecord known() {
    return known;
  }

  /** Reads the snapshot. */
  SnapshotSeen observe() {
    SnapshotSeen seen =
        steps.run(
            Step.OBSERVE,
            "Look at the snapshot",
            SnapshotActivities.class,
            a -> a.observe(new ObserveRequest(context.resource())));
    known = seen.record();
    id = seen.id();
    return seen;
  }

  /** The run is under way; nothing is triggered yet, or what is in flight is taken up. */
  void begins(String message) {
    write(known.isInFlight() ? known : known.pending(), running(Step.AWAIT_JOB, message));
  }

  /** This is about to be sent to Flink. */
  void triggering(Trigger trigger, String message) {
    write(known.triggering(trigger), running(Step.TAKE_SNAPSHOT, message));
  }

  /** An attempt has ended without a snapshot, and another one follows. */
  void again(String why, boolean counts, String message) {
    context.signals().forgetRetry(); // one that comes from here on ends the pause
    write(
        counts ? known.failed(why, now()) : known.interrupted(why),
        context.report(
            OperationState.RUNNING,
            Step.TAKE_SNAPSHOT,
            counts ? Reasons.SAVEPOINT_FAILED : Reasons.JOB_NOT_RUNNING,
            message,
            EventReasons.SNAPSHOT_ERROR));
  }

  /** The last attempt that is allowed has failed. */
  OperationResult failedFinally(String message) {
    return fail(known.failed(message, now()), Step.TAKE_SNAPSHOT, message);
  }

  /** It can never be taken. */
  OperationResult failed(String message) {
    return fail(known, Step.RECORD_SNAPSHOT, message);
  }

  private OperationResult fail(SnapshotRecord failed, Step step, String message) {
    return end(
        failed.givenUp(SnapshotState.FAILED, message, now()),
        context.report(
            OperationState.FAILED,
            step,
            Reasons.SAVEPOINT_FAILED,
            message,
            EventReasons.SNAPSHOT_ERROR));
  }

  /** No job is left. */
  OperationResult abandoned(String why) {
    String last = known.error() == null ? "" : ". The attempt before: " + known.error();
    return abandon(why + last, OperationState.FAILED, Reasons.JOB_NOT_RUNNING);
  }

  /** The user has given it up. */
  OperationResult aborted(String reason) {
    String left =
        known.isInFlight()
            ? "; Flink may still complete what was triggered, and then its files are left"
            : "";
    return abandon("Aborted: " + reason + left, OperationState.ABORTED, Reasons.ABORTED);
  }

  private OperationResult abandon(String why, OperationState state, String reason) {
    return end(
        known.givenUp(SnapshotState.ABANDONED, why, now()),
        context.report(state, Step.RECORD_SNAPSHOT, reason, why, EventReasons.SNAPSHOT_ABANDONED));
  }

  /** It was taken. */
  OperationResult completed(@Nullable String path, String message) {
    return end(
        known.completed(path, now()),
        context.report(
            OperationState.SUCCEEDED,
            Step.RECORD_SNAPSHOT,
            null,
            message,
            EventReasons.SNAPSHOT_COMPLETED));
  }

  private OperationResult end(SnapshotRecord end, OperationReport report) {
    context.signals().forgetRetry(); // one that comes from here on asks for another attempt
    write(end, report);
    String state = end.state().name();
    return new OperationResult(
        state.charAt(0) + state.substring(1).toLowerCase(Locale.ROOT),
        context.target(),
        report.message(),
        end.path());
  }

  /** Nothing is left to do; the status may still report an open run. */
  OperationResult upToDate() {
    String message = "Nothing to do: the snapshot is " + known.state();
    context.done(message);
    steps.reportEnd(Step.RECORD_SNAPSHOT, message);
    return new OperationResult(OperationResult.UP_TO_DATE, context.target(), message, known.path());
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
