package dev.sluice.workflows.snapshot;

import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.operation.StepRunner.Wake;
import dev.sluice.workflows.snapshot.SnapshotActivities.AwaitJobRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The attempts to take a snapshot, one after the other. */
final class SnapshotAttempts {

  /** How long a job may take until every task of it is up: a restart, an upgrade. */
  static final Duration JOB_UP = Duration.ofMinutes(10);

  /** How long Flink may take to tell what became of a trigger on a job that is gone. */
  private static final Duration LAST_LOOK = Duration.ofSeconds(30);

  /** The wait itself is patient, and notices at once what changes; a pause does not. */
  private static final Duration AFTER_HELD = Duration.ofSeconds(5);

  private final OperationContext context;
  private final StepRunner steps;
  private final SnapshotLog log;
  private final SnapshotSeen seen;
  private int interruptions;

  SnapshotAttempts(OperationContext context, StepRunner steps, SnapshotLog log, SnapshotSeen seen) {
    this.context = context;
    this.steps = steps;
    this.log = log;
    this.seen = seen;
  }

  /** Makes one, or goes on with the one in flight; null when there is more to do. */
  @Nullable OperationResult next() {
    FoundJob found = awaitJob();
    if (found instanceof FoundJob.Up up) {
      return take(up);
    }
    if (found instanceof FoundJob.None none) {
      return abandon(none.why());
    }
    if (found instanceof FoundJob.Replaced replaced) {
      return replaced(replaced);
    }
    if (found instanceof FoundJob.Unfit unfit) {
      return log.failed(unfit.why());
    }
    return notUp(((FoundJob.NotUp) found).why());
  }

  private FoundJob awaitJob() {
    Trigger trigger = log.known().isInFlight() ? log.known().trigger() : null;
    String pinned = trigger == null || trigger.jobId().isEmpty() ? null : trigger.jobId();
    String summary = "Wait until the job of " + seen.of() + " is up";
    while (true) {
      long deadline = context.in(JOB_UP);
      try {
        FoundJob found =
            steps.awaitInterruptibly(
                Step.AWAIT_JOB,
                summary,
                deadline,
                SnapshotActivities.class,
                a -> a.awaitJob(new AwaitJobRequest(context.resource(), pinned, deadline)));
        if (!(found instanceof FoundJob.Held held)) {
          steps.goesOn(Step.AWAIT_JOB, summary);
          return found;
        }
        Wake unused =
            steps.hold(
                Step.AWAIT_JOB,
                new StepFailure(held.reason(), held.why(), true),
                false,
                AFTER_HELD);
      } catch (ActivityFailure failure) {
        hold(Step.AWAIT_JOB, failure);
      }
    }
  }

  private @Nullable OperationResult take(FoundJob.Up up) {
    SnapshotRecord known = log.known();
    String attempt = seen.attempt(known.failures() + 1);
    if (!known.isInFlight()) {
      Trigger before = known.trigger();
      Trigger next = new Trigger(idAfter(before), up.jobId(), context.in(Duration.ZERO));
      log.triggering(next, capitalized(attempt) + ": " + what());
    } else if (known.trigger() != null && known.trigger().jobId().isEmpty()) {
      // Apache's operator began it, and says no job
      log.triggering(
          new Trigger(known.trigger().id(), up.jobId(), known.trigger().atMs()),
          capitalized(attempt) + ": " + what());
    }
    return judge(
        carryOut(capitalized(attempt) + ": " + what(), true, StepLimits.savepoint(up.timeoutMs())));
  }

  private @Nullable OperationResult judge(Outcome outcome) {
    if (outcome instanceof Outcome.Taken taken) {
      return log.completed(taken, what());
    }
    if (outcome instanceof Outcome.NoJob none) {
      return interrupted(
          none.why(), true); // whether it is gone for good is found out with the next one
    }
    if (outcome instanceof Outcome.Failed failed) {
      return failed.counts()
          ? failed(failed.why(), failed.inDoubt())
          : interrupted(failed.why(), failed.inDoubt());
    }
    // not an attempt: the same trigger is asked for again once the job is up
    context.done("Not known yet: " + ((Outcome.Unknown) outcome).why());
    return null;
  }

  private Outcome carryOut(String summary, boolean mayTrigger, Duration limit) {
    long deadline = context.in(limit);
    SnapshotRecord known = log.known();
    TakeRequest request =
        new TakeRequest(
            context.resource(),
            Objects.requireNonNull(known.trigger()),
            Stream.concat(
                    seen.which().earlier().stream(), known.earlier().stream().map(Trigger::id))
                .toList(),
            mayTrigger,
            deadline);
    while (true) {
      try {
        Optional<Outcome> outcome =
            steps.awaitAtLength(
                Step.TAKE_SNAPSHOT,
                summary,
                deadline,
                SnapshotActivities.class,
                a -> a.take(request));
        if (outcome.isPresent()) {
          steps.goesOn(Step.TAKE_SNAPSHOT, summary);
          return outcome.get();
        }
      } catch (ActivityFailure failure) {
        hold(Step.TAKE_SNAPSHOT, failure);
        return new Outcome.Unknown(StepFailure.of(failure).message());
      }
    }
  }

  /** The job is gone; what was triggered on it may have been taken just before. */
  private OperationResult abandon(String why) {
    SnapshotRecord known = log.known();
    if (!known.isInFlight()) {
      return log.abandoned(why, known.mayHaveLeftFiles());
    }
    Outcome outcome = lastLook();
    return outcome instanceof Outcome.Taken taken
        ? log.completed(taken, what())
        : log.abandoned(with(why, outcome), isInDoubt(outcome));
  }

  /** Flink's own word is believed, and nothing else. */
  private static boolean isInDoubt(Outcome last) {
    return !(last instanceof Outcome.Failed failed) || failed.inDoubt();
  }

  /** With what the last look says of where the files may be. */
  private static String with(String why, Outcome last) {
    if (last instanceof Outcome.NoJob none) {
      return why + ". " + none.why();
    }
    return last instanceof Outcome.Unknown unknown ? why + ". " + unknown.why() : why;
  }

  /**
   * An attempt in flight has failed only when Flink says so, or does not know of it: it may have
   * been taken, or still be in progress, for all that the job is not up.
   */
  private @Nullable OperationResult notUp(String why) {
    if (!log.known().isInFlight()) {
      return failed(why, log.known().mayHaveLeftFiles());
    }
    Outcome outcome = lastLook();
    return outcome instanceof Outcome.NoJob ? failed(with(why, outcome), true) : judge(outcome);
  }

  /** An operation has put another job in the place of the one that it was triggered on. */
  private @Nullable OperationResult replaced(FoundJob.Replaced replaced) {
    Outcome outcome = lastLook();
    if (outcome instanceof Outcome.Taken taken) {
      return log.completed(taken, what());
    }
    String why = with(replaced.why(), outcome);
    return replaced.failed()
        ? failed(why, isInDoubt(outcome))
        : interrupted(why, isInDoubt(outcome));
  }

  private Outcome lastLook() {
    return carryOut("Look what became of the " + seen.wanted().display(), false, LAST_LOOK);
  }

  /** Not the attempt's fault, so it is not counted. The pause keeps a job that flaps from more. */
  private @Nullable OperationResult interrupted(String why, boolean doubt) {
    interruptions++;
    Duration pause = AttemptPauses.after(interruptions);
    String message =
        "%s was interrupted (not counted as a failure). Retrying in %d s: %s"
            .formatted(
                capitalized(seen.attempt(log.known().failures() + 1)), pause.toSeconds(), why);
    log.interrupted(why, doubt, message);
    pause(message, pause);
    return null;
  }

  private void pause(String message, Duration pause) {
    boolean unused = steps.pause(Step.TAKE_SNAPSHOT, message, context.in(pause));
    context.beginAnewIfLong();
  }

  private @Nullable OperationResult failed(String why, boolean doubt) {
    int failures = log.known().failures() + 1;
    String attempt = capitalized(seen.attempt(failures));
    if (!seen.allows(failures)) {
      return log.failedForGood(attempt + " failed: " + why, doubt);
    }
    Duration pause = AttemptPauses.after(failures);
    String message = "%s failed. Retrying in %d s: %s".formatted(attempt, pause.toSeconds(), why);
    log.failedOnce(why, doubt, message);
    pause(message, pause);
    return null;
  }

  private void hold(Step step, ActivityFailure failure) {
    StepFailure why = steps.failure(failure);
    Wake unused =
        steps.hold(
            step,
            // whoever does not answer will; nothing is decided until then
            new StepFailure(why.type(), why.message(), true),
            false);
  }

  /**
   * Another one for each attempt, whatever became of the one before, and the same in every run that
   * begins from this status.
   */
  private String idAfter(@Nullable Trigger before) {
    return Ids.after(seen.id(), "snapshot", before == null ? null : before.id());
  }

  private String what() {
    return seen.wanted().display() + " of " + seen.of();
  }

  private static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
