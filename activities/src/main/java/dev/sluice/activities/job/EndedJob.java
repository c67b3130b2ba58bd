package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.workflows.job.StateTaken;
import dev.sluice.workflows.operation.FailureType;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Finds the state of a job that has ended, where no trigger id tells it any more: in its checkpoint
 * statistics, then in the savepoint directory.
 */
final class EndedJob {

  // a JobManager that starts answers some seconds before it has its job
  private static final Duration ABSENCE = Duration.ofSeconds(20);

  private final FlinkRest flink;
  private final SavepointDirectory directory;
  private final Executor background;
  private final SettleTimer statistics;
  private final SettleTimer absence;

  /**
   * @param statisticsAge how old checkpoint statistics may be
   * @param background for looking at files
   */
  EndedJob(
      FlinkRest flink,
      SavepointDirectory directory,
      Executor background,
      Clock clock,
      Duration statisticsAge) {
    this.flink = flink;
    this.directory = directory;
    this.background = background;
    this.statistics = new SettleTimer(clock, statisticsAge);
    this.absence = new SettleTimer(clock, ABSENCE);
  }

  /** The job lives: what was seen of its end is forgotten. */
  void alive() {
    statistics.reset();
    absence.reset();
  }

  /** The JobManager answers and does not know the job. */
  CompletableFuture<ProbeResult<StateTaken>> absent(JobTarget target) {
    statistics.reset();
    return absence.reached()
        ? search(target, "the JobManager was restarted and does not know the job any more")
        : outcome(ProbeResult.notYet("the JobManager answers and does not know the job (yet)"));
  }

  /** The JobManager says that the job has ended. */
  CompletableFuture<ProbeResult<StateTaken>> state(JobTarget target, JobOverview job) {
    absence.reset();
    if (!statistics.reached()) {
      return outcome(
          ProbeResult.notYet("the job is " + job.state() + ", its statistics are not final yet"));
    }
    return checkpoints(target)
        .thenCompose(
            found ->
                found
                    .flatMap(checkpoints -> NewestState.of(job.state(), checkpoints))
                    .map(path -> outcome(ProbeResult.done(newest(job, path))))
                    .orElseGet(
                        () -> search(target, "the job is " + job.state() + " without a state")));
  }

  private static StateTaken newest(JobOverview job, String path) {
    return new StateTaken(path, "newest state of the job, which is " + job.state());
  }

  /** Empty when the job has no statistics, because it takes no checkpoints. */
  CompletableFuture<Optional<Checkpoints>> checkpoints(JobTarget target) {
    return flink
        .checkpoints(target.endpoint(), target.jobId())
        .thenApply(Optional::of)
        .exceptionallyCompose(
            thrown ->
                FlinkRestException.in(thrown).orElse(null) instanceof FlinkRestException.NotFound
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : CompletableFuture.failedFuture(thrown));
  }

  private CompletableFuture<ProbeResult<StateTaken>> search(JobTarget target, String why) {
    String configured = target.savepointDirectory().orElse("");
    return CompletableFuture.supplyAsync(
        () ->
            directory
                .newest(configured, target.jobId())
                .<ProbeResult<StateTaken>>map(
                    path ->
                        ProbeResult.done(new StateTaken(path, "found in the savepoint directory")))
                .orElseGet(() -> lost(target, configured, why)),
        background);
  }

  private static ProbeResult<StateTaken> lost(JobTarget target, String configured, String why) {
    return ProbeResult.failed(
        FailureType.STATE_NOT_FOUND,
        ("the state of job %s is not known: %s. Look in %s for the newest directory %s* that has a"
                + " _metadata file. Where the Sluice worker can read it, retry finds it; else"
                + " create the resource anew with spec.job.initialSavepointPath set to it.")
            .formatted(
                target.jobId(),
                why,
                configured.isEmpty() ? "the savepoint directory" : configured,
                SavepointDirectory.prefix(target.jobId())));
  }

  private static CompletableFuture<ProbeResult<StateTaken>> outcome(
      ProbeResult<StateTaken> outcome) {
    return CompletableFuture.completedFuture(outcome);
  }
}
