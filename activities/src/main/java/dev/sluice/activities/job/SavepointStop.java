package dev.sluice.activities.job;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.flink.Triggered;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.StateRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes a savepoint of a job, which in most cases ends with it. Every look first asks Flink for the
 * trigger ids that this request may have used, and only then triggers: so it does not matter how
 * often it is restarted. One instance for each attempt of the activity.
 */
final class SavepointStop {

  /** How many savepoints may fail before the operation is parked. */
  static final int TRIGGERS = 3;

  /** While it waits for a slot, the job is looked at only to notice its end. */
  private static final Duration WHILE_QUEUED = Duration.ofSeconds(15);

  /** By how much the clock of a JobManager may be ahead of Temporal's. */
  private static final Duration CLOCK_SKEW = Duration.ofSeconds(30);

  private static final String BEGUN_AGAIN =
      "the JobManager restarted and began the job again, which may have been stopped before (if it"
          + " was not, %s alone stops it as it is now)".formatted(Annotations.RETRY);

  private final StopRequest request;
  private final JobTarget target;
  private final SavepointOptions options;
  private final FlinkRest flink;
  private final EndedJobState ended;
  private final RestartDetector begunAgain;
  private final SavepointLimiter.Slot slot;
  private final Clock clock;
  private final TriggerLog triggers;
  private final Throttle whileQueued;
  private final KnownType type = new KnownType();
  private final LookDeadline<TakenState> deadline = new LookDeadline<>(this::tooLate);
  private boolean untouched;

  /**
   * @param triggers of this attempt
   */
  SavepointStop(
      StopRequest request,
      JobTarget target,
      SavepointOptions options,
      FlinkRest flink,
      SavepointLimiter.Slot slot,
      TriggerLog triggers) {
    this.request = request;
    this.target = target;
    this.options = options;
    this.flink = flink;
    this.slot = slot;
    this.triggers = triggers;
    this.clock = triggers.clock();
    this.ended = new EndedJobState(target, flink, clock);
    this.begunAgain =
        new RestartDetector(target, Instant.ofEpochMilli(request.sinceMs()).plus(CLOCK_SKEW));
    this.whileQueued = new Throttle(clock, WHILE_QUEUED);
  }

  ProbeResult<TakenState> look(ActGuard guard) {
    boolean late = clock.millis() >= request.deadlineMs() + slot.queuedMs();
    if (!late && slot.isWaiting() && !whileQueued.isDue()) {
      return notYet(slot.display());
    }
    untouched = false;
    return deadline.look(late, () -> lookAtJob(guard, late));
  }

  private ProbeResult<TakenState> lookAtJob(ActGuard guard, boolean late) {
    return job().map(job -> lookAtTriggers(job, guard, late)).orElseGet(this::lookAtNothing);
  }

  private Optional<JobOverview> job() {
    return flink.jobsOverview(target.endpoint()).job(request.job().jobId());
  }

  private ProbeResult<TakenState> lookAtNothing() {
    return ended.isAbsentForGood()
        ? ended.notFound("the JobManager was restarted and does not know the job any more")
        : notYet("the JobManager answers but does not know the job (yet)");
  }

  private ProbeResult<TakenState> lookAtTriggers(JobOverview job, ActGuard guard, boolean late) {
    boolean over = job.state().isGloballyTerminal();
    TriggerLog.Asked seen = triggers.newest(over ? TRIGGERS : triggers.attempt());
    if (seen.operation() instanceof SavepointOperation.InProgress) {
      slot.hold();
      return notYet("the savepoint is being taken");
    }
    if (seen.operation() instanceof SavepointOperation.Completed completed) {
      return taken(completed);
    }
    // a trigger that its JobManager has forgotten may have stopped it
    return begunAgain.seen(job) && seen.operation() instanceof SavepointOperation.Unknown
        ? ended.notFound(BEGUN_AGAIN)
        : goOn(job, seen, guard, late);
  }

  private ProbeResult<TakenState> goOn(
      JobOverview job, TriggerLog.Asked seen, ActGuard guard, boolean late) {
    if (job.state().isGloballyTerminal()) {
      return state(job);
    }
    ended.alive();
    untouched = job.state() == FlinkJobState.RUNNING && !triggers.anyInDoubt();
    if (seen.operation() instanceof SavepointOperation.Failed failed) {
      return afterFailure(failed, seen.count());
    }
    return late ? notYet(job.display()) : trigger(job, seen.count(), guard);
  }

  private ProbeResult<TakenState> state(JobOverview job) {
    return ended.outcome(
        job,
        newest ->
            ProbeResult.done(
                new TakenState(newest.state(), "the job was " + job.word() + " already")));
  }

  private ProbeResult<TakenState> trigger(JobOverview job, int count, ActGuard guard) {
    if (!job.isUp()) {
      return impossibleYet(job);
    }
    if (!slot.acquire()) {
      return notYet(slot.display());
    }
    guard.check();
    triggers.sent(count);
    try {
      Triggered unused = send(triggers.id(count), target.savepointTarget().orElse(null));
    } catch (FlinkRestException.Rejected refused) {
      // sent again it is answered the same
      return failed(count, String.valueOf(refused.getMessage()), false);
    }
    return notYet("the savepoint was triggered");
  }

  private Triggered send(String triggerId, @Nullable String directory) {
    String jobId = request.job().jobId();
    return options.stops()
        ? flink.stopWithSavepoint(
            target.endpoint(), jobId, triggerId, directory, options.drain(), options.format())
        : flink.triggerSavepoint(target.endpoint(), jobId, triggerId, directory, options.format());
  }

  /** Flink would refuse; why, and whether that can change, is worth to know. */
  private ProbeResult<TakenState> impossibleYet(JobOverview job) {
    return job.state() == FlinkJobState.RUNNING && type.isBatch(job, target.endpoint(), flink)
        ? failed(1, "Flink takes no savepoints of batch jobs", false)
        : notYet("a savepoint is possible once all tasks are up: job is " + job.display());
  }

  /** A failure is only reported of a job that was seen running after it. */
  private ProbeResult<TakenState> afterFailure(SavepointOperation.Failed failure, int count) {
    String cause = failure.cause().summary();
    JobOverview job = job().orElse(null);
    if (job != null && job.state() == FlinkJobState.RUNNING) {
      return failed(count, cause, count < TRIGGERS);
    }
    untouched = false;
    return notYet(
        "savepoint %d failed (%s); waiting for the job to run again: job is %s"
            .formatted(count, cause, job == null ? "not there" : job.display()));
  }

  private ProbeResult<TakenState> failed(int count, String cause, boolean again) {
    String message =
        "Savepoint %d of job %s failed, the job runs on: %s"
            .formatted(count, request.job().jobId(), cause);
    slot.failed();
    return again
        ? ProbeResult.retry(FailureType.SAVEPOINT_FAILED, message)
        : ProbeResult.failed(FailureType.SAVEPOINT_FAILED, message);
  }

  private ProbeResult<TakenState> taken(SavepointOperation.Completed completed) {
    slot.completed();
    return ProbeResult.done(
        new TakenState(
            new StateRef.Savepoint(completed.location()),
            "savepoint" + triggers.duration(),
            Savepoint.ofOperation(clock.millis(), completed.location(), options.format().name())));
  }

  private ProbeResult<TakenState> tooLate(String what) {
    String message =
        String.format(
            Locale.ROOT, "Job %s was not stopped in time: %s", request.job().jobId(), what);
    return untouched
        ? ProbeResult.failed(FailureType.SAVEPOINT_FAILED, message + ". The job runs on")
        : ProbeResult.failed(FailureType.TIMED_OUT, message + ". The outcome is not known");
  }

  private static ProbeResult<TakenState> notYet(String words) {
    return ProbeResult.notYet(words);
  }
}
