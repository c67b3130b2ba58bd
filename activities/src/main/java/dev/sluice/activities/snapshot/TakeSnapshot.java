package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.Triggered;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.activities.snapshot.SnapshotCalls.Progress;
import dev.sluice.activities.snapshot.StoppedJob.Stop;
import dev.sluice.workflows.snapshot.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Step TakeSnapshot: one attempt to take a savepoint or checkpoint. Each look first asks Flink for
 * the trigger, and triggers only what was certainly never sent to a JobManager that has forgotten
 * it, always under the same id. One instance for each attempt of the activity.
 */
final class TakeSnapshot {

  private static final Duration WHILE_QUEUED = Duration.ofSeconds(15);

  /** How long Flink's statistics may take to have the path of a checkpoint. */
  private static final Duration PATH = Duration.ofSeconds(20);

  private final TakeRequest request;
  private final SnapshotCalls calls;
  private final StoppedJob stopped;
  private final String whereItMayBe;
  private final boolean fresh;
  private final BooleanSupplier sameJobManager;
  private final SavepointLimiter.Slot slot;
  private final Clock clock;
  private final Throttle whileQueued;
  private final SettleTimer path;
  private boolean accepted;
  private @Nullable Instant sent;

  /**
   * @param whereItMayBe the directory of a savepoint that is lost, for the end of a message
   * @param fresh whether it is certain that the trigger was not sent before this call
   * @param sameJobManager whether a JobManager that had received the trigger would still know it;
   *     may block
   */
  TakeSnapshot(
      TakeRequest request,
      SnapshotCalls calls,
      StoppedJob stopped,
      String whereItMayBe,
      boolean fresh,
      BooleanSupplier sameJobManager,
      SavepointLimiter.Slot slot,
      Clock clock) {
    this.request = request;
    this.calls = calls;
    this.stopped = stopped;
    this.whereItMayBe = whereItMayBe;
    this.fresh = fresh;
    this.sameJobManager = sameJobManager;
    this.slot = slot;
    this.clock = clock;
    this.whileQueued = new Throttle(clock, WHILE_QUEUED);
    this.path = new SettleTimer(clock, PATH);
  }

  /** Blocks for a few calls. Fails when Flink does not answer and its job was not replaced. */
  ProbeResult<Outcome> look(ActGuard guard) {
    if (slot.isWaiting() && !whileQueued.isDue()) {
      return ProbeResult.notYet(slot.display());
    }
    try {
      return judge(calls.progress(request.trigger().id()), guard);
    } catch (FlinkRestException.Rejected refused) {
      return done(new Outcome.Failed(String.valueOf(refused.getMessage()), true));
    } catch (FlinkRestException failed) {
      Stop stop = stopped.whileSilent().orElseThrow(() -> failed);
      return done(interrupted(stop, whereItMayBe));
    }
  }

  private ProbeResult<Outcome> judge(Progress progress, ActGuard guard) {
    if (progress instanceof Progress.InProgress) {
      accepted = true;
      if (calls.isSavepoint()) {
        slot.hold();
      }
      return ProbeResult.notYet("the " + calls.what() + " is being taken");
    }
    if (progress instanceof Progress.Completed completed) {
      return completed(completed);
    }
    if (progress instanceof Progress.Failed failed) {
      return done(
          stopped
              .after(failed.why())
              .map(it -> interrupted(it, "; " + failed.why()))
              .orElseGet(() -> new Outcome.Failed(failed.why(), true)));
    }
    return request.mayTrigger() && isUnsent() ? trigger(guard) : lost();
  }

  /** Where the answer to a trigger was lost, the JobManager may have been restarted since. */
  private boolean isUnsent() {
    return !accepted && ((fresh && sent == null) || sameJobManager.getAsBoolean());
  }

  private ProbeResult<Outcome> completed(Progress.Completed completed) {
    if (completed.path() != null) {
      return done(new Outcome.Taken(completed.path(), calls.what() + duration()));
    }
    Optional<String> found = calls.path(completed.checkpointId());
    String how = "checkpoint " + completed.checkpointId() + duration();
    return found.isPresent() || path.reached()
        ? done(new Outcome.Taken(found.orElse(null), how))
        : ProbeResult.notYet("the path of checkpoint " + completed.checkpointId());
  }

  /** The JobManager was restarted after the trigger was, or may have been, sent to it. */
  private ProbeResult<Outcome> lost() {
    String lost =
        "The JobManager does not know the %s any more, as after a restart: it may have been completed%s"
            .formatted(calls.what(), whereItMayBe);
    return done(
        stopped
            .after(null)
            .map(it -> interrupted(it, whereItMayBe))
            .orElseGet(() -> new Outcome.Lost(lost)));
  }

  private static Outcome interrupted(Stop stop, String rest) {
    return new Outcome.Failed(stop.how() + rest, stop.failed());
  }

  /** While it queued, an operation may have begun, which would wait for it, and for the next. */
  private ProbeResult<Outcome> trigger(ActGuard guard) {
    if (calls.isSavepoint() && !slot.acquire()) {
      return ProbeResult.notYet(slot.display());
    }
    Optional<Stop> stop = slot.queuedMs() == 0 ? Optional.empty() : stopped.beforeTrigger();
    if (stop.isPresent()) {
      return done(interrupted(stop.get(), "; it was not triggered yet"));
    }
    guard.check();
    sent = clock.instant();
    Triggered unused = calls.trigger(request.trigger().id());
    accepted = true;
    return ProbeResult.notYet("the " + calls.what() + " was triggered");
  }

  private String duration() {
    return sent == null
        ? ""
        : String.format(
            Locale.ROOT, " in %.1f s", Duration.between(sent, clock.instant()).toMillis() / 1000.0);
  }

  private static ProbeResult<Outcome> done(Outcome outcome) {
    return ProbeResult.done(outcome);
  }
}
