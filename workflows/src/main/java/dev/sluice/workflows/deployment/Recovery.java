package dev.sluice.workflows.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.FreezeDeployedRequest;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Functions.Func1;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a recovery: is the job still lost, may it be brought back now, and then the spec
 * that is deployed becomes the target again. Until then nothing is touched.
 */
final class Recovery {

  /** Number of attempts, until the job was stable for {@link #WINDOW}. */
  static final int MOST = 5;

  /** A job that was up for so long after the last attempt begins the count anew. */
  static final Duration WINDOW = Duration.ofMinutes(30);

  /** Before the second attempt; doubled before each further one. */
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);

  private final LaneRun run;
  private final OperationContext context;
  private final RecoveryCause cause;
  private final SeenUnhealthy unhealthy;
  private int waitedAfter;

  Recovery(LaneRun run) {
    this.run = run;
    this.context = run.context;
    this.cause =
        Objects.requireNonNullElse(context.input().recovery(), RecoveryCause.JOB_MANAGER_MISSING);
    this.unhealthy =
        Objects.requireNonNullElse(
            context.input().seenUnhealthy(), new SeenUnhealthy(null, null, null));
  }

  /**
   * Begins the recovery, or waits until it may be begun.
   *
   * @param seen no operation is begun
   * @return why there is nothing to recover; null where it was begun, or is to be looked at again
   * @throws dev.sluice.workflows.operation.InterruptedRun when something is asked for
   */
  @Nullable String begin(Observation seen) {
    Observation.Newest newest = seen.newest();
    long generation = newest.target().generation();
    if (isDifferent(newest) && generation > context.input().generation()) {
      // a spec that came after the one that was known, and possibly given up, goes first
      context.leaveForNewer(generation);
    }
    context.safePoint();
    String nothing = whyNothing(seen);
    if (nothing != null) {
      noteUp(seen, nothing);
      return nothing;
    }
    if (isUnknown(seen)) {
      awaitAnswer();
    } else {
      attempt(seen);
    }
    return null;
  }

  /** A job that is up by itself begins the time after which the count begins anew. */
  private void noteUp(Observation seen, String why) {
    RecoveryStatus counted = seen.recovery();
    if (counted != null
        && counted.since() == null
        && seen.job() instanceof Alive alive
        && alive.isUp()) {
      Instant now = Instant.ofEpochMilli(Workflow.currentTimeMillis());
      FreezeResult unused =
          freeze(
              seen,
              false,
              counted.upSince(now.truncatedTo(ChronoUnit.SECONDS).toString()),
              context.report(OperationState.SUCCEEDED, Step.REPORT, null, why, null));
    }
  }

  private static boolean isDifferent(Observation.Newest newest) {
    return newest.problem() == null && !newest.sameAsFrozen();
  }

  // ---- is it still lost ----

  /** Null while the job is lost and wanted, or that is not known. */
  private @Nullable String whyNothing(Observation seen) {
    Observation.Target frozen = seen.frozen();
    if (frozen == null || frozen.suspended()) {
      return "No job is to run.";
    }
    if (!Objects.equals(frozen.generation(), seen.stableGeneration())) {
      return "Generation " + frozen.generation() + " was never stable, so it is not recovered.";
    }
    context.generations(null, frozen.generation());
    boolean unknown = isUnknown(seen) && cause != RecoveryCause.JOB_MANAGER_MISSING;
    Long seenAt = unhealthy.atMs();
    long lostAtMs = seenAt == null ? Workflow.getInfo().getRunStartedTimestampMillis() : seenAt;
    return unknown || isStillLost(seen, cause, unhealthy, lostAtMs)
        ? null
        : "There is nothing to recover from any more.";
  }

  /** The JobManager is there and does not report: it may not have begun the job yet. */
  static boolean isUnknown(Observation seen) {
    boolean mayHaveEnded = seen.cluster().highAvailability() != HighAvailability.OFF;
    return seen.cluster().present()
        && (seen.job() instanceof Unreachable || (seen.job() instanceof Absent && !mayHaveEnded));
  }

  /**
   * Whether the job is known to be lost in this way.
   *
   * @param lostAtMs when it was seen lost, ms since the epoch
   */
  static boolean isStillLost(
      Observation seen, RecoveryCause cause, SeenUnhealthy unhealthy, long lostAtMs) {
    return switch (cause) {
      case JOB_MANAGER_MISSING -> !seen.cluster().present();
      // with high availability a JobManager that was restarted does not list what has ended
      case JOB_FAILED ->
          seen.cluster().present()
              && (seen.job() instanceof Ended ended
                  ? ended.state() == FlinkJobState.FAILED
                  : seen.job() instanceof Absent && !isUnknown(seen));
      case UNHEALTHY -> seen.job() instanceof Alive alive && !isHealed(alive, unhealthy, lostAtMs);
    };
  }

  /**
   * Another job is not the one that was seen; one that is up and completes checkpoints, or does not
   * restart any more, neither.
   */
  private static boolean isHealed(Alive job, SeenUnhealthy unhealthy, long lostAtMs) {
    boolean other = unhealthy.jobId() != null && !unhealthy.jobId().equals(job.jobId());
    Long healedAfter = unhealthy.healedAfterMs();
    boolean settled = healedAfter != null && job.times().upForMs() >= healedAfter;
    return other || (job.isUp() && (job.times().checkpointAtMs() > lostAtMs || settled));
  }

  /** No answer is neither a loss nor a recovery. */
  private void awaitAnswer() {
    Observation settled = run.look(StepLimits.PATIENCE);
    if (isUnknown(settled)) {
      String why =
          settled.job() instanceof Unreachable unreachable
              ? unreachable.why()
              : "The JobManager answers but has no job";
      hold(Step.OBSERVE, Reasons.BLOCKED, why + ": whether the job is lost is not known.", true);
    }
  }

  private void hold(Step step, String reason, String why, boolean mayPass) {
    boolean before = run.retry();
    run.hold(step, new StepFailure(reason, why, mayPass), false);
    run.retry(run.retry() || (before && mayPass));
  }

  // ---- may it be brought back ----

  /**
   * How many attempts count.
   *
   * @param before what the status says; null when it says nothing
   * @param nowMs the job was seen lost, ms since the epoch
   */
  static int counted(@Nullable RecoveryStatus before, long nowMs) {
    if (before == null || before.attempts() == null) {
      return 0;
    }
    Instant now = Instant.ofEpochMilli(nowMs);
    boolean stable =
        WrittenTime.read(before.since()).filter(it -> !now.isBefore(it.plus(WINDOW))).isPresent();
    return stable ? 0 : before.attempts();
  }

  /** Makes the deployed spec the target, unless that was done too often, or is too early. */
  private void attempt(Observation seen) {
    int before = run.retry() ? 0 : counted(seen.recovery(), Workflow.currentTimeMillis());
    String why = context.input().why();
    if (before >= MOST) {
      String message =
          "The job was brought back %d times and was lost again each time within %d minutes: %s. Remove the cause, then retry or apply another spec."
              .formatted(before, WINDOW.toMinutes(), why);
      if (Objects.requireNonNull(seen.recovery()).since() != null) {
        // it is lost: the time that it is up does not go on
        FreezeResult unused =
            freeze(
                seen,
                false,
                new RecoveryStatus(before, null, cause),
                context.report(OperationState.RUNNING, Step.OBSERVE, null, message, null));
      }
      hold(Step.OBSERVE, Reasons.RECOVERY_LIMIT, message, false);
      return;
    }
    if (before > waitedAfter) {
      await(seen, before);
      return;
    }
    try {
      FreezeResult result =
          begin(
              seen,
              new RecoveryStatus(before + 1, null, cause),
              "Recovering generation %d (attempt %d of %d): %s"
                  .formatted(context.target(), before + 1, MOST, why),
              cause == RecoveryCause.UNHEALTHY
                  ? EventReasons.RESTART_UNHEALTHY_JOB
                  : EventReasons.RECOVER_DEPLOYMENT);
      if (result instanceof FreezeResult.Invalid invalid) {
        hold(Step.FREEZE_TARGET, Reasons.INVALID_SPEC, invalid.problem(), false);
      }
    } catch (ActivityFailure failure) {
      StepFailure failed = run.steps.failure(failure);
      hold(Step.FREEZE_TARGET, failed.type(), failed.message(), failed.mayPass());
    }
  }

  private void await(Observation seen, int before) {
    long until = context.in(FIRST_PAUSE.multipliedBy(1L << (before - 1)));
    String message =
        "Waits until %s before attempt %d of %d: %s"
            .formatted(
                Instant.ofEpochMilli(until).truncatedTo(ChronoUnit.SECONDS),
                before + 1,
                MOST,
                context.input().why());
    context.signals().forgetRetry(); // one that comes once this is told ends the pause
    FreezeResult unused =
        freeze(
            seen,
            false,
            new RecoveryStatus(before, null, cause),
            context.report(OperationState.RUNNING, Step.OBSERVE, null, message, null));
    boolean unusedRetry = run.steps.pause(Step.OBSERVE, message, until);
    waitedAfter = before;
  }

  private FreezeResult begin(
      Observation seen, RecoveryStatus after, String message, @Nullable String event) {
    FreezeResult result =
        freeze(
            seen,
            true,
            after,
            context.report(OperationState.RUNNING, Step.FREEZE_TARGET, null, message, event));
    if (result instanceof Frozen frozen) {
      run.frozen(frozen);
      context.done(message);
    }
    return result;
  }

  /** Writes the attempt into the status, or why it is not made yet. */
  private FreezeResult freeze(
      Observation seen, boolean begins, RecoveryStatus after, OperationReport report) {
    Step step = begins ? Step.FREEZE_TARGET : Step.REPORT;
    Observation.Newest newest = seen.newest();
    FreezeDeployedRequest request =
        new FreezeDeployedRequest(
            report,
            begins,
            isDifferent(newest) ? Long.valueOf(newest.target().generation()) : null,
            seen.cluster().jobId(),
            seen.recovery(),
            after,
            begins && cause == RecoveryCause.JOB_MANAGER_MISSING ? provedNewest(seen) : null,
            seen.standing());
    Func1<ResourceActivities, FreezeResult> call = a -> a.freezeDeployed(request);
    // each try begins with a look
    return begins
        ? run.steps.tryOnce(step, report.message(), ResourceActivities.class, call)
        : run.steps.run(step, report.message(), ResourceActivities.class, call);
  }

  /**
   * What the lost job was started from, where its metadata says that it has completed no checkpoint
   * and nothing of it is left that could: else a state that is long past would be gone back to.
   */
  private static @Nullable RestorePoint provedNewest(Observation seen) {
    RestorePoint from = seen.startedFrom();
    ClusterObservation cluster = seen.cluster();
    boolean proved =
        cluster.highAvailability() == HighAvailability.NO_CHECKPOINT
            && !cluster.present()
            && cluster.pods() == 0;
    return proved && from != null && !from.isSameJob() && from.starts(cluster.preparedJobId())
        ? from
        : null;
  }
}
