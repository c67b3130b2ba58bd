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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
  private final EndedJob ended;
  private final BegunAgain begunAgain;
  private final Clock clock;
  private Instant asked = Instant.MIN;
  private @Nullable NewestState before;
  private String progress = "the job was not observed yet";

  JobCancellation(CancelRequest request, JobTarget target, FlinkRest flink, Clock clock) {
    this.request = request;
    this.target = target;
    this.flink = flink;
    this.ended = new EndedJob(target, flink, clock);
    this.begunAgain =
        new BegunAgain(
            target,
            request.begunAtMs() > 0 ? Instant.ofEpochMilli(request.begunAtMs()) : Instant.MAX);
    this.clock = clock;
  }

  CompletableFuture<ProbeResult<TakenState>> look(ActGuard guard) {
    boolean late = clock.millis() >= request.deadlineMs();
    CompletableFuture<ProbeResult<TakenState>> seen =
        flink
            .jobsOverview(target.endpoint())
            .thenCompose(
                overview ->
                    overview
                        .job(request.job().jobId())
                        .map(job -> lookAt(job, guard, late))
                        .orElseGet(this::lookAtNothing));
    return late ? seen.handle(this::tooLate) : seen;
  }

  private CompletableFuture<ProbeResult<TakenState>> lookAt(
      JobOverview job, ActGuard guard, boolean late) {
    progress = "the job is " + job.word();
    if (job.state().isGloballyTerminal()) {
      return request.onlyIf().keepsState() ? state(job) : notWanted();
    }
    ended.alive();
    boolean under = job.state() == FlinkJobState.CANCELLING;
    if (late || under || clock.instant().isBefore(asked.plus(ASK_AGAIN))) {
      return notYet();
    }
    return switch (request.onlyIf()) {
      case ANY_CASE -> cancel(guard);
      case STATE_IS_KEPT, PROGRESS_IS_KEPT -> cancelIfKept(job, guard);
      case NOT_PROGRESSED -> cancelUnlessProgressed(job, guard);
    };
  }

  /** It was decided some time ago that its state is not newer than what is recorded. */
  private CompletableFuture<ProbeResult<TakenState>> cancelUnlessProgressed(
      JobOverview job, ActGuard guard) {
    return ended
        .statistics(job)
        .thenCompose(
            newest ->
                newest.progressed()
                    ? outcome(
                        ProbeResult.failed(
                            FailureType.OUTDATED,
                            "job %s has progressed: it has %s"
                                .formatted(job.jobId(), newest.state().display())))
                    : cancel(guard));
  }

  private CompletableFuture<ProbeResult<TakenState>> lookAtNothing() {
    progress = "the JobManager does not know the job";
    if (!ended.isAbsentForGood()) {
      return notYet();
    }
    return request.onlyIf().keepsState()
        ? notFound("the JobManager was restarted and does not know the job any more")
        : notWanted();
  }

  /** Nothing is cancelled whose state would be deleted with it. */
  private CompletableFuture<ProbeResult<TakenState>> cancelIfKept(JobOverview job, ActGuard guard) {
    if (before != null) {
      return cancel(guard);
    }
    return flink
        .checkpointSettings(target.endpoint(), job.jobId())
        .thenCompose(
            settings -> {
              // without checkpointing there is nothing to delete
              Retention retention =
                  settings.map(CheckpointSettings::retention).orElse(Retention.RETAINED);
              if (retention != Retention.RETAINED) {
                return outcome(
                    ProbeResult.failed(FailureType.STATE_NOT_FOUND, wouldBeDeleted(retention)));
              }
              return ended
                  .statistics(job)
                  .thenCompose(
                      newest -> {
                        if (hasLostProgress(newest, begunAgain.seen(job))) {
                          return notFound(LOST_PROGRESS + "; it was not cancelled");
                        }
                        before = newest;
                        begunAgain.accept(job);
                        return cancel(guard);
                      });
            });
  }

  /** Also when the attempt that saw its progress has died together with the JobManager. */
  private boolean hasLostProgress(NewestState now, boolean begunSince) {
    return request.onlyIf() == OnlyIf.PROGRESS_IS_KEPT
        && (!now.progressed() || (before == null && begunSince));
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

  private CompletableFuture<ProbeResult<TakenState>> cancel(ActGuard guard) {
    return guard
        .act(
            () -> {
              asked = clock.instant();
              return flink.cancel(target.endpoint(), request.job().jobId());
            })
        .thenCompose(answer -> notYet());
  }

  private CompletableFuture<ProbeResult<TakenState>> state(JobOverview job) {
    return ended
        .newest(job)
        .thenCompose(
            found -> {
              if (found.isEmpty()) {
                progress = "the job is " + job.word() + ", its statistics are not final yet";
                return notYet();
              }
              NewestState newest = found.get();
              if (newest.state() instanceof StateRef.Unknown unknown) {
                return notFound("the job is " + job.word() + " and its " + unknown.reason());
              }
              boolean begunSince = begunAgain.seen(job);
              return wentBack(newest, begunSince)
                  .or(
                      () ->
                          Optional.of(LOST_PROGRESS)
                              .filter(why -> hasLostProgress(newest, begunSince)))
                  .map(this::notFound)
                  .orElseGet(
                      () ->
                          outcome(
                              ProbeResult.done(
                                  new TakenState(
                                      newest.state(),
                                      "newest state of the job, which is " + job.word()))));
            });
  }

  /** A JobManager without high availability begins the job again when it is restarted. */
  private Optional<String> wentBack(NewestState now, boolean begunAgain) {
    NewestState earlier = before;
    return earlier != null && earlier.progressed() && (begunAgain || !now.progressed())
        ? Optional.of(
            "the JobManager was restarted while the job was being cancelled, and began it again;"
                + " before, it had "
                + earlier.state().display())
        : Optional.empty();
  }

  private CompletableFuture<ProbeResult<TakenState>> notFound(String why) {
    return outcome(ProbeResult.failed(FailureType.STATE_NOT_FOUND, target.stateNotFound(why)));
  }

  private CompletableFuture<ProbeResult<TakenState>> notWanted() {
    return outcome(
        ProbeResult.done(new TakenState(new StateRef.Empty("its state is not needed"), progress)));
  }

  private ProbeResult<TakenState> tooLate(
      @Nullable ProbeResult<TakenState> seen, @Nullable Throwable thrown) {
    if (seen != null && !(seen instanceof ProbeResult.NotYet)) {
      return seen;
    }
    return ProbeResult.failed(
        FailureType.TIMED_OUT,
        "Job %s was not cancelled in time: %s. The outcome is not known"
            .formatted(
                request.job().jobId(),
                thrown == null ? progress : "the JobManager does not answer; before, " + progress));
  }

  private CompletableFuture<ProbeResult<TakenState>> notYet() {
    return outcome(ProbeResult.notYet(progress));
  }

  private static CompletableFuture<ProbeResult<TakenState>> outcome(
      ProbeResult<TakenState> outcome) {
    return CompletableFuture.completedFuture(outcome);
  }
}
