package dev.sluice.activities.resource;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.NewestState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.resource.Observation.JobSeen;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One look at the job of a cluster.
 *
 * @param seen the job as it is
 * @param settled its state can be told: it runs in earnest, or it has ended, or there is none
 */
record JobProbe(JobSeen seen, boolean settled) {

  /** The JobManager did not answer. */
  static final JobProbe UNKNOWN = new JobProbe(JobSeen.UNKNOWN, false);

  private static final JobProbe NO_JOB =
      new JobProbe(new JobSeen(true, null, null, 0, 0, null), true);

  /**
   * Asks Flink. Never fails: what cannot be told is {@link #UNKNOWN}.
   *
   * @param jobIds which job it may be, the likeliest first; else it is the one that started last
   */
  static CompletableFuture<JobProbe> at(FlinkRest flink, Endpoint endpoint, List<String> jobIds) {
    return flink
        .jobsOverview(endpoint)
        .thenCompose(
            overview ->
                job(overview, jobIds)
                    .map(job -> withState(flink, endpoint, job))
                    .orElseGet(() -> CompletableFuture.completedFuture(NO_JOB)))
        .exceptionally(silent -> UNKNOWN);
  }

  private static Optional<JobOverview> job(JobsOverview overview, List<String> jobIds) {
    return jobIds.stream()
        .map(overview::job)
        .flatMap(Optional::stream)
        .findFirst()
        .or(() -> overview.jobs().stream().max(Comparator.comparing(job -> job.times().start())));
  }

  private static CompletableFuture<JobProbe> withState(
      FlinkRest flink, Endpoint endpoint, JobOverview job) {
    return flink
        .checkpoints(endpoint, job.jobId())
        .thenApply(
            checkpoints ->
                Optional.ofNullable(
                    NewestState.of(job.state(), job.jobId(), checkpoints).state().pathOrNull()))
        .thenApply(path -> of(job, path));
  }

  private static JobProbe of(JobOverview job, Optional<String> latestState) {
    String state = job.state().wire();
    return new JobProbe(
        new JobSeen(
            true,
            job.jobId(),
            state,
            job.tasks().running(),
            job.tasks().total(),
            latestState.orElse(null)),
        job.isUp() || isOver(job.state()));
  }

  private static boolean isOver(FlinkJobState state) {
    return state.isGloballyTerminal() || state == FlinkJobState.SUSPENDED;
  }

  /** Whether the job has ended, so that its newest state will not change any more. */
  boolean ended() {
    String state = seen.state();
    return state != null && FlinkJobState.valueOf(state).isGloballyTerminal();
  }

  /** In words, for people. */
  String progress() {
    if (!seen.reachable()) {
      return "the JobManager does not answer";
    }
    return "job is %s, %d of %d tasks running"
        .formatted(
            Objects.requireNonNullElse(seen.state(), "not there"),
            seen.tasksRunning(),
            seen.tasksTotal());
  }
}
