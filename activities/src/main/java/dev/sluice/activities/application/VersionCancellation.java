package dev.sluice.activities.application;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.NewestState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.application.ApplicationActivities.CancelVersionRequest;
import dev.sluice.workflows.application.ApplicationActivities.CancelVersionRequest.OnlyIf;
import dev.sluice.workflows.application.CancelOutcome;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.StateRef;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cancels the job of a version, waits until it has ended by Flink's own word, and says what it has
 * left. One instance for each attempt of the activity.
 */
final class VersionCancellation {

  private final CancelVersionRequest request;
  private final FrozenVersion version;
  private final String jobId;
  private final Wait.Probe<TakenState> cancellation;
  private final FlinkRest flink;
  private final Clock clock;
  private boolean fits;
  private @Nullable JobOverview seen;

  /**
   * @param cancellation does it, and knows no age
   */
  VersionCancellation(
      CancelVersionRequest request,
      FrozenVersion version,
      String jobId,
      Wait.Probe<TakenState> cancellation,
      FlinkRest flink,
      Clock clock) {
    this.request = request;
    this.version = version;
    this.jobId = jobId;
    this.cancellation = cancellation;
    this.flink = flink;
    this.clock = clock;
    this.fits = request.onlyIf() == OnlyIf.ANY_CASE;
  }

  ProbeResult<CancelOutcome> look(ActGuard guard) {
    boolean late = clock.millis() >= request.on().deadlineMs();
    try {
      return look(flink.jobsOverview(version.endpoint()), guard, late);
    } catch (FlinkRestException silent) {
      if (late) {
        return unknown("its JobManager does not answer");
      }
      throw silent;
    }
  }

  private ProbeResult<CancelOutcome> look(JobsOverview overview, ActGuard guard, boolean late) {
    JobOverview job = overview.job(jobId).orElse(null);
    seen = job;
    if (fits || job == null || !isAlive(job)) {
      return outcome(cancellation.look(guard));
    }
    if (late) {
      return unknown("it is " + job.display());
    }
    Optional<String> why =
        whyNot(
            job,
            flink.checkpointSettings(version.endpoint(), jobId),
            flink.checkpoints(version.endpoint(), jobId));
    if (why.isPresent()) {
      return ProbeResult.done(new CancelOutcome.Left(why.get()));
    }
    fits = true;
    return outcome(cancellation.look(guard));
  }

  /** One that is being cancelled, by an earlier attempt, is waited for. */
  private static boolean isAlive(JobOverview job) {
    return !job.state().isGloballyTerminal() && job.state() != FlinkJobState.CANCELLING;
  }

  private Optional<String> whyNot(
      JobOverview job, Optional<CheckpointSettings> settings, Optional<Checkpoints> statistics) {
    NewestState newest = NewestState.of(job.state(), jobId, statistics);
    if (newest.state().pathOrNull() == null) {
      return Optional.of(
          "Job %s runs on, because it has nothing to go on from: %s"
              .formatted(jobId, newest.state().display()));
    }
    Retention retention = settings.map(CheckpointSettings::retention).orElse(Retention.RETAINED);
    if (newest.state() instanceof StateRef.Checkpoint && retention != Retention.RETAINED) {
      return Optional.of(
          ("Job %s runs on, because Flink would delete its checkpoints with it: set"
                  + " execution.checkpointing.externalized-checkpoint-retention to"
                  + " RETAIN_ON_CANCELLATION")
              .formatted(jobId));
    }
    StateAge.Limit limit = new StateAge.Limit(request.maxCheckpointAgeMs(), clock.instant());
    long age = limit.ageMs(StateAge.takenAt(statistics));
    return limit.excludes(age)
        ? Optional.of(
            "Job %s runs on, because its newest state, %s, is %s (maxCheckpointRestoreAgeSeconds is %d)"
                .formatted(
                    jobId,
                    newest.state().display(),
                    StateAge.display(age),
                    request.maxCheckpointAgeMs() / 1000))
        : Optional.empty();
  }

  private ProbeResult<CancelOutcome> outcome(ProbeResult<TakenState> result) {
    if (result instanceof ProbeResult.NotYet<TakenState> missing) {
      return ProbeResult.notYet(missing.progress());
    }
    JobOverview job = seen;
    if (result instanceof ProbeResult.Done<TakenState> done && done.result() != null) {
      TakenState taken = done.result();
      return ProbeResult.done(
          job == null
              ? noJob()
              : new CancelOutcome.Ended(
                  request.onlyIf() == OnlyIf.ANY_CASE
                      ? new StateRef.Unknown("it was not asked for")
                      : taken.state(),
                  taken.how()));
    }
    ProbeResult.Failed<TakenState> failed = (ProbeResult.Failed<TakenState>) result;
    return switch (failed.type()) {
      case FailureType.TIMED_OUT -> unknown(failed.message());
      case FailureType.STATE_NOT_FOUND -> ProbeResult.done(lost(job));
      default -> ProbeResult.failed(failed.type(), failed.message());
    };
  }

  private CancelOutcome lost(@Nullable JobOverview job) {
    if (job == null) {
      return noJob();
    }
    String why =
        "Job %s is %s, and Flink does not tell what it has left".formatted(jobId, job.word());
    return isAlive(job)
        ? new CancelOutcome.Left("Job %s runs on: its checkpoints are not kept".formatted(jobId))
        : new CancelOutcome.Ended(new StateRef.Unknown(why), why);
  }

  private CancelOutcome noJob() {
    return new CancelOutcome.NoJob(
        "The JobManager of %s answers and does not know job %s"
            .formatted(version.ref().display(), jobId));
  }

  private static ProbeResult<CancelOutcome> unknown(String why) {
    return ProbeResult.done(new CancelOutcome.Unknown(why));
  }
}
