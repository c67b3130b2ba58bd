package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of Snapshot: wait for the job, say what is about to be triggered, trigger it, wait,
 * say what became of it. A failed attempt is followed by a pause and the next one, as often as
 * {@code backoffLimit} allows. Whatever Flink or the network does not answer is looked into again
 * and is no attempt.
 */
final class SnapshotProcedure {

  private static final Duration AFTER_OUTDATED = Duration.ofSeconds(1);

  private final OperationContext context;
  private final StepRunner steps;
  private final SnapshotLog log;
  private boolean retry;
  private boolean outdatedBefore;
  private @Nullable Abort aborting;
  private @Nullable OperationResult ended;

  SnapshotProcedure(OperationContext context, StepRunner steps, SnapshotReports reports) {
    this.context = context;
    this.steps = steps;
    this.log = new SnapshotLog(context, steps, reports);
    this.retry = context.input().retry();
    // the spec cannot change
    context.newerSpecDiffers(() -> false);
    context.beginAnew(this::goOnInARunOfItsOwn);
  }

  /**
   * A request to give one up.
   *
   * @param reason in words
   * @param of its name; null for whatever the lane takes
   */
  private record Abort(String reason, @Nullable String of) {

    boolean isMeantFor(SnapshotSeen seen) {
      return of == null || of.equals(seen.which().name());
    }
  }

  /**
   * Returns when it was taken, or given up; on a lane that takes one after the other, when no other
   * one is asked for.
   */
  OperationResult take() {
    while (true) {
      try {
        OperationResult result = attempt();
        boolean again = isWantedAgain();
        if (!again && !mayBeFollowed()) {
          return result;
        }
        if (!again && isRemovalAsked()) {
          return handOverToDeletion();
        }
        aborting = null;
        retry = again;
        ended = again ? null : result;
      } catch (OutdatedStep outdated) {
        // a run that was reset remembers less than the status says
        context.done("Looking again: " + outdated.getMessage());
        outdatedBefore = true;
      } catch (InterruptedRun interrupted) {
        Interrupt interrupt = interrupted.interrupt();
        if (interrupt instanceof Interrupt.Delete) {
          return handOverToDeletion();
        }
        if (!(interrupt instanceof Interrupt.Abort abort)) {
          throw interrupted;
        }
        aborting = new Abort(abort.reason(), context.signals().abortOf());
        context.signals().abortTaken();
      }
    }
  }

  /** A retry may come as soon as the status says that it was given up, before the run closes. */
  private boolean isWantedAgain() {
    SnapshotState state = log.known().state();
    boolean givenUp = state == SnapshotState.FAILED || state == SnapshotState.ABANDONED;
    return givenUp && context.signals().retryAsked() && !context.cancelled();
  }

  /** As soon as the status says that one has ended the next is asked for, before the run closes. */
  private boolean mayBeFollowed() {
    return StatusLane.typeOf(context.resource()).isPresent()
        && (context.signals().askedSinceLook() || isRemovalAsked())
        && !context.cancelled();
  }

  private boolean isRemovalAsked() {
    return context.signals().interrupt() instanceof Interrupt.Delete;
  }

  private OperationResult attempt() {
    if (outdatedBefore) {
      outdatedBefore = false;
      context.signals().forgetRetry();
      boolean unused =
          steps.pause(
              Step.OBSERVE,
              "The status has changed; looking again in 1 s",
              context.in(AFTER_OUTDATED));
    }
    SnapshotSeen seen = log.observe();
    if (seen.deleting()) {
      return handOverToDeletion();
    }
    boolean isOver = seen.record().state().isFinal();
    if (ended != null && isOver) {
      return ended;
    }
    Abort abort = aborting;
    if (abort == null || !abort.isMeantFor(seen)) {
      aborting = null;
      return takeFrom(seen);
    }
    return isOver ? log.upToDate(seen.record()) : log.aborted(abort.reason());
  }

  private OperationResult takeFrom(SnapshotSeen seen) {
    SnapshotRecord known = seen.record();
    boolean again = retry && known.state() != SnapshotState.COMPLETED;
    if (known.state().isFinal() && !again) {
      return log.upToDate(known);
    }
    if (seen.problem() != null) {
      return log.failed(seen.problem());
    }
    if (seen.existing() != null) {
      context.safePoint();
      return log.existing(seen.existing());
    }
    retry = false;
    context.signals().forgetRetry();
    log.begins(
        "Waiting until the job of %s is up, to take a %s"
            .formatted(seen.of(), seen.wanted().display()));
    SnapshotAttempts attempts = new SnapshotAttempts(context, steps, log, seen);
    while (true) {
      OperationResult result = attempts.next();
      if (result != null) {
        return result;
      }
    }
  }

  /** What is in flight is left to it, as what is to become of the files. */
  private OperationResult handOverToDeletion() {
    return context.cancelled()
        ? OperationResult.cancelled(OperationType.DELETE)
        : HandOver.to(
            OperationType.DELETE,
            context.input().next(context.input().generation(), "deleted", null));
  }

  private void goOnInARunOfItsOwn() {
    OperationResult unused =
        HandOver.to(
            OperationType.SNAPSHOT,
            context.input().next(context.input().generation(), "a long history", null));
  }
}
