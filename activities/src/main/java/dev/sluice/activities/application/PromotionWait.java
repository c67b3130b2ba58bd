package dev.sluice.activities.application;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.LookDeadline;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.ApplicationActivities.PromotionRequest;
import dev.sluice.workflows.application.PromotionOutcome;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Waits until a job has run for as long without a restart, and has completed as many checkpoints,
 * as is asked for: by Flink's own times and counters. One instance for each attempt.
 */
final class PromotionWait {

  private final PromotionRequest request;
  private final FrozenVersion version;
  private final String jobId;
  private final FlinkRest flink;
  private final Clock clock;
  private final LookDeadline<PromotionOutcome> deadline =
      new LookDeadline<>(PromotionWait::tooLate);

  PromotionWait(
      PromotionRequest request, FrozenVersion version, String jobId, FlinkRest flink, Clock clock) {
    this.request = request;
    this.version = version;
    this.jobId = jobId;
    this.flink = flink;
    this.clock = clock;
  }

  ProbeResult<PromotionOutcome> look() {
    boolean late = clock.millis() >= request.on().deadlineMs();
    return deadline.look(late, () -> look(flink.jobsOverview(version.endpoint())));
  }

  private ProbeResult<PromotionOutcome> look(JobsOverview overview) {
    JobOverview job = overview.job(jobId).orElse(null);
    if (job == null) {
      // it may be recovered, which is another operation's
      return notYet("the JobManager answers but does not know the job (yet)");
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return done(new PromotionOutcome.Passed("its job has finished"));
    }
    if (job.state().isGloballyTerminal()) {
      return done(new PromotionOutcome.Failed("Its job %s is %s".formatted(jobId, job.word())));
    }
    Duration quiet = Duration.ofMillis(request.gates().quietMs());
    Duration unchanged = job.times().unchangedFor(clock.instant());
    if (!job.isUp() || unchanged.compareTo(quiet) < 0) {
      return notYet(
          job.isUp()
              ? "up for %d s of %d s".formatted(unchanged.toSeconds(), quiet.toSeconds())
              : "job is " + job.display());
    }
    return judge(unchanged, flink.checkpoints(version.endpoint(), jobId));
  }

  private ProbeResult<PromotionOutcome> judge(
      Duration unchanged, Optional<Checkpoints> statistics) {
    long completed = statistics.map(it -> it.counts().completed()).orElse(0L);
    int asked = request.gates().checkpoints();
    return completed < asked
        ? notYet("%d of %d checkpoints".formatted(completed, asked))
        : done(
            new PromotionOutcome.Passed(
                "%d s without a restart, %d checkpoints"
                    .formatted(unchanged.toSeconds(), completed)));
  }

  private static ProbeResult<PromotionOutcome> tooLate(String what) {
    return done(new PromotionOutcome.Waiting(what));
  }

  private static ProbeResult<PromotionOutcome> notYet(String words) {
    return ProbeResult.notYet(words);
  }

  private static ProbeResult<PromotionOutcome> done(PromotionOutcome outcome) {
    return ProbeResult.done(outcome);
  }
}
