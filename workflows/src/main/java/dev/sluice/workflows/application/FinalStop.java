package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.workflows.application.ApplicationActivities.SavepointRequest;
import dev.sluice.workflows.application.ApplicationRecord.Trigger;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Stops the job of a version that is being deleted with a savepoint, in a few attempts. */
final class FinalStop {

  private static final int ATTEMPTS = 3;

  private final DeleteApplicationProcedure log;
  private final OperationContext context;
  private final StepRunner steps;
  private final VersionLimits limits;

  FinalStop(
      DeleteApplicationProcedure log,
      OperationContext context,
      StepRunner steps,
      VersionLimits limits) {
    this.log = log;
    this.context = context;
    this.steps = steps;
    this.limits = limits;
  }

  /**
   * What became of it.
   *
   * @param path of the savepoint; null when there is none
   * @param why there is none
   */
  record Result(@Nullable String path, String why) {}

  /** Whether a stop with savepoint of that job is under way. */
  boolean isBeingTaken(VersionRef version) {
    Trigger trigger = log.known().savepoint();
    return trigger != null && trigger.jobId().equals(version.jobId());
  }

  /** Takes it. */
  Result take(VersionRef version) {
    long deadline = context.in(Duration.ofMillis(limits.savepointMs()));
    String why = "";
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      Trigger trigger = trigger(version);
      if (trigger == null) {
        return new Result(null, "the status cannot be written");
      }
      try {
        SavepointOutcome outcome = stopped(version, trigger, deadline);
        if (outcome instanceof SavepointOutcome.Taken taken) {
          return new Result(taken.path(), "");
        }
        if (!(outcome instanceof SavepointOutcome.Failed failed)) {
          return new Result(null, words(outcome));
        }
        why = failed.why();
        boolean unused = log.write(log.known().taking(null), "A savepoint failed: " + why, null);
      } catch (ActivityFailure failure) {
        return new Result(null, steps.describe(failure));
      }
    }
    return new Result(null, why);
  }

  private SavepointOutcome stopped(VersionRef version, Trigger trigger, long deadline) {
    return steps.runOnce(
        Step.TAKE_VERSION_SAVEPOINT,
        "Stop the job of %s with a savepoint".formatted(version.display()),
        deadline,
        ApplicationActivities.class,
        a -> a.takeSavepoint(new SavepointRequest(log.request(version, deadline), trigger, true)));
  }

  private @Nullable Trigger trigger(VersionRef version) {
    Trigger before = log.known().savepoint();
    if (isBeingTaken(version) && before != null && before.stops()) {
      return before;
    }
    Trigger next =
        new Trigger(
            ApplicationMemory.newId(),
            String.valueOf(version.jobId()),
            context.in(Duration.ZERO),
            true);
    boolean written =
        log.write(
            log.known().in(ApplicationPhase.DELETING).taking(next),
            "Stop the job of %s with a savepoint".formatted(version.display()),
            ApplicationEvents.SAVEPOINTING_JOB);
    return written ? next : null;
  }

  private static String words(SavepointOutcome outcome) {
    if (outcome instanceof SavepointOutcome.Ended ended) {
      return "it had ended, %s, and left %s".formatted(ended.why(), ended.left().display());
    }
    return outcome instanceof SavepointOutcome.NoJob none
        ? none.why()
        : ((SavepointOutcome.Unknown) outcome).why();
  }
}
