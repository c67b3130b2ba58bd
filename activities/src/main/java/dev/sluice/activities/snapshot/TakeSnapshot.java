package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.flink.CheckpointOperation;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.SavepointFormat;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.flink.Triggered;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
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

  /** Flink remembers the result of a trigger for 5 min. */
  private static final Duration REMEMBERED = Duration.ofMinutes(4);

  private final TakeRequest request;
  private final Subject subject;
  private final FlinkRest flink;
  private final boolean fresh;
  private final SavepointLimiter.Slot slot;
  private final Clock clock;
  private final Throttle whileQueued;
  private final SettleTimer path;
  private boolean accepted;
  private @Nullable Instant sent;

  /**
   * What is taken.
   *
   * @param of what runs the job, as messages name it
   * @param jobs reads what runs the job; blocks
   * @param whereItMayBe the directory of a savepoint that is lost, for the end of a message
   */
  record Subject(
      String of,
      FlinkStateSnapshotSpec spec,
      Supplier<Optional<SnapshotJob>> jobs,
      Endpoint endpoint,
      String whereItMayBe) {

    private String what() {
      return spec.savepoint() == null ? "checkpoint" : "savepoint";
    }
  }

  /**
   * @param fresh whether it is certain that the trigger was not sent before this call
   */
  TakeSnapshot(
      TakeRequest request,
      Subject subject,
      FlinkRest flink,
      boolean fresh,
      SavepointLimiter.Slot slot,
      Clock clock) {
    this.request = request;
    this.subject = subject;
    this.flink = flink;
    this.fresh = fresh;
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
      return subject.spec().savepoint() == null ? checkpoint(guard) : savepoint(guard);
    } catch (FlinkRestException.Rejected refused) {
      if (subject.spec().savepoint() != null) {
        slot.failed();
      }
      return ProbeResult.done(new Outcome.Failed(String.valueOf(refused.getMessage()), true));
    } catch (FlinkRestException silent) {
      Optional<SnapshotJob> job = subject.jobs().get();
      Outcome ended =
          with(job.map(it -> it.replaced(trigger().jobId())).orElse(gone()), subject.whereItMayBe())
              .orElseThrow(() -> silent);
      return ProbeResult.done(ended);
    }
  }

  private Trigger trigger() {
    return request.trigger();
  }

  private Optional<Outcome.Failed> gone() {
    return Optional.of(new Outcome.Failed(subject.of() + " does not exist any more", false));
  }

  private ProbeResult<Outcome> savepoint(ActGuard guard) {
    SavepointOperation operation =
        flink.savepointStatus(subject.endpoint(), trigger().jobId(), trigger().id());
    if (operation instanceof SavepointOperation.Completed completed) {
      slot.completed();
      return taken(completed.location(), "savepoint");
    }
    if (operation instanceof SavepointOperation.Failed failed) {
      slot.failed();
      return failed(failed.cause().summary());
    }
    if (operation instanceof SavepointOperation.InProgress) {
      slot.hold();
      return inProgress();
    }
    return unknown(guard);
  }

  private ProbeResult<Outcome> checkpoint(ActGuard guard) {
    CheckpointOperation operation =
        flink.checkpointStatus(subject.endpoint(), trigger().jobId(), trigger().id());
    if (operation instanceof CheckpointOperation.Completed completed) {
      long id = completed.checkpointId();
      Optional<String> found =
          flink
              .completedCheckpoint(subject.endpoint(), trigger().jobId(), id)
              .flatMap(Checkpoints.Completed::externalPath);
      return found.isPresent() || path.reached()
          ? taken(found.orElse(null), "checkpoint " + id)
          : ProbeResult.notYet("the path of checkpoint " + id);
    }
    if (operation instanceof CheckpointOperation.Failed failed) {
      return failed(failed.cause().summary());
    }
    return operation instanceof CheckpointOperation.InProgress ? inProgress() : unknown(guard);
  }

  private ProbeResult<Outcome> taken(@Nullable String path, String what) {
    String duration =
        sent == null
            ? ""
            : String.format(
                Locale.ROOT,
                " in %.1f s",
                Duration.between(sent, clock.instant()).toMillis() / 1000.0);
    return ProbeResult.done(new Outcome.Taken(path, what + duration));
  }

  private ProbeResult<Outcome> inProgress() {
    accepted = true;
    return ProbeResult.notYet("the " + subject.what() + " is being taken");
  }

  private ProbeResult<Outcome> failed(String why) {
    return ProbeResult.done(stopped("; " + why).orElseGet(() -> new Outcome.Failed(why, true)));
  }

  private ProbeResult<Outcome> unknown(ActGuard guard) {
    if (request.mayTrigger() && isUnsent()) {
      return send(guard);
    }
    String lost =
        "The JobManager does not know the %s any more, as after a restart: it may have been completed%s"
            .formatted(subject.what(), subject.whereItMayBe());
    return ProbeResult.done(
        stopped(subject.whereItMayBe()).orElseGet(() -> new Outcome.Lost(lost)));
  }

  /** Where the answer to a trigger was lost, the JobManager may have been restarted since. */
  private boolean isUnsent() {
    return !accepted && ((fresh && sent == null) || isSameJobManager());
  }

  /** Whether the JobManager would still know what it was sent since the trigger was recorded. */
  private boolean isSameJobManager() {
    return clock.millis() - trigger().atMs() < REMEMBERED.toMillis()
        && flink
            .jobsOverview(subject.endpoint())
            .job(trigger().jobId())
            .filter(it -> it.times().start().toEpochMilli() < trigger().atMs())
            .isPresent();
  }

  private Optional<Outcome> stopped(String rest) {
    Optional<SnapshotJob> job = subject.jobs().get();
    return with(job.map(it -> it.stopped(trigger().jobId(), flink)).orElse(gone()), rest);
  }

  private static Optional<Outcome> with(Optional<Outcome.Failed> ended, String rest) {
    return ended.map(it -> new Outcome.Failed(it.why() + rest, it.counts()));
  }

  /** While it queued, an operation may have begun, which would wait for it, and for the next. */
  private ProbeResult<Outcome> send(ActGuard guard) {
    SavepointSpec savepoint = subject.spec().savepoint();
    if (savepoint != null && !slot.acquire()) {
      return ProbeResult.notYet(slot.display());
    }
    Optional<Outcome> stop =
        slot.queuedMs() == 0 ? Optional.empty() : stopped("; it was not triggered yet");
    if (stop.isPresent()) {
      return ProbeResult.done(stop.get());
    }
    guard.check();
    sent = clock.instant();
    Triggered unused = savepoint == null ? sendCheckpoint() : send(savepoint);
    accepted = true;
    return ProbeResult.notYet("the " + subject.what() + " was triggered");
  }

  private Triggered send(SavepointSpec savepoint) {
    return flink.triggerSavepoint(
        subject.endpoint(),
        trigger().jobId(),
        trigger().id(),
        // null: where the cluster is configured to put them
        savepoint.pathOrNull(),
        savepoint.format() == SavepointFormatType.NATIVE
            ? SavepointFormat.NATIVE
            : SavepointFormat.CANONICAL);
  }

  private Triggered sendCheckpoint() {
    CheckpointSpec spec =
        Objects.requireNonNullElseGet(subject.spec().checkpoint(), CheckpointSpec::new);
    return flink.triggerCheckpoint(
        subject.endpoint(), trigger().jobId(), trigger().id(), spec.typeOrFull());
  }
}
