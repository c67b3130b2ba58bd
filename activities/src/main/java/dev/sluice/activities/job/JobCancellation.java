package dev.sluice.activities.job;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.StateRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Cancels a job and waits until it has ended. One instance for each attempt of the activity. */
final class JobCancellation {

  // accepted is not done: a JobManager that was killed right after has forgotten it
  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

  private static final String LOST_PROGRESS =
      "the checkpoints that the job had are not those that it has now: its JobManager was restarted"
          + " and began it again";

  private final CancelRequest request;
  private final JobTarget target;
  private final FlinkRest flink;
  private final EndedJobState ended;
  private final RestartDetector begunAgain;
  private final Clock clock;
  private Instant asked = Instant.MIN;
  private @Nullable NewestState before;
  private final LookDeadline<TakenState> deadline = new LookDeadline<>(this::tooLate);

  JobCancellation(CancelRequest request, JobTarget target, FlinkRest flink, Clock clock) {
    this.request = request;
    this.target = target;
    this.flink = flink;
    this.ended = new EndedJobState(target, flink, clock);
    this.begunAgain =
        new RestartDetector(
            target,
            request.begunAtMs() > 0 ? Instant.ofEpochMilli(request.begunAtMs()) : Instant.MAX);
    this.clock = clock;
  }

  ProbeResult<TakenState> look(ActGuard guard) {
    boolean late = clock.millis() >= request.deadlineMs();
    return deadline.look(late, () -> look(guard, late));
  }

  private ProbeResult<TakenState> look(ActGuard guard, boolean late) {
    return flink
        .jobsOverview(target.endpoint())
        .job(request.job().jobId())
        .map(job -> lookAt(job, guard, late))
        .orElseGet(this::lookAtNothing);
  }

  private ProbeResult<TakenState> lookAt(JobOverview job, ActGuard guard, boolean late) {
    String isNow = "the job is " + job.word();
    if (job.state().isGloballyTerminal()) {
      return request.onlyIf().keepsState() ? state(job) : notWanted(isNow);
    }
    ended.alive();
    boolean under = job.state() == FlinkJobState.CANCELLING;
    if (late || under || clock.instant().isBefore(asked.plus(ASK_AGAIN))) {
      return ProbeResult.notYet(isNow);
    }
    return switch (request.onlyIf()) {
      case ANY_CASE -> cancel(job, guard);
      case STATE_IS_KEPT, PROGRESS_IS_KEPT -> cancelIfKept(job, guard);
      case NOT_PROGRESSED -> cancelUnlessProgressed(job, guard);
    };
  }

  /** It was decided some time ago that its state is not newer than what is recorded. */
  private ProbeResult<TakenState> cancelUnlessProgressed(JobOverview job, ActGuard guard) {
    NewestState newest = ended.statistics(job);
    return newest.progressed()
        ? ProbeResult.failed(
            FailureType.OUTDATED,
            "job %s has progressed: it has %s".formatted(job.jobId(), newest.state().display()))
        : cancel(job, guard);
  }

  private ProbeResult<TakenState> lookAtNothing() {
    String unknown = "the JobManager does not know the job";
    if (!ended.isAbsentForGood()) {
      return ProbeResult.notYet(unknown);
    }
    return request.onlyIf().keepsState()
        ? ended.notFound("the JobManager was restarted and does not know the job any more")
        : notWanted(unknown);
  }

  /** Nothing is cancelled whose state would be deleted with it. */
  private ProbeResult<TakenState> cancelIfKept(JobOverview job, ActGuard guard) {
    if (before != null) {
      return cancel(job, guard);
    }
    // without checkpointing there is nothing to delete
    Retention retention =
        flink
            .checkpointSettings(target.endpoint(), job.jobId())
            .map(CheckpointSettings::retention)
            .orElse(Retention.RETAINED);
    if (retention != Retention.RETAINED) {
      return ProbeResult.failed(FailureType.STATE_NOT_FOUND, wouldBeDeleted(retention));
    }
    NewestState newest = ended.statistics(job);
    if (hasLostProgress(newest, job)) {
      return ended.notFound(LOST_PROGRESS + "; it was not cancelled");
    }
    before = newest;
    begunAgain.accept(job);
    return cancel(job, guard);
  }

  /** Also when the attempt that saw its progress has died together with the JobManager. */
  private boolean hasLostProgress(NewestState now, JobOverview job) {
    boolean begunSince = begunAgain.seen(job);
    boolean expected =
        request.onlyIf() == OnlyIf.PROGRESS_IS_KEPT || (before != null && before.progressed());
    return expected && (begunSince || !now.progressed());
  }

  private String wouldBeDeleted(Retention retention) {
    String why =
        retention == Retention.DELETED
            ? "Flink deletes its checkpoints when it is cancelled"
            : "Flink does not say whether it keeps its checkpoints when it is cancelled";
    return ("Job %s was not cancelled and runs on: %s. Set"
            + " execution.checkpointing.externalized-checkpoint-retention to"
            + " RETAIN_ON_CANCELLATION (or not to anything else in the job's code), or stop it"
            + " with a savepoint.")
        .formatted(request.job().jobId(), why);
  }

  private ProbeResult<TakenState> cancel(JobOverview job, ActGuard guard) {
    guard.check();
    asked = clock.instant();
    flink.cancel(target.endpoint(), job.jobId());
    return ProbeResult.notYet("the job is " + job.word());
  }

  private ProbeResult<TakenState> state(JobOverview job) {
    return ended.outcome(
        job,
        newest ->
            hasLostProgress(newest, job)
                ? ended.notFound(LOST_PROGRESS)
                : ProbeResult.done(
                    new TakenState(
                        newest.state(), "newest state of the job, which is " + job.word())));
  }

  private static ProbeResult<TakenState> notWanted(String how) {
    return ProbeResult.done(new TakenState(new StateRef.Empty("its state is not needed"), how));
  }

  private ProbeResult<TakenState> tooLate(String what) {
    return ProbeResult.failed(
        FailureType.TIMED_OUT,
        "Job %s was not cancelled in time: %s. The outcome is not known"
            .formatted(request.job().jobId(), what));
  }
}
