package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.SavepointFormat;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.workflows.job.StateTaken;
import dev.sluice.workflows.job.StopRequest;
import dev.sluice.workflows.operation.FailureType;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;

/**
 * Stops a job with a savepoint. Every look asks first what became of the trigger ids that this
 * request may have used, and only then triggers: so it does not matter how often it is begun anew.
 * One instance for each attempt of the activity.
 */
final class SavepointStop {

  /** So many savepoints may fail before a person is asked. */
  static final int TRIGGERS = 3;

  private final StopRequest request;
  private final JobTarget target;
  private final int attempt;
  private final FlinkRest flink;
  private final EndedJob ended;
  private final Clock clock;
  private int followed;
  private String progress = "nothing was seen of the job yet";

  /**
   * @param attempt of the activity, from 1: as many savepoints may have been tried
   */
  SavepointStop(
      StopRequest request,
      JobTarget target,
      int attempt,
      FlinkRest flink,
      EndedJob ended,
      Clock clock) {
    this.request = request;
    this.target = target;
    this.attempt = attempt;
    this.flink = flink;
    this.ended = ended;
    this.clock = clock;
  }

  CompletableFuture<ProbeResult<StateTaken>> look() {
    if (clock.millis() >= request.deadlineMs()) {
      return outcome(
          ProbeResult.failed(
              FailureType.TIMED_OUT,
              "job %s was not stopped with a savepoint in time: %s"
                  .formatted(request.jobId(), progress)));
    }
    // while a savepoint is being taken, one call a look is enough
    return followed == 0 ? lookAtJob() : follow();
  }

  private CompletableFuture<ProbeResult<StateTaken>> follow() {
    return status(followed)
        .thenCompose(
            operation -> {
              if (operation instanceof SavepointOperation.InProgress) {
                return notYet("the savepoint is being taken");
              }
              if (operation instanceof SavepointOperation.Completed completed) {
                return outcome(ProbeResult.done(taken(completed)));
              }
              followed = 0;
              return lookAtJob();
            });
  }

  private CompletableFuture<ProbeResult<StateTaken>> lookAtJob() {
    return flink
        .jobsOverview(target.endpoint())
        .thenCompose(
            overview ->
                overview
                    .job(request.jobId())
                    .map(job -> lookAtTrigger(job, 1))
                    .orElseGet(() -> ended.absent(target)));
  }

  private CompletableFuture<ProbeResult<StateTaken>> lookAtTrigger(JobOverview job, int count) {
    boolean over = job.state().isGloballyTerminal();
    return status(count)
        .thenCompose(
            operation -> {
              if (operation instanceof SavepointOperation.InProgress) {
                followed = count;
                return notYet("the savepoint is being taken");
              }
              if (operation instanceof SavepointOperation.Completed completed) {
                return outcome(ProbeResult.done(taken(completed)));
              }
              if (operation instanceof SavepointOperation.Failed failed) {
                return count < TRIGGERS && (over || count < attempt)
                    ? lookAtTrigger(job, count + 1)
                    : over ? ended.state(target, job) : savepointFailed(failed, count);
              }
              return over ? ended.state(target, job) : trigger(job, count);
            });
  }

  private CompletableFuture<ProbeResult<StateTaken>> trigger(JobOverview job, int count) {
    ended.alive();
    if (!job.allTasksRunning()) {
      return notYet(
          "a savepoint is possible once all tasks run: job is %s, %s"
              .formatted(job.state(), job.tasks().progress()));
    }
    return flink
        .stopWithSavepoint(
            target.endpoint(),
            request.jobId(),
            TriggerIds.of(request.triggerId(), count),
            target.savepointTarget().orElse(null),
            false,
            format())
        .thenCompose(
            triggered -> {
              followed = count;
              return notYet("the savepoint was triggered");
            })
        .exceptionallyCompose(
            thrown ->
                FlinkRestException.in(thrown).orElse(null)
                        instanceof FlinkRestException.Rejected refused
                    ? outcome(failure(String.valueOf(refused.getMessage()), count))
                    : CompletableFuture.failedFuture(thrown));
  }

  private SavepointFormat format() {
    return target.savepointFormat().equals(SavepointFormat.NATIVE.name())
        ? SavepointFormat.NATIVE
        : SavepointFormat.CANONICAL;
  }

  private CompletableFuture<ProbeResult<StateTaken>> savepointFailed(
      SavepointOperation.Failed failed, int count) {
    return outcome(failure(failed.cause().summary(), count));
  }

  private ProbeResult<StateTaken> failure(String cause, int count) {
    String message =
        "savepoint %d of job %s failed, the job runs on: %s"
            .formatted(count, request.jobId(), cause);
    return count < TRIGGERS
        ? ProbeResult.retry(FailureType.SAVEPOINT_FAILED, message)
        : ProbeResult.failed(FailureType.SAVEPOINT_FAILED, message);
  }

  private CompletableFuture<SavepointOperation> status(int count) {
    return flink.savepointStatus(
        target.endpoint(), request.jobId(), TriggerIds.of(request.triggerId(), count));
  }

  private static StateTaken taken(SavepointOperation.Completed completed) {
    return new StateTaken(completed.location(), "savepoint taken");
  }

  private CompletableFuture<ProbeResult<StateTaken>> notYet(String words) {
    progress = words;
    return outcome(ProbeResult.notYet(words));
  }

  private static CompletableFuture<ProbeResult<StateTaken>> outcome(
      ProbeResult<StateTaken> outcome) {
    return CompletableFuture.completedFuture(outcome);
  }
}
