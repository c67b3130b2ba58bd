package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OperationWorkflow;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.snapshot.SnapshotActivities.AwaitJobRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Disposal;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.FoundJob;
import dev.sluice.workflows.snapshot.SnapshotActivities.ObserveRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.RecordRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Seen;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Snapshot: await the job, record the trigger, take, record. A failed attempt is
 * followed by a pause and the next one, as often as {@code backoffLimit} allows. What Flink or
 * Kubernetes does not answer is asked for again and is no attempt.
 *
 * <p>Of a resource that is being deleted the run disposes instead. That always ends, because a
 * snapshot must not keep its namespace: files that cannot be deleted in time are left and named.
 */
public final class SnapshotWorkflow extends OperationWorkflow implements Snapshot {

  private static final String LEFT =
      "; Flink may still complete what was triggered, and then its files are left";

  private static final int LONGEST_ERROR = 2048;
  private static final Duration JOB_UP = Duration.ofMinutes(10);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
  private static final int DOUBLED_AT_MOST = 6;
  private static final Duration AFTER_TIMEOUT = Duration.ofSeconds(5);

  /** For all attempts to delete the files of a snapshot that is deleted. */
  private static final Duration DISPOSAL = Duration.ofMinutes(3);

  /** Limit for the end of a savepoint that is still being taken when it is deleted. */
  private static final Duration IN_FLIGHT = Duration.ofMinutes(2);

  /** For all that a history has no place for, and for each of it. */
  private static final Duration TRIM = Duration.ofMinutes(2);

  private static final Duration TRIM_EACH = Duration.ofSeconds(30);

  private String id = "";
  private FlinkStateSnapshotStatus known = FlinkStateSnapshotStatus.EMPTY;
  private @Nullable String aborts;

  /** Limit of a savepoint that another run has triggered: Flink's default. */
  private long timeoutMs = Duration.ofMinutes(10).toMillis();

  /** Made before the first signal is delivered. */
  @WorkflowInit
  public SnapshotWorkflow(OperationInput input) {
    super(
        TYPE,
        input,
        true,
        options -> Workflow.newActivityStub(SnapshotActivities.class, options)::report);
    context().newerSpecDiffers(() -> false); // the spec cannot change
    context()
        .beginAnew(
            () -> {
              OperationResult unused =
                  HandOver.to(TYPE, input.next(input.generation(), "a long history"));
            });
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(this::untilEnd);
  }

  private OperationResult untilEnd() {
    while (true) {
      try {
        return observeAndAct();
      } catch (OutdatedStep stale) {
        // Stale after Reset: the status is ahead of this run
        context().done("Looking again: " + stale.getMessage());
      } catch (InterruptedRun interrupted) {
        if (interrupted.interrupt() instanceof Interrupt.Delete) {
          context().signals().forgetDelete(); // the resource says whether it is so
        } else if (interrupted.interrupt() instanceof Interrupt.Abort abort) {
          aborts = abort.reason();
          context().signals().abortTaken();
        } else {
          throw interrupted;
        }
      }
    }
  }

  private OperationResult observeAndAct() {
    Seen seen = observe();
    if (seen.deleting()) {
      context().becomes(OperationType.DELETE);
      context().signals().deleteTaken();
      context().signals().abortable(false);
      return dispose(seen);
    }
    if (known.stateOrPending().isFinal()) {
      String message = "Nothing to do: the snapshot is " + known.state();
      context().done(message);
      steps().reportEnd(Step.RECORD_SNAPSHOT, message);
      return result(OperationResult.UP_TO_DATE, message);
    }
    if (aborts != null) {
      return abandoned(
          "Aborted: %s%s".formatted(aborts, known.isInFlight() ? LEFT : ""),
          OperationState.ABORTED,
          Reasons.ABORTED);
    }
    write(
        known.isInFlight() ? known : pending(),
        running(
            Step.AWAIT_JOB,
            "Waiting until the job of %s is up, to take a %s"
                .formatted(seen.of(), seen.type().word())));
    OperationResult end = null;
    while (end == null) {
      end = attempt(seen);
    }
    return end;
  }

  private Seen observe() {
    Seen seen =
        steps()
            .run(
                Step.OBSERVE,
                "Look at the snapshot",
                SnapshotActivities.class,
                a -> a.observe(new ObserveRequest(context().resource())));
    id = seen.id();
    known = seen.status();
    return seen;
  }

  /** Makes one attempt, or continues the one in flight; null when another one follows. */
  private @Nullable OperationResult attempt(Seen seen) {
    if (!known.isInFlight()) {
      String summary = "Wait until the job of " + seen.of() + " is up";
      FoundJob found = awaitJob(summary);
      steps().goesOnUntold(Step.AWAIT_JOB, summary);
      if (found instanceof FoundJob.None none) {
        String last = known.error() == null ? "" : ". The attempt before: " + known.error();
        return abandoned(none.why() + last, OperationState.FAILED, Reasons.JOB_NOT_RUNNING);
      }
      recordTrigger(seen, (FoundJob.Up) found);
    }
    Outcome outcome = outcome(seen);
    steps().goesOnUntold(Step.TAKE_SNAPSHOT, doing(seen));
    if (outcome instanceof Outcome.Taken taken) {
      return completed(seen, taken);
    }
    return outcome instanceof Outcome.Failed failed
        ? again(seen, failed.why(), failed.counts())
        : again(seen, ((Outcome.Lost) outcome).why(), true);
  }

  private FoundJob awaitJob(String summary) {
    while (true) {
      long deadline = context().in(JOB_UP);
      try {
        return steps()
            .awaitInterruptibly(
                Step.AWAIT_JOB,
                summary,
                deadline,
                SnapshotActivities.class,
                a -> a.awaitJob(new AwaitJobRequest(context().resource(), deadline)));
      } catch (ActivityFailure failure) {
        hold(Step.AWAIT_JOB, failure);
      }
    }
  }

  /** Another id for each attempt, and the same in every run that begins from this status. */
  private void recordTrigger(Seen seen, FoundJob.Up job) {
    timeoutMs = job.timeoutMs();
    write(
        known
            .withState(SnapshotState.IN_PROGRESS)
            .withTriggerId(Ids.after(id, "snapshot", known.triggerId()))
            .withTriggerTimestamp(now())
            .withJobId(job.jobId()),
        running(Step.TAKE_SNAPSHOT, doing(seen)));
  }

  private Outcome outcome(Seen seen) {
    Trigger trigger = Trigger.of(known);
    while (true) {
      long deadline = context().in(StepLimits.savepoint(timeoutMs));
      try {
        Optional<Outcome> outcome =
            steps()
                .awaitAtLength(
                    Step.TAKE_SNAPSHOT,
                    doing(seen),
                    deadline,
                    SnapshotActivities.class,
                    a -> a.take(new TakeRequest(context().resource(), trigger, true, deadline)));
        if (outcome.isPresent()) {
          return outcome.get();
        }
      } catch (ActivityFailure failure) {
        hold(Step.TAKE_SNAPSHOT, failure);
      }
    }
  }

  private OperationResult completed(Seen seen, Outcome.Taken taken) {
    String where =
        taken.path() == null ? "Flink does not return its path" : "it is at " + taken.path();
    OperationResult result =
        end(
            known
                .withState(SnapshotState.COMPLETED)
                .withPath(taken.path())
                .withError(null)
                .withResultTimestamp(now()),
            OperationState.SUCCEEDED,
            null,
            "The %s was taken (%s); %s".formatted(seen.what(), taken.how(), where),
            EventReasons.SNAPSHOT_COMPLETED);
    if (StatusLane.typeOf(context().resource()).isPresent()) {
      trim(observe().excess());
    }
    return result;
  }

  /** What could not be deleted stays in the history until the next savepoint is recorded there. */
  private void trim(List<String> excess) {
    long end = context().in(TRIM);
    for (String path : excess) {
      long deadline = Math.min(end, context().in(TRIM_EACH));
      try {
        Disposal unused =
            disposal("Dispose of %s, which the history has no place for", path, deadline);
      } catch (ActivityFailure failure) {
        context().done("The history was not trimmed: " + StepFailure.of(failure).message());
        return;
      }
    }
  }

  private @Nullable OperationResult again(Seen seen, String why, boolean counts) {
    int number = known.failureCount() + 1;
    if (counts && !seen.allows(number)) {
      String message = "%s failed: %s".formatted(seen.attempt(number), why);
      return end(
          failed(message).withState(SnapshotState.FAILED),
          OperationState.FAILED,
          Reasons.SAVEPOINT_FAILED,
          message,
          EventReasons.SNAPSHOT_ERROR);
    }
    Duration pause = pauseAfter(counts ? number : 1);
    String message =
        "%s %s. Retrying in %d s: %s"
            .formatted(
                seen.attempt(number),
                counts ? "failed" : "was interrupted (not counted as a failure)",
                pause.toSeconds(),
                why);
    context().signals().forgetRetry(); // one that comes from here on ends the pause
    write(
        counts ? failed(why) : pending().withError(error(why)),
        context()
            .report(
                OperationState.RUNNING,
                Step.TAKE_SNAPSHOT,
                counts ? Reasons.SAVEPOINT_FAILED : Reasons.JOB_NOT_RUNNING,
                message,
                EventReasons.SNAPSHOT_ERROR));
    boolean unused = steps().pause(Step.TAKE_SNAPSHOT, message, context().in(pause));
    context().beginAnewIfLong();
    return null;
  }

  /** 10 s, doubled with each failure, at most 10 min. */
  static Duration pauseAfter(int failures) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, DOUBLED_AT_MOST));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  /** Nothing is decided until it answers. A wait that timed out begins again soon. */
  private void hold(Step step, ActivityFailure failure) {
    StepFailure why = steps().failure(failure);
    StepFailure passing = new StepFailure(why.type(), why.message(), true);
    var unused =
        StepFailure.is(failure, FailureType.TIMED_OUT)
            ? steps().hold(step, passing, false, AFTER_TIMEOUT)
            : steps().hold(step, passing, false);
  }

  private OperationResult dispose(Seen seen) {
    if (known.path() != null) {
      return seen.disposes()
          ? disposeOf(known.path())
          : disposed(true, "Its files are left at " + known.path());
    }
    if (!known.isInFlight()) {
      return disposed(true, "There is nothing to dispose of.");
    }
    String left = "A %s was being taken".formatted(seen.what());
    if (!seen.disposes()) {
      return disposed(true, left + "; if Flink completes it, its files are left");
    }
    long deadline = context().in(IN_FLIGHT);
    String why;
    try {
      Outcome outcome =
          steps()
              .runOnce(
                  Step.TAKE_SNAPSHOT,
                  "Wait for the savepoint that is being taken, to dispose of it",
                  deadline,
                  SnapshotActivities.class,
                  a ->
                      a.take(
                          new TakeRequest(
                              context().resource(), Trigger.of(known), false, deadline)));
      if (outcome instanceof Outcome.Taken taken && taken.path() != null) {
        return disposeOf(taken.path());
      }
      if (outcome instanceof Outcome.Failed failed && failed.counts()) {
        return disposed(true, left + ", and was not completed: " + failed.why());
      }
      why = outcome.why();
    } catch (ActivityFailure failure) {
      why = steps().describe(failure);
    }
    return disposed(false, left + ". Its files may remain: " + why);
  }

  private OperationResult disposeOf(String path) {
    String why;
    try {
      Disposal disposal = disposal("Dispose of %s", path, context().in(DISPOSAL));
      if (disposal instanceof Disposal.Done gone) {
        return disposed(true, "The savepoint %s is deleted: %s".formatted(path, gone.how()));
      }
      why = ((Disposal.Left) disposal).why();
    } catch (ActivityFailure failure) {
      why = steps().describe(failure);
    }
    return disposed(false, "The savepoint %s is left: %s".formatted(path, why));
  }

  private Disposal disposal(String summary, String path, long deadline) {
    return steps()
        .runOnce(
            Step.DISPOSE_SAVEPOINT,
            summary.formatted(path),
            deadline,
            SnapshotActivities.class,
            a -> a.dispose(new DisposeRequest(context().resource(), path, deadline)));
  }

  /** The finalizer goes when the status has this report, whatever is left. */
  private OperationResult disposed(boolean done, String message) {
    context().done(message);
    OperationReport report =
        context()
            .report(
                done ? OperationState.SUCCEEDED : OperationState.FAILED,
                Step.DISPOSE_SAVEPOINT,
                done ? null : FailureType.TIMED_OUT,
                message,
                done ? EventReasons.CLEANUP : EventReasons.CLEANUP_FAILED);
    boolean unused =
        steps()
            .run(
                Step.REPORT,
                message,
                SnapshotActivities.class,
                a -> {
                  a.report(report);
                  return true;
                });
    return new OperationResult(OperationResult.DELETED, 0, message);
  }

  private OperationResult abandoned(String why, OperationState state, String reason) {
    return end(
        known.withState(SnapshotState.ABANDONED).withError(error(why)).withResultTimestamp(now()),
        state,
        reason,
        why,
        EventReasons.SNAPSHOT_ABANDONED);
  }

  private FlinkStateSnapshotStatus pending() {
    return known.withState(SnapshotState.TRIGGER_PENDING);
  }

  private FlinkStateSnapshotStatus failed(String why) {
    return pending()
        .withFailures(known.failureCount() + 1)
        .withError(error(why))
        .withResultTimestamp(now());
  }

  private OperationResult end(
      FlinkStateSnapshotStatus end,
      OperationState state,
      @Nullable String reason,
      String message,
      String event) {
    write(end, context().report(state, Step.RECORD_SNAPSHOT, reason, message, event));
    String name = end.stateOrPending().name();
    return result(name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT), message);
  }

  private void write(FlinkStateSnapshotStatus next, OperationReport report) {
    FlinkStateSnapshotStatus before = known;
    boolean unused =
        steps()
            .run(
                Step.RECORD_SNAPSHOT,
                "Record: " + next.state(),
                SnapshotActivities.class,
                a -> {
                  a.record(new RecordRequest(id, before, next, report));
                  return true;
                });
    known = next;
    context().done(report.message());
  }

  private OperationReport running(Step step, String message) {
    return context().report(OperationState.RUNNING, step, null, message, null);
  }

  private OperationResult result(String result, String message) {
    return new OperationResult(result, context().target(), message, known.path());
  }

  private String doing(Seen seen) {
    return seen.attempt(known.failureCount() + 1) + ": " + seen.what();
  }

  /** Cut to the length that Apache's operator keeps. */
  private static String error(String why) {
    return Objects.requireNonNull(BoundedText.of(why, LONGEST_ERROR));
  }

  private static String now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis()).toString();
  }
}
