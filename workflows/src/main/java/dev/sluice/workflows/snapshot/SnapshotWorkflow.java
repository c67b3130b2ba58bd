package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.activity.FailureType;
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
import dev.sluice.workflows.snapshot.SnapshotActivities.FoundJob.Up;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Snapshot: await the job, record the trigger, take, record. A failed attempt is
 * followed by a pause and the next one, as often as {@code backoffLimit} allows. What Flink or
 * Kubernetes does not answer is asked for again and is no attempt.
 */
public final class SnapshotWorkflow extends OperationWorkflow implements Snapshot {

  private static final Duration JOB_UP = Duration.ofMinutes(10);
  private static final Duration TRIM = Duration.ofMinutes(2);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
  private static final int DOUBLED_AT_MOST = 6;
  private static final Duration AFTER_TIMEOUT = Duration.ofSeconds(5);

  private final SnapshotLog log;
  private boolean retry;
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
    this.log = new SnapshotLog(context(), steps());
    this.retry = input.retry();
    // the spec cannot change
    context().newerSpecDiffers(() -> false);
    context()
        .beginAnew(
            () -> {
              OperationResult unused = handOver(OperationType.SNAPSHOT, "a long history");
            });
  }

  @Override
  public OperationResult run(OperationInput input) {
    return carryOut(this::untilEnd);
  }

  private OperationResult untilEnd() {
    while (true) {
      try {
        OperationResult result = take();
        if (!isWantedAgain()) {
          return result;
        }
        retry = true;
      } catch (OutdatedStep stale) {
        // Stale after Reset: the status is ahead of this run
        context().done("Looking again: " + stale.getMessage());
      } catch (InterruptedRun interrupted) {
        Interrupt interrupt = interrupted.interrupt();
        if (interrupt instanceof Interrupt.Delete) {
          return handOver(OperationType.DELETE, "deleted");
        }
        if (!(interrupt instanceof Interrupt.Abort abort)) {
          throw interrupted;
        }
        aborts = abort.reason();
        context().signals().abortTaken();
      }
    }
  }

  /** A retry may come as soon as the status says that it was given up, before the run closes. */
  private boolean isWantedAgain() {
    SnapshotState state = log.known().state();
    boolean givenUp = state == SnapshotState.FAILED || state == SnapshotState.ABANDONED;
    return givenUp && context().signals().retryAsked() && !context().cancelled();
  }

  private OperationResult take() {
    SnapshotSeen seen = log.observe();
    if (seen.deleting()) {
      return handOver(OperationType.DELETE, "deleted");
    }
    boolean isOver = log.known().state().isFinal();
    if (aborts != null) {
      OperationResult result = isOver ? log.upToDate() : log.aborted(aborts);
      aborts = null;
      return result;
    }
    if (isOver && (!retry || log.known().state() == SnapshotState.COMPLETED)) {
      return log.upToDate();
    }
    if (seen.problem() != null) {
      return log.failed(seen.problem());
    }
    retry = false;
    context().signals().forgetRetry();
    log.begins(
        "Waiting until the job of %s is up, to take a %s"
            .formatted(seen.of(), seen.wanted().display()));
    OperationResult end = null;
    while (end == null) {
      end = attempt(seen);
    }
    return end;
  }

  /** Makes one attempt, or continues the one in flight; null when another one follows. */
  private @Nullable OperationResult attempt(SnapshotSeen seen) {
    if (!log.known().isInFlight()) {
      String summary = "Wait until the job of " + seen.of() + " is up";
      FoundJob found = awaitJob(summary);
      steps().goesOnUntold(Step.AWAIT_JOB, summary);
      if (found instanceof FoundJob.None none) {
        return log.abandoned(none.why());
      }
      recordTrigger(seen, (Up) found);
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
  private void recordTrigger(SnapshotSeen seen, Up job) {
    timeoutMs = job.timeoutMs();
    Trigger before = log.known().trigger();
    String id = Ids.after(seen.id(), "snapshot", before == null ? null : before.id());
    log.triggering(new Trigger(id, job.jobId(), context().in(Duration.ZERO)), doing(seen));
  }

  private Outcome outcome(SnapshotSeen seen) {
    Trigger trigger = Objects.requireNonNull(log.known().trigger());
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

  private OperationResult completed(SnapshotSeen seen, Outcome.Taken taken) {
    String where =
        taken.path() == null ? "Flink does not return its path" : "it is at " + taken.path();
    OperationResult result =
        log.completed(
            taken.path(), "The %s was taken (%s); %s".formatted(seen.what(), taken.how(), where));
    if (StatusLane.typeOf(context().resource()).equals(Optional.of(SnapshotType.SAVEPOINT))) {
      trim(log.observe().excess());
    }
    return result;
  }

  /**
   * What could not be deleted stays in the history, until the next savepoint is recorded there.
   * Each has an equal share of the time, so that one which Flink refuses is not in the way of the
   * others; what does not answer would not do so for the next one either.
   */
  private void trim(List<String> excess) {
    long end = context().in(TRIM);
    for (int i = 0; i < excess.size(); i++) {
      String path = excess.get(i);
      long left = Math.max(0, end - context().in(Duration.ZERO));
      long deadline = context().in(Duration.ofMillis(left / (excess.size() - i)));
      try {
        Disposal unused =
            steps()
                .runOnce(
                    Step.DISPOSE_SAVEPOINT,
                    "Dispose of %s, which the history has no place for".formatted(path),
                    deadline,
                    SnapshotActivities.class,
                    a -> a.dispose(new DisposeRequest(context().resource(), path, deadline)));
      } catch (ActivityFailure failure) {
        context().done("The history was not trimmed: " + StepFailure.of(failure).message());
        return;
      }
    }
  }

  private @Nullable OperationResult again(SnapshotSeen seen, String why, boolean counts) {
    int number = log.known().failures() + 1;
    if (counts && !seen.allows(number)) {
      return log.failedFinally("%s failed: %s".formatted(seen.attempt(number), why));
    }
    Duration pause = pauseAfter(counts ? number : 1);
    String message =
        "%s %s. Retrying in %d s: %s"
            .formatted(
                seen.attempt(number),
                counts ? "failed" : "was interrupted (not counted as a failure)",
                pause.toSeconds(),
                why);
    log.again(why, counts, message);
    boolean unused = steps().pause(Step.TAKE_SNAPSHOT, message, context().in(pause));
    context().beginAnewIfLong();
    return null;
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

  private String doing(SnapshotSeen seen) {
    return seen.attempt(log.known().failures() + 1) + ": " + seen.what();
  }

  /** 10 s, doubled with each failure, at most 10 min. */
  static Duration pauseAfter(int failures) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, DOUBLED_AT_MOST));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  private OperationResult handOver(OperationType to, String why) {
    return to == OperationType.DELETE && context().cancelled()
        ? OperationResult.cancelled(to)
        : HandOver.to(to, context().input().next(context().input().generation(), why));
  }
}
