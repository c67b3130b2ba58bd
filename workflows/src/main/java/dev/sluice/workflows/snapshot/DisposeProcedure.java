package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of DisposeSnapshot. Always ends: what cannot be deleted in time is reported and left,
 * because a snapshot must not keep its namespace. Only the files of a savepoint whose resource is
 * being deleted are deleted, and never those of a checkpoint.
 */
final class DisposeProcedure {

  static final int ATTEMPTS = 3;

  private static final Duration EACH = Duration.ofMinutes(1);

  /** How long a savepoint that is still being taken is waited for. */
  private static final Duration IN_FLIGHT = Duration.ofMinutes(2);

  private final OperationContext context;
  private final StepRunner steps;
  private final SnapshotLog log;

  DisposeProcedure(OperationContext context, StepRunner steps, SnapshotReports reports) {
    this.context = context;
    this.steps = steps;
    this.log = new SnapshotLog(context, steps, reports);
    context.newerSpecDiffers(() -> false);
  }

  /**
   * Returns when the files are gone, or when it is reported what is left; on a lane that has a
   * history, when nothing else is due there.
   */
  OperationResult dispose() {
    // the signal has brought us here; it must not interrupt what it asked for
    context.signals().deleteTaken();
    SnapshotSeen seen = log.observe();
    OperationResult result = dispose(seen);
    return seen.deleting() && ofHistory() ? goOn(seen, result) : result;
  }

  private boolean ofHistory() {
    return StatusLane.typeOf(context.resource()).isPresent();
  }

  /**
   * Whoever reads that one has gone asks for the next before this run closes, and what was in
   * flight was perhaps left for this run.
   */
  private OperationResult goOn(SnapshotSeen first, OperationResult outcome) {
    OperationResult result = outcome;
    Set<String> tried = new HashSet<>();
    tried.add(first.id());
    while (!context.cancelled()) {
      SnapshotSeen next = look(log::observe);
      if (next != null && next.deleting() && tried.add(next.id())) {
        result = dispose(next);
      } else if (isToTake(next)) {
        return take("the history is done");
      } else if (!context.signals().askedSinceLook()) {
        return result;
      }
    }
    return result;
  }

  private boolean isToTake(@Nullable SnapshotSeen next) {
    SnapshotSeen taken = next == null || !next.deleting() ? next : look(log::observeTaken);
    return taken != null && !taken.record().state().isFinal();
  }

  /** Null when none was ever taken: the history may be older than Sluice. */
  private static @Nullable SnapshotSeen look(Supplier<SnapshotSeen> look) {
    try {
      return look.get();
    } catch (InterruptedRun gone) {
      return null;
    }
  }

  private OperationResult take(String why) {
    return HandOver.to(
        OperationType.SNAPSHOT, context.input().next(context.input().generation(), why, null));
  }

  private OperationResult dispose(SnapshotSeen seen) {
    if (!seen.deleting()) {
      return notDeleted(seen);
    }
    long deadline = context.in(IN_FLIGHT);
    List<Part> parts = new ArrayList<>();
    if (seen.disposes()) {
      seen.record().earlier().stream()
          .map(it -> ofEarlier(seen, it, deadline))
          .flatMap(Optional::stream)
          .forEach(parts::add);
    }
    parts.add(ofNewest(seen));
    return end(parts);
  }

  private Part ofNewest(SnapshotSeen seen) {
    SnapshotRecord known = seen.record();
    if (known.path() == null && known.mayHaveLeftFiles()) {
      return ofInFlight(seen, Objects.requireNonNull(known.trigger()));
    }
    return known.path() == null
        ? done("There is nothing to dispose of.")
        : ofPath(seen, known.path());
  }

  /** An attempt that was given up before the newest one; empty when it left nothing. */
  private Optional<Part> ofEarlier(SnapshotSeen seen, Trigger trigger, long deadline) {
    String left = "Files of an earlier attempt may remain: ";
    try {
      Outcome outcome = look(trigger, "Look what became of an earlier attempt", deadline);
      if (outcome instanceof Outcome.Taken taken && taken.path() != null) {
        // the only one that was taken since: there is no other
        return taken.path().equals(seen.record().path())
            ? Optional.empty()
            : Optional.of(ofPath(seen, taken.path()));
      }
      return outcome instanceof Outcome.Failed failed && !failed.inDoubt()
          ? Optional.empty()
          : Optional.of(left(left + why(outcome)));
    } catch (ActivityFailure failure) {
      return Optional.of(left(left + steps.describe(failure)));
    }
  }

  private Outcome look(Trigger trigger, String summary, long deadline) {
    return steps.runOnce(
        Step.TAKE_SNAPSHOT,
        summary,
        deadline,
        SnapshotActivities.class,
        a -> a.take(new TakeRequest(context.resource(), trigger, List.of(), false, deadline)));
  }

  /**
   * A signal sent by hand asks for a deletion that Kubernetes knows nothing of: what was in flight
   * is taken up again.
   */
  private OperationResult notDeleted(SnapshotSeen seen) {
    String why =
        ofHistory()
            ? "The history has nothing to remove."
            : "Not deleted: 'kubectl delete' deletes the resource, a signal does not.";
    context.done(why);
    return context.cancelled() || seen.record().state().isFinal()
        ? new OperationResult(OperationResult.ABORTED, 0, why)
        : take(why);
  }

  private Part ofInFlight(SnapshotSeen seen, Trigger trigger) {
    String left = "A %s of %s was being taken".formatted(seen.wanted().display(), seen.of());
    if (!seen.disposes()) {
      return done(left + "; if Flink completes it, its files are left");
    }
    long deadline = context.in(IN_FLIGHT);
    try {
      Outcome outcome =
          look(trigger, "Wait for the savepoint that is being taken, to dispose of it", deadline);
      if (outcome instanceof Outcome.Taken taken && taken.path() != null) {
        return ofPath(seen, taken.path());
      }
      return outcome instanceof Outcome.Failed failed && !failed.inDoubt()
          ? done(left + ", and was not completed: " + failed.why())
          : left(left + ". Its files may remain: " + why(outcome));
    } catch (ActivityFailure failure) {
      return left(left + ". Its files may remain: " + steps.describe(failure));
    }
  }

  private static String why(Outcome outcome) {
    if (outcome instanceof Outcome.NoJob none) {
      return none.why();
    }
    if (outcome instanceof Outcome.Failed failed) {
      return failed.why();
    }
    return outcome instanceof Outcome.Unknown unknown ? unknown.why() : "its path is not known";
  }

  private Part ofPath(SnapshotSeen seen, String path) {
    if (!seen.disposes()) {
      return done("Its files are left at " + path);
    }
    String why = null;
    List<String> others = new ArrayList<>();
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Disposal disposal = attempt(attempt, path, others);
      if (disposal instanceof Disposal.Done gone) {
        return done("The savepoint %s is deleted: %s".formatted(path, gone.how()));
      }
      if (disposal instanceof Disposal.LeftTo other) {
        return done("The savepoint %s is left to %s".formatted(path, other.whom()));
      }
      if (disposal instanceof Disposal.InPart part) {
        return left(
            "The savepoint was deleted in part; what is left is at %s, and nothing can be started from it: %s"
                .formatted(path, why == null ? part.why() : why));
      }
      if (disposal instanceof Disposal.Impossible impossible) {
        return kept("The savepoint %s is left: %s".formatted(path, impossible.why()));
      }
      Disposal.Failed failed = (Disposal.Failed) disposal;
      why = failed.why();
      if (failed.through() != null) {
        others.add(failed.through());
      }
      context.done("Attempt %d of %d failed: %s".formatted(attempt, ATTEMPTS, why));
      if (attempt < ATTEMPTS) {
        pause(AttemptPauses.after(attempt), why);
      }
    }
    return kept("The savepoint %s is left, after %d attempts: %s".formatted(path, ATTEMPTS, why));
  }

  private void pause(Duration pause, String why) {
    context.signals().forgetRetry();
    boolean unused =
        steps.pause(
            Step.DISPOSE_SAVEPOINT,
            "Pause of %d s before the next attempt: %s".formatted(pause.toSeconds(), why),
            context.in(pause));
  }

  private Disposal attempt(int attempt, String path, List<String> others) {
    long deadline = context.in(EACH);
    try {
      return steps.runOnce(
          Step.DISPOSE_SAVEPOINT,
          "Attempt %d of %d: dispose of %s".formatted(attempt, ATTEMPTS, path),
          deadline,
          SnapshotActivities.class,
          a ->
              a.dispose(
                  new DisposeRequest(context.resource(), path, attempt > 1, others, deadline)));
    } catch (ActivityFailure failure) {
      return new Disposal.Failed(steps.describe(failure));
    }
  }

  /** How bad what became of some files is; the worst of several counts. */
  private enum Kind {
    /** They are gone, or are kept on purpose. */
    DONE,
    /** They are left for good. */
    LEFT,
    /** They are left, and a history remembers them. */
    KEPT
  }

  /**
   * What became of some files.
   *
   * @param message in words
   */
  private record Part(Kind kind, String message) {}

  private static Part done(String message) {
    return new Part(Kind.DONE, message);
  }

  private static Part left(String message) {
    return new Part(Kind.LEFT, message);
  }

  /** They can be deleted later, which only a history remembers (FLINK-39439). */
  private Part kept(String message) {
    return ofHistory()
        ? new Part(Kind.KEPT, message + "; the history keeps it, and it is tried again")
        : left(message);
  }

  /** The finalizer goes when the status says so, whatever is left. */
  private OperationResult end(List<Part> parts) {
    Kind worst = parts.stream().map(Part::kind).max(Comparator.naturalOrder()).orElse(Kind.DONE);
    String message = parts.stream().map(Part::message).collect(Collectors.joining(". "));
    context.done(message);
    OperationState state = worst == Kind.DONE ? OperationState.SUCCEEDED : OperationState.FAILED;
    String reason = worst == Kind.DONE ? null : FailureType.TIMED_OUT;
    return log.disposed(
        worst == Kind.KEPT,
        context.report(state, Step.DISPOSE_SAVEPOINT, reason, message, event(worst)));
  }

  private String event(Kind worst) {
    if (worst == Kind.DONE) {
      return ofHistory() ? EventReasons.SNAPSHOT_REMOVED : EventReasons.CLEANUP;
    }
    return ofHistory() ? EventReasons.SNAPSHOT_ERROR : EventReasons.CLEANUP_FAILED;
  }
}
