package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobState;
import dev.sluice.workflows.job.CancelRequest;
import dev.sluice.workflows.job.StateTaken;
import dev.sluice.workflows.operation.FailureType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** Cancels a job and waits until it has ended. One instance for each attempt of the activity. */
final class JobCancellation {

  // accepted is not done: a JobManager that was killed right after has forgotten it
  private static final Duration ASK_AGAIN = Duration.ofSeconds(5);

  private final CancelRequest request;
  private final JobTarget target;
  private final FlinkRest flink;
  private final EndedJob ended;
  private final Clock clock;
  private Instant asked = Instant.MIN;
  private String progress = "nothing was seen of the job yet";

  JobCancellation(
      CancelRequest request, JobTarget target, FlinkRest flink, EndedJob ended, Clock clock) {
    this.request = request;
    this.target = target;
    this.flink = flink;
    this.ended = ended;
    this.clock = clock;
  }

  CompletableFuture<ProbeResult<StateTaken>> look() {
    if (clock.millis() >= request.deadlineMs()) {
      return outcome(
          ProbeResult.failed(
              FailureType.TIMED_OUT,
              "job %s was not cancelled in time: %s".formatted(request.jobId(), progress)));
    }
    return flink
        .jobsOverview(target.endpoint())
        .thenCompose(
            overview ->
                overview.job(request.jobId()).map(this::lookAt).orElseGet(this::lookAtNothing));
  }

  private CompletableFuture<ProbeResult<StateTaken>> lookAt(JobOverview job) {
    progress = "the job is " + job.state();
    if (!job.state().isGloballyTerminal()) {
      ended.alive();
      return cancel(job);
    }
    return request.keepState()
        ? ended.state(target, job).thenApply(found -> noneIsAnAnswer(job, found))
        : outcome(ProbeResult.done(new StateTaken(null, progress)));
  }

  private CompletableFuture<ProbeResult<StateTaken>> lookAtNothing() {
    progress = "the JobManager does not know the job";
    return ended
        .absent(target)
        .thenApply(
            outcome ->
                request.keepState() || outcome instanceof ProbeResult.NotYet
                    ? outcome
                    : ProbeResult.done(new StateTaken(null, progress)));
  }

  private CompletableFuture<ProbeResult<StateTaken>> cancel(JobOverview job) {
    ProbeResult<StateTaken> notYet = ProbeResult.notYet(progress);
    if (job.state() == JobState.CANCELLING || clock.instant().isBefore(asked.plus(ASK_AGAIN))) {
      return outcome(notYet);
    }
    asked = clock.instant();
    return flink.cancel(target.endpoint(), request.jobId()).thenApply(answer -> notYet);
  }

  /**
   * A job that was cancelled before its first checkpoint has no state, and none was lost. One that
   * is FINISHED may have been stopped with a savepoint by somebody else.
   */
  private static ProbeResult<StateTaken> noneIsAnAnswer(
      JobOverview job, ProbeResult<StateTaken> outcome) {
    return outcome instanceof ProbeResult.Failed && job.state() != JobState.FINISHED
        ? ProbeResult.done(new StateTaken(null, "the job had no state"))
        : outcome;
  }

  private static CompletableFuture<ProbeResult<StateTaken>> outcome(
      ProbeResult<StateTaken> outcome) {
    return CompletableFuture.completedFuture(outcome);
  }
}
