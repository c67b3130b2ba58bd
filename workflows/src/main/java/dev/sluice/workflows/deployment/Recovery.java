package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.FreezeDeployedRequest;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.operation.StepRunner.Wake;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a recovery: is the job still lost, may it be brought back now, and then the spec
 * that is deployed becomes the target again. Until then nothing is touched.
 */
final class Recovery {

  private final OperationContext context;
  private final StepRunner steps;
  private final ResourceLook look;
  private final RunMemory memory;
  private final JobLoss loss;
  private int waitedAfter;

  Recovery(OperationContext context, StepRunner steps, ResourceLook look, RunMemory memory) {
    this.context = context;
    this.steps = steps;
    this.look = look;
    this.memory = memory;
    this.loss = loss(context.input());
  }

  private static JobLoss loss(OperationInput input) {
    RecoveryCause cause =
        Objects.requireNonNullElse(input.recovery(), RecoveryCause.JOB_MANAGER_MISSING);
    SeenUnhealthy seen = input.seenUnhealthy();
    Long atMs = seen == null ? null : seen.atMs();
    return new JobLoss(
        cause,
        seen == null ? null : seen.jobId(),
        atMs == null ? Workflow.getInfo().getRunStartedTimestampMillis() : atMs,
        seen == null ? null : seen.healedAfterMs());
  }

  /**
   * Begins the recovery, or waits until it may be begun.
   *
   * @param seen no operation is begun
   * @return why there is nothing to recover; null where it was begun, or is to be looked at again
   * @throws dev.sluice.workflows.operation.InterruptedRun when something is asked for
   */
  @Nullable String begin(Observation seen) {
    leaveIfNewer(seen);
    context.safePoint();
    String nothing = whyNothing(seen);
    if (nothing != null) {
      noteUp(seen, nothing);
    } else if (JobLoss.isUnknown(seen)) {
      awaitAnswer();
    } else {
      attempt(seen);
    }
    return nothing;
  }

  /** Learns the target of a recovery that an earlier run has begun, which may have come far. */
  void takeOver(Observation seen) {
    long generation = Objects.requireNonNull(seen.frozen()).generation();
    context.generations(null, generation);
    RecoveryStatus recovery =
        seen.recovery() == null ? new RecoveryStatus(1, null, cause()) : seen.recovery();
    FreezeResult unused = freeze(seen, true, recovery, "Recovering generation " + generation, null);
  }

  /** A spec that came after the one that was known, and perhaps given up, goes first. */
  private void leaveIfNewer(Observation seen) {
    Observation.Newest newest = seen.newest();
    long generation = newest.target().generation();
    if (newest.problem() == null
        && !newest.sameAsFrozen()
        && generation > context.input().generation()) {
      context.leaveForNewer(generation);
    }
  }

  /** A job that is up by itself begins the time after which the count begins anew. */
  private void noteUp(Observation seen, String why) {
    RecoveryStatus counted = seen.recovery();
    if (counted != null
        && counted.since() == null
        && seen.job() instanceof Alive alive
        && alive.isUp()) {
      String now =
          Instant.ofEpochMilli(Workflow.currentTimeMillis())
              .truncatedTo(ChronoUnit.SECONDS)
              .toString();
      FreezeResult unused =
          write(
              seen,
              false,
              counted.upSince(now),
              context.report(OperationState.SUCCEEDED, Step.REPORT, null, why, null));
    }
  }

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
    boolean lost = JobLoss.isUnknown(seen) && cause() != RecoveryCause.JOB_MANAGER_MISSING;
    return lost || loss.isStill(seen) ? null : "There is nothing to recover from any more.";
  }

  /** No answer is neither a loss nor a recovery. */
  private void awaitAnswer() {
    Observation settled = look.observe(StepLimits.PATIENCE);
    if (!JobLoss.isUnknown(settled)) {
      return;
    }
    String why =
        settled.job() instanceof Unreachable unreachable
            ? unreachable.why()
            : "The JobManager answers but has no job";
    StepFailure unknown =
        new StepFailure(
            Reasons.BLOCKED, why + ", so it is not known whether the job is still lost.", true);
    boolean asked = steps.hold(Step.OBSERVE, unknown, false) == Wake.RETRY;
    memory.retry(memory.retry() || asked);
  }

  private RecoveryCause cause() {
    return loss.cause();
  }

  /** Makes the deployed spec the target, unless that was done too often, or is too early. */
  private void attempt(Observation seen) {
    int before =
        memory.retry() ? 0 : RecoveryLimits.counted(seen.recovery(), Workflow.currentTimeMillis());
    if (before >= RecoveryLimits.MOST) {
      holdAtLimit(seen, before);
      return;
    }
    if (before > waitedAfter) {
      await(seen, before);
      return;
    }
    int number = before + 1;
    try {
      FreezeResult result =
          freeze(
              seen,
              true,
              new RecoveryStatus(number, null, cause()),
              "Recovering generation %d (attempt %d of %d): %s"
                  .formatted(context.target(), number, RecoveryLimits.MOST, context.input().why()),
              cause() == RecoveryCause.UNHEALTHY
                  ? EventReasons.RESTART_UNHEALTHY_JOB
                  : EventReasons.RECOVER_DEPLOYMENT);
      if (result instanceof FreezeResult.Invalid invalid) {
        hold(new StepFailure(Reasons.INVALID_SPEC, invalid.problem(), false));
      }
    } catch (ActivityFailure failure) {
      StepFailure why = steps.failure(failure);
      boolean asked = steps.hold(Step.FREEZE_TARGET, why, false) == Wake.RETRY;
      memory.retry(memory.retry() || asked);
    }
  }

  private void hold(StepFailure why) {
    memory.retry(steps.hold(Step.FREEZE_TARGET, why, false) == Wake.RETRY);
  }

  private void await(Observation seen, int before) {
    long until = context.in(RecoveryLimits.pauseAfter(before));
    String message =
        "Waits until %s before attempt %d of %d: %s"
            .formatted(
                Instant.ofEpochMilli(until).truncatedTo(ChronoUnit.SECONDS),
                before + 1,
                RecoveryLimits.MOST,
                context.input().why());
    context.signals().forgetRetry(); // one that comes once this is told ends the pause
    FreezeResult unused =
        freeze(seen, false, new RecoveryStatus(before, null, cause()), message, null);
    boolean unusedRetry = steps.pause(Step.OBSERVE, message, until);
    waitedAfter = before;
  }

  private void holdAtLimit(Observation seen, int before) {
    String message =
        "The job was brought back %d times and was lost again each time within %d minutes: %s. Remove the cause, then retry or apply another spec."
            .formatted(before, RecoveryLimits.WINDOW.toMinutes(), context.input().why());
    RecoveryStatus known = seen.recovery();
    if (known != null && known.since() != null) {
      FreezeResult unused =
          freeze(seen, false, new RecoveryStatus(before, null, cause()), message, null);
    }
    StepFailure why = new StepFailure(Reasons.RECOVERY_LIMIT, message, false);
    memory.retry(steps.hold(Step.OBSERVE, why, false) == Wake.RETRY);
  }

  /** Writes the attempt into the status, or why it is not made yet. */
  private FreezeResult freeze(
      Observation seen,
      boolean begins,
      RecoveryStatus after,
      String message,
      @Nullable String event) {
    FreezeResult result =
        write(
            seen,
            begins,
            after,
            context.report(
                OperationState.RUNNING,
                begins ? Step.FREEZE_TARGET : Step.OBSERVE,
                null,
                message,
                event));
    if (begins && result instanceof Frozen frozen) {
      memory.frozen(frozen);
      context.done(message);
    }
    return result;
  }

  private FreezeResult write(
      Observation seen, boolean begins, RecoveryStatus after, OperationReport report) {
    Observation.Newest newest = seen.newest();
    boolean givenUp = newest.problem() == null && !newest.sameAsFrozen();
    FreezeDeployedRequest request =
        new FreezeDeployedRequest(
            report,
            begins,
            givenUp ? Long.valueOf(newest.target().generation()) : null,
            seen.cluster().jobId(),
            seen.recovery(),
            after,
            begins && cause() == RecoveryCause.JOB_MANAGER_MISSING ? provedNewest(seen) : null,
            seen.standing());
    if (begins && !seen.begun()) {
      // each try begins with a look
      return steps.tryOnce(
          Step.FREEZE_TARGET,
          report.message(),
          ResourceActivities.class,
          a -> a.freezeDeployed(request));
    }
    return steps.run(
        begins ? Step.FREEZE_TARGET : Step.REPORT,
        report.message(),
        ResourceActivities.class,
        a -> a.freezeDeployed(request));
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
