package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Answers;
import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobType;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.AwaitStableRequest;
import dev.sluice.workflows.activity.JobActivities.StableJob;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job whose tasks are up counts as stable. Both conditions are told by Flink: since when
 * every task runs, by the JobManager's clock, and how many checkpoints were completed. Silence
 * proves nothing: a job is given up only by what Flink has answered. A long one is told.
 */
final class StabilityCheck implements UpCheck<StableJob> {

  private final AwaitStableRequest request;
  private final JobTarget target;
  private final FlinkRest flink;
  private final Clock clock;
  private final WantedStability wanted;
  private final CheckpointCount checkpoints;
  private final AnsweredTime time;
  private @Nullable JobType type;
  private StableAfter now;
  private final RestartsWithoutCheckpoint restarts = new RestartsWithoutCheckpoint();
  private long lastQuietMs;
  private long checkpointsMs;

  StabilityCheck(
      AwaitStableRequest request,
      JobTarget target,
      FlinkRest flink,
      Clock clock,
      WantedStability wanted) {
    this.request = request;
    this.target = target;
    this.flink = flink;
    this.clock = clock;
    this.wanted = wanted;
    this.checkpoints = new CheckpointCount(target, flink, clock);
    this.time = new AnsweredTime(clock);
    this.now = request.wanted();
    // what happened before this worker took over is not held against the job
    this.lastQuietMs = time.nowMs();
  }

  @Override
  public ProbeResult<StableJob> check(JobOverview job) {
    return Answers.await(checked(job));
  }

  private CompletableFuture<ProbeResult<StableJob>> checked(JobOverview job) {
    if (job.state() == FlinkJobState.FINISHED) {
      return stable("it has finished");
    }
    return wanted
        .now()
        .thenCompose(
            asked -> {
              now = asked;
              return asked.isNone() ? stable("nothing more is asked for") : unlessBatch(job);
            });
  }

  @Override
  public void asked() {
    time.asked();
  }

  @Override
  public void answered() {
    time.answered();
  }

  @Override
  public ProbeResult<StableJob> silent(String seen) {
    long limitMs = request.startMs();
    return time.unansweredMs() < limitMs
        ? ProbeResult.notYet(seen)
        : ProbeResult.failed(
            FailureType.JOB_MANAGER_SILENT,
            "Every task of job %s was up, and for %d s it cannot be asked whether it is stable: %s"
                .formatted(request.job().jobId(), limitMs / 1000, seen));
  }

  @Override
  public void notUp() {
    // Flink tells of the restart when every task is up again
  }

  /** Tasks of a batch job come and go, and it takes no checkpoints. */
  private CompletableFuture<ProbeResult<StableJob>> unlessBatch(JobOverview job) {
    CompletableFuture<JobType> told =
        type == null
            ? flink.jobType(target.endpoint(), job.jobId())
            : CompletableFuture.completedFuture(type);
    return told.thenCompose(
        it -> {
          type = it;
          return it == JobType.BATCH ? stable("it is a batch job") : measure(job);
        });
  }

  private CompletableFuture<ProbeResult<StableJob>> measure(JobOverview job) {
    Duration quiet = job.times().unchangedFor(clock.instant());
    if (quiet.toMillis() >= now.quietMs()) {
      lastQuietMs = time.nowMs();
    }
    checkpointsMs = 0;
    return now.checkpoints() == 0
        ? CompletableFuture.completedFuture(judge(now, quiet, 0))
        : checkpoints
            .settings(job)
            .thenCompose(
                periodic ->
                    periodic.isPresent()
                        ? counted(job, quiet, periodic.get())
                        : CompletableFuture.completedFuture(withoutCheckpoints(quiet)));
  }

  private CompletableFuture<ProbeResult<StableJob>> counted(
      JobOverview job, Duration quiet, CheckpointSettings settings) {
    checkpointsMs = longest(now.checkpoints(), settings);
    return checkpoints
        .completed(job)
        .thenApply(
            completed -> {
              int finished = job.tasks().in(JobOverview.TaskState.FINISHED);
              restarts.note(clock.instant().minus(quiet), completed, finished, time.nowMs());
              return judge(now, quiet, completed);
            });
  }

  /** For so long Flink itself may take for them, without one that fails; in ms. */
  private static long longest(int checkpoints, CheckpointSettings settings) {
    Duration each = settings.interval().orElse(Duration.ZERO).plus(settings.timeout());
    return Math.min(each.toMillis(), StableAfter.LONGEST.toMillis()) * checkpoints;
  }

  private ProbeResult<StableJob> withoutCheckpoints(Duration quiet) {
    return now.checkpointsByDefault()
        ? judge(new StableAfter(now.quietMs(), 0, true), quiet, 0)
        : ProbeResult.failed(
            FailureType.NO_CHECKPOINTS,
            "Job %s takes no checkpoints by itself, so it never completes the %d that %s asks for. Remove that annotation and set %s, or set execution.checkpointing.interval."
                .formatted(
                    request.job().jobId(),
                    now.checkpoints(),
                    Annotations.STABLE_AFTER_CHECKPOINTS,
                    Annotations.RETRY));
  }

  private ProbeResult<StableJob> judge(StableAfter asked, Duration quiet, long completed) {
    StabilityProgress progress = new StabilityProgress(asked, quiet, completed);
    return progress.isReached()
        ? ProbeResult.done(new StableJob(request.job().jobId(), progress.reached()))
        : ProbeResult.notYet("waiting until stable: " + progress.missing());
  }

  private CompletableFuture<ProbeResult<StableJob>> stable(String why) {
    return CompletableFuture.completedFuture(
        ProbeResult.done(new StableJob(request.job().jobId(), why)));
  }

  @Override
  public boolean isOverdue() {
    return time.nowMs() >= givenUpMs();
  }

  /**
   * When the job is given up, as known now, in {@link AnsweredTime}: when it was away from its time
   * without a restart for too long, when its checkpoints should all be there, or when it has no
   * turn to complete any because it keeps restarting.
   */
  private long givenUpMs() {
    long awayMs = lastQuietMs + patienceMs(now);
    long begunMs = request.deadlineMs() - patienceMs(request.wanted());
    return checkpointsMs == 0
        ? awayMs
        : Math.min(
            restarts.givenUpMs(patienceMs(now)),
            Math.min(awayMs, begunMs + patienceMs(now) + checkpointsMs));
  }

  private long patienceMs(StableAfter asked) {
    return AwaitStableRequest.patienceMs(asked, request.startMs());
  }

  /** By how much the job is given up later than at the deadline of the request, in ms. */
  long extensionMs() {
    return Math.max(0, givenUpMs() + time.silentMs() - request.deadlineMs());
  }

  @Override
  public ProbeResult<StableJob> overdue(String seen) {
    return ProbeResult.failed(
        FailureType.NOT_STABLE,
        "Job %s is not stable in time: %s".formatted(request.job().jobId(), seen));
  }
}
