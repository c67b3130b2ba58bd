package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.Triggered;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.activities.job.SlotQueue;
import dev.sluice.workflows.snapshot.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to take a savepoint or checkpoint. Every look first asks Flink for the trigger, and
 * only what Flink does not know is triggered, always under the same id: so it does not matter how
 * often it is begun anew, and never are two in progress. One instance for each attempt of the
 * activity.
 */
final class SnapshotTake {

  private static final Duration WHILE_QUEUED = Duration.ofSeconds(15);

  /** How long Flink's statistics may take to tell where a checkpoint is. */
  private static final Duration PATH = Duration.ofSeconds(20);

  private final TakeRequest request;
  private final SnapshotCalls calls;
  private final StoppedJob.Question stopped;
  private final String whereItMayBe;
  private final SlotQueue slot;
  private final Clock clock;
  private final Throttle whileQueued;
  private final SettleTimer path;
  private final Set<String> over = new HashSet<>();
  private boolean accepted;
  private @Nullable Instant sent;
  private String progress = "it was not looked at yet";

  /**
   * @param stopped how the job was stopped, see {@link StoppedJob}
   * @param whereItMayBe what was triggered and is not known of, for the end of a message
   */
  SnapshotTake(
      TakeRequest request,
      SnapshotCalls calls,
      StoppedJob.Question stopped,
      String whereItMayBe,
      SlotQueue slot,
      Clock clock) {
    this.request = request;
    this.calls = calls;
    this.stopped = stopped;
    this.whereItMayBe = whereItMayBe;
    this.slot = slot;
    this.clock = clock;
    this.whileQueued = new Throttle(clock, WHILE_QUEUED);
    this.path = new SettleTimer(clock, PATH);
  }

  ProbeResult<Outcome> look(ActGuard guard) {
    boolean late = clock.millis() >= request.deadlineMs() + slot.queuedMs();
    if (!late && slot.isWaiting() && !whileQueued.isDue()) {
      return notYet(slot.display());
    }
    try {
      ProbeResult<Outcome> seen = judge(calls.status(request.trigger().id()), guard, late);
      return late && seen instanceof ProbeResult.NotYet ? tooLate(progress) : seen;
    } catch (FlinkRestException.Rejected rejected) {
      // Flink refuses the same request again, so the attempt has failed
      return done(new Outcome.Failed(String.valueOf(rejected.getMessage()), true));
    } catch (FlinkRestException silent) {
      if (late) {
        return tooLate("the JobManager does not answer; before, " + progress);
      }
      throw silent;
    }
  }

  private ProbeResult<Outcome> judge(TakenSnapshot told, ActGuard guard, boolean late) {
    if (told instanceof TakenSnapshot.InProgress) {
      return inProgress();
    }
    if (told instanceof TakenSnapshot.Completed completed) {
      return completed(completed);
    }
    if (told instanceof TakenSnapshot.Failed failed) {
      return failed(failed.why(), false);
    }
    if (accepted) {
      return lost();
    }
    return late ? notYet(progress) : afterEarlier(guard);
  }

  private ProbeResult<Outcome> inProgress() {
    accepted = true;
    holdSlot();
    return notYet("the " + calls.what() + " is being taken");
  }

  private void holdSlot() {
    if (calls.takesSlot()) {
      slot.hold();
    }
  }

  private ProbeResult<Outcome> completed(TakenSnapshot.Completed completed) {
    if (completed.path() != null) {
      return done(new Outcome.Taken(completed.path(), calls.what() + duration()));
    }
    Optional<String> found = calls.path(completed.checkpointId());
    return found.isPresent() || path.reached()
        ? done(
            new Outcome.Taken(
                found.orElse(null), "checkpoint " + completed.checkpointId() + duration()))
        : notYet("where checkpoint " + completed.checkpointId() + " is");
  }

  /** It was in progress, or taken by Flink, and then its JobManager was restarted. */
  private ProbeResult<Outcome> lost() {
    String lost =
        "the JobManager was restarted while the %s was being taken, and it is not known whether it was completed"
            .formatted(calls.what());
    return request.mayTrigger() ? failed(lost + whereItMayBe, true) : done(new Outcome.NoJob(lost));
  }

  /** An operation that stops the job has Flink abort what is in progress: that is no failure. */
  private ProbeResult<Outcome> failed(String why, boolean inDoubt) {
    return done(
        stopped
            .how(why)
            .map(it -> new Outcome.Failed(it.how() + "; " + why, it.failed(), inDoubt))
            .orElseGet(() -> new Outcome.Failed(why, true, inDoubt)));
  }

  /** One that was aborted may still be in progress; what it takes is not of this attempt. */
  private ProbeResult<Outcome> afterEarlier(ActGuard guard) {
    for (String earlier : request.mayTrigger() ? request.earlier() : List.<String>of()) {
      if (over.contains(earlier)) {
        continue;
      }
      if (calls.status(earlier) instanceof TakenSnapshot.InProgress) {
        holdSlot();
        return notYet("an attempt before is still in progress");
      }
      over.add(earlier);
    }
    return trigger(guard);
  }

  /** While it queued, an operation may have begun, which would wait for it, and for the next. */
  private ProbeResult<Outcome> trigger(ActGuard guard) {
    if (!request.mayTrigger()) {
      return done(new Outcome.NoJob("Nothing of the " + calls.what() + " was found"));
    }
    if (calls.takesSlot() && !slot.acquire()) {
      return notYet(slot.display());
    }
    Optional<StoppedJob.Stop> stop = slot.queuedMs() == 0 ? Optional.empty() : stopped.how(null);
    return stop.isPresent()
        ? done(new Outcome.Failed(stop.get().how() + "; it still queued", false))
        : send(guard);
  }

  private ProbeResult<Outcome> send(ActGuard guard) {
    guard.check();
    sent = clock.instant();
    Triggered unused = calls.trigger(request.trigger().id());
    accepted = true;
    return notYet("the " + calls.what() + " was triggered");
  }

  private static ProbeResult<Outcome> tooLate(String what) {
    return done(new Outcome.Unknown(what));
  }

  private String duration() {
    return sent == null
        ? ""
        : String.format(
            Locale.ROOT, " in %.1f s", Duration.between(sent, clock.instant()).toMillis() / 1000.0);
  }

  private ProbeResult<Outcome> notYet(String words) {
    progress = words;
    return ProbeResult.notYet(words);
  }

  private static ProbeResult<Outcome> done(Outcome outcome) {
    return ProbeResult.done(outcome);
  }
}
