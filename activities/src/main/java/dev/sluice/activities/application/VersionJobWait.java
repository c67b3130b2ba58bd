package dev.sluice.activities.application;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobType;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.application.VersionJob;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Waits until every task of the job of a version is up, however long ago it was started. One
 * instance for each attempt of the activity.
 */
final class VersionJobWait {

  // a JobManager that starts answers some seconds before it has its job
  private static final Duration ABSENCE = Duration.ofSeconds(20);

  /** A worker that was away until the deadline looks for so long before it gives the job up. */
  private static final Duration GRACE = Duration.ofSeconds(15);

  private final FrozenVersion version;
  private final String jobId;
  private final long deadlineMs;
  private final Function<JobOverview, ProbeResult<RunningJob>> restoreCheck;
  private final FlinkRest flink;
  private final Clock clock;
  private final SettleTimer absence;
  private final SettleTimer failure;
  private final SettleTimer watched;
  private @Nullable JobType type;
  private String progress = "the job was not observed yet";

  /**
   * @param restoreCheck checks what it was restored from, once it is up
   */
  VersionJobWait(
      FrozenVersion version,
      String jobId,
      long deadlineMs,
      Function<JobOverview, ProbeResult<RunningJob>> restoreCheck,
      FlinkRest flink,
      Clock clock) {
    this.version = version;
    this.jobId = jobId;
    this.deadlineMs = deadlineMs;
    this.restoreCheck = restoreCheck;
    this.flink = flink;
    this.clock = clock;
    this.absence = new SettleTimer(clock, ABSENCE);
    this.failure = new SettleTimer(clock, Duration.ofSeconds(3));
    this.watched = new SettleTimer(clock, GRACE);
  }

  ProbeResult<VersionJob> look() {
    boolean late = watched.reached() && clock.millis() >= deadlineMs;
    try {
      ProbeResult<VersionJob> seen = look(flink.jobsOverview(version.endpoint()));
      return late && seen instanceof ProbeResult.NotYet<VersionJob> missing
          ? notUp(missing.progress())
          : seen;
    } catch (FlinkRestException silent) {
      if (late) {
        return done(new VersionJob.Unknown("The JobManager does not answer; before, " + progress));
      }
      throw silent;
    }
  }

  /** How much longer than its deadline it may take, in ms. */
  static long extensionMs() {
    return GRACE.toMillis();
  }

  private ProbeResult<VersionJob> look(JobsOverview overview) {
    JobOverview job = overview.job(jobId).orElse(null);
    if (job == null) {
      return absence.reached()
          ? done(
              new VersionJob.Lost(
                  "The JobManager of %s answers and does not know job %s"
                      .formatted(version.ref().display(), jobId)))
          : notYet("the JobManager answers but does not know the job (yet)");
    }
    absence.reset();
    return switch (job.state()) {
      case FINISHED -> done(new VersionJob.Finished("job " + jobId + " is FINISHED"));
      case CANCELED ->
          done(new VersionJob.Failed(FailureType.JOB_FAILED, "Job " + jobId + " was cancelled"));
      case FAILED -> failed();
      default -> job.isUp() || upAsBatch(job) ? up(job) : notYet(job.display());
    };
  }

  private ProbeResult<VersionJob> up(JobOverview job) {
    progress = job.display();
    return checked(restoreCheck.apply(job));
  }

  private static ProbeResult<VersionJob> checked(ProbeResult<RunningJob> seen) {
    if (seen instanceof ProbeResult.NotYet<RunningJob> missing) {
      return ProbeResult.notYet(missing.progress());
    }
    if (seen instanceof ProbeResult.Done<RunningJob> done && done.result() != null) {
      return ProbeResult.done(
          new VersionJob.Up(done.result().tasks(), done.result().restoredFrom()));
    }
    ProbeResult.Failed<RunningJob> failed = (ProbeResult.Failed<RunningJob>) seen;
    return ProbeResult.done(new VersionJob.Failed(failed.type(), failed.message()));
  }

  /** Asks for the type of the job, once, when that would make a difference. */
  private boolean upAsBatch(JobOverview job) {
    if (!job.isUpAsBatch() || type != null) {
      return job.isUpAsBatch() && type == JobType.BATCH;
    }
    try {
      type = flink.jobType(version.endpoint(), jobId);
      return type == JobType.BATCH;
    } catch (FlinkRestException unknown) {
      return false;
    }
  }

  private ProbeResult<VersionJob> failed() {
    // the exception history comes from a cache
    boolean last = failure.reached();
    Optional<String> exception = exception();
    return exception.isEmpty() && !last
        ? notYet("the job is FAILED; waiting for its exception")
        : done(
            new VersionJob.Failed(
                FailureType.JOB_FAILED,
                "Job %s failed: %s"
                    .formatted(jobId, exception.orElse("Flink does not say why; see its log"))));
  }

  private Optional<String> exception() {
    try {
      return flink
          .exceptions(version.endpoint(), jobId, 1)
          .latest()
          .map(latest -> latest.cause().summary());
    } catch (FlinkRestException unknown) {
      return Optional.empty();
    }
  }

  private ProbeResult<VersionJob> notUp(String missing) {
    return done(
        new VersionJob.NotUp(
            FailureType.CLUSTER_NOT_READY,
            "Not every task of job %s was up in time: %s%s"
                .formatted(
                    jobId,
                    missing,
                    exception().map(it -> ". Newest exception: " + it).orElse(""))));
  }

  private ProbeResult<VersionJob> notYet(String words) {
    progress = words;
    return ProbeResult.notYet(words);
  }

  private static ProbeResult<VersionJob> done(VersionJob job) {
    return ProbeResult.done(job);
  }
}
