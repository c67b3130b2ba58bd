package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Restored;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.model.StateRef;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a job which runs says it was restored from what it was given. It takes its own
 * checkpoints for an answer too: a job that failed over once was restored from one, and it could
 * only take it after the first restore.
 */
final class RestoreCheck implements UpCheck<RunningJob> {

  private final AwaitRunningRequest request;
  private final JobTarget target;
  private final FlinkRest flink;
  private final Clock clock;
  private final SettleTimer statistics;

  RestoreCheck(AwaitRunningRequest request, JobTarget target, FlinkRest flink, Clock clock) {
    this.request = request;
    this.target = target;
    this.flink = flink;
    this.clock = clock;
    this.statistics = new SettleTimer(clock, target.statisticsAge());
  }

  @Override
  public void notUp() {
    statistics.reset();
  }

  @Override
  public ProbeResult<RunningJob> silent(String seen) {
    return ProbeResult.notYet(seen);
  }

  @Override
  public boolean isOverdue() {
    return clock.millis() >= request.deadlineMs();
  }

  @Override
  public ProbeResult<RunningJob> overdue(String seen) {
    return ProbeResult.failed(
        FailureType.CLUSTER_NOT_READY,
        "Not every task of job %s was up in time: %s".formatted(request.job().jobId(), seen));
  }

  @Override
  public ProbeResult<RunningJob> check(JobOverview job) {
    boolean last = statistics.reached();
    Optional<String> restored =
        flink
            .checkpoints(target.endpoint(), job.jobId())
            .flatMap(Checkpoints::latestRestored)
            .flatMap(Restored::externalPath);
    return judge(job, restored.orElse(null), last);
  }

  private ProbeResult<RunningJob> judge(JobOverview job, @Nullable String path, boolean last) {
    StateRef wanted = request.restoredFrom();
    if (path == null && !(wanted instanceof StateRef.Empty) && !last) {
      return ProbeResult.notYet("all tasks run; waiting for Flink to say what was restored");
    }
    return fits(path, wanted)
        ? ProbeResult.done(new RunningJob(job.jobId(), job.tasks().observed().display(), path))
        : ProbeResult.failed(
            FailureType.RESTORED_ELSEWHERE,
            "Flink says that job %s %s; expected: %s"
                .formatted(
                    job.jobId(),
                    path == null ? "started without state" : "was restored from " + path,
                    wanted instanceof StateRef.Empty
                        ? "no state"
                        : Objects.requireNonNullElse(wanted.pathOrNull(), wanted.display())));
  }

  private boolean fits(@Nullable String path, StateRef wanted) {
    if (wanted instanceof StateRef.HaMetadata) {
      return path != null; // Flink itself knows what the newest is
    }
    String given = wanted.pathOrNull();
    if (path == null) {
      return given == null;
    }
    return RestoredPath.isOwnCheckpoint(path, request.job().jobId())
        || Optional.ofNullable(given)
            .filter(it -> RestoredPath.same(it, path, target.defaultScheme()))
            .isPresent();
  }
}
