package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.AwaitStableRequest;
import dev.sluice.workflows.activity.JobActivities.StableJob;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether every task of a job has run without a restart for as long as is asked for, by the
 * JobManager's own times. A job is given up only by what Flink has answered: a silence begins the
 * patience anew. One instance for each attempt of the activity.
 */
final class StabilityCheck implements UpCheck<StableJob> {

  private static final Duration READ_AGAIN = Duration.ofSeconds(10);

  /** The progress text is written into the status: it changes at most so often. */
  private static final int PARTS = 10;

  private final AwaitStableRequest request;
  private final JobTarget target;
  private final FlinkRest flink;
  private final Clock clock;
  private final Supplier<Optional<StableAfter>> read;
  private final Throttle reads;
  private final KnownType type = new KnownType();
  private StableAfter wanted;
  private long answersSinceMs;
  private @Nullable Long silentSinceMs;

  /**
   * @param read what the resource asks for now; may block, empty when that cannot be read
   */
  StabilityCheck(
      AwaitStableRequest request,
      JobTarget target,
      Clock clock,
      FlinkRest flink,
      Supplier<Optional<StableAfter>> read) {
    this.request = request;
    this.target = target;
    this.flink = flink;
    this.clock = clock;
    this.read = read;
    this.reads = new Throttle(clock, READ_AGAIN);
    this.answersSinceMs = clock.millis();
    this.wanted = request.wanted();
  }

  @Override
  public ProbeResult<StableJob> check(JobOverview job) {
    silentSinceMs = null;
    if (job.state() == FlinkJobState.FINISHED) {
      return stable("it has finished");
    }
    if (reads.isDue()) {
      Optional<StableAfter> now = FlinkRest.orNull(read);
      wanted = now == null ? wanted : now.orElse(wanted);
    }
    if (wanted.isNone()) {
      return stable("nothing more is asked for");
    }
    // tasks of a batch job come and go
    return type.isBatch(job, target.endpoint(), flink) ? stable("it is a batch job") : judge(job);
  }

  private ProbeResult<StableJob> judge(JobOverview job) {
    long quietMs = job.times().unchangedFor(clock.instant()).toMillis();
    if (quietMs >= wanted.quietMs()) {
      return stable(text(wanted.quietMs()) + " without a restart");
    }
    long part = Math.max(1, wanted.quietMs() / PARTS);
    return ProbeResult.notYet(
        "waiting until stable: %s of %s without a restart"
            .formatted(text(quietMs / part * part), text(wanted.quietMs())));
  }

  private ProbeResult<StableJob> stable(String why) {
    return ProbeResult.done(new StableJob(request.job().jobId(), why));
  }

  @Override
  public void notUp() {
    silentSinceMs = null;
  }

  @Override
  public ProbeResult<StableJob> silent(String seen) {
    answersSinceMs = clock.millis();
    silentSinceMs = silentSinceMs == null ? answersSinceMs : silentSinceMs;
    return answersSinceMs - silentSinceMs < request.startMs()
        ? ProbeResult.notYet(seen)
        : ProbeResult.failed(
            FailureType.JOB_MANAGER_SILENT,
            "Every task of job %s was up, and for %d s it cannot be asked whether it is stable: %s"
                .formatted(request.job().jobId(), request.startMs() / 1000, seen));
  }

  @Override
  public boolean isOverdue() {
    return clock.millis() >= givenUpMs();
  }

  private long givenUpMs() {
    return answersSinceMs + AwaitStableRequest.patienceMs(wanted, request.startMs());
  }

  /** By how much the job is given up later than at the deadline of the request, in ms. */
  long extensionMs() {
    return Math.max(0, givenUpMs() - request.deadlineMs());
  }

  @Override
  public ProbeResult<StableJob> overdue(String seen) {
    return ProbeResult.failed(
        FailureType.NOT_STABLE,
        "Job %s is not stable in time: %s".formatted(request.job().jobId(), seen));
  }

  /** {@code 90 min}, {@code 90 s}. */
  private static String text(long ms) {
    Duration duration = Duration.ofMillis(ms);
    return duration.toMinutes() > 0 && duration.toSecondsPart() == 0
        ? duration.toMinutes() + " min"
        : duration.toSeconds() + " s";
  }
}
