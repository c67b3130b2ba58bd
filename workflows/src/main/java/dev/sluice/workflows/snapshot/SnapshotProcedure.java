package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.InterruptedRun.Interrupt;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.OutdatedStep;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.snapshot.SnapshotActivities.Verified;
import dev.sluice.workflows.snapshot.SnapshotSeen.Wanted;
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
  private @Nullable String aborting;

  SnapshotProcedure(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
    this.log = new SnapshotLog(context, steps);
    this.retry = context.input().retry();
    // the spec cannot change
    context.newerSpecDiffers(() -> false);
    context.beginAnew(this::goOnInARunOfItsOwn);
  }

  /** Returns when it was taken, or given up. */
  OperationResult take() {
    while (true) {
      try {
        OperationResult result = attempt();
        if (!isWantedAgain()) {
          return result;
        }
        aborting = null;
        retry = true;
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
        context.signals().abortTaken();
        aborting = abort.reason();
      }
    }
  }

  /** A retry may come as soon as the status says that it was given up, before the run closes. */
  private boolean isWantedAgain() {
    SnapshotState state = log.known().state();
    boolean givenUp = state == SnapshotState.FAILED || state == SnapshotState.ABANDONED;
    return givenUp && context.signals().retryAsked() && !context.cancelled();
  }

  private OperationResult attempt() {
    if (outdatedBefore) {
      outdatedBefore = false;
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
    if (aborting == null) {
      return takeFrom(seen);
    }
    return seen.record().state().isFinal() ? log.upToDate(seen.record()) : log.aborted(aborting);
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
    if (seen.wanted() == Wanted.EXISTING) {
      return verify();
    }
    retry = false;
    context.signals().forgetRetry();
    log.begins("A %s of %s".formatted(seen.wanted().display(), seen.of()));
    SnapshotAttempts attempts = new SnapshotAttempts(context, steps, log, seen);
    while (true) {
      OperationResult result = attempts.next();
      if (result != null) {
        return result;
      }
    }
  }

  private OperationResult verify() {
    Verified verified =
        steps.run(
            Step.VERIFY_SAVEPOINT,
            "Look whether the savepoint exists",
            SnapshotActivities.class,
            a -> a.verify(log.request()));
    return verified.exists()
        ? log.existing(verified.path(), verified.how())
        : log.failed(verified.how());
  }

  /** What is in flight is left to it, as what is to become of the files. */
  private OperationResult handOverToDeletion() {
    return context.cancelled()
        ? OperationResult.cancelled(OperationType.DELETE)
        : HandOver.to(
            OperationType.DELETE,
            context.input().next(context.input().generation(), "deleted", null, null));
  }

  private void goOnInARunOfItsOwn() {
    OperationResult unused =
        HandOver.to(
            OperationType.SNAPSHOT,
            context.input().next(context.input().generation(), "a long history", null, null));
  }
}
