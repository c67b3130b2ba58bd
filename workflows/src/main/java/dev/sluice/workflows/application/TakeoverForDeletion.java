package dev.sluice.workflows.application;

import dev.sluice.api.application.DeleteMode;
import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.application.ApplicationActivities.FreezeVersionRequest;
import dev.sluice.workflows.application.ApplicationDecision.Kind;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Takes over what Lyft's operator has deployed, in whatever phase it has left that, so that it can
 * be deleted like any other application.
 */
final class TakeoverForDeletion {

  private static final int ATTEMPTS = 3;

  private final DeleteApplicationProcedure log;
  private final OperationContext context;
  private final StepRunner steps;

  TakeoverForDeletion(DeleteApplicationProcedure log, OperationContext context, StepRunner steps) {
    this.log = log;
    this.context = context;
    this.steps = steps;
  }

  /**
   * What came of it.
   *
   * @param seen what is there then
   * @param why what could not be taken over has no final savepoint; empty when it was, or when
   *     there was nothing to take over
   */
  record Result(ApplicationSeen seen, Optional<String> why) {}

  /** Takes it over, if there is anything to take over. */
  Result takeOver(ApplicationSeen first) {
    ApplicationSeen seen = first;
    String why = "its Deployments are not both there";
    for (int attempt = 1; isLyfts(seen) && isRunning(seen) && attempt <= ATTEMPTS; attempt++) {
      try {
        adopt(seen);
      } catch (ActivityFailure failure) {
        why = steps.describe(failure);
        context.done("Attempt %d of %d failed: %s".formatted(attempt, ATTEMPTS, why));
      }
      seen = log.observe(Duration.ZERO);
    }
    return new Result(seen, notTakenOver(seen, why));
  }

  private static Optional<String> notTakenOver(ApplicationSeen seen, String why) {
    LyftLeft lyft = seen.lyft();
    if (seen.wanted().deleteMode() == DeleteMode.NONE) {
      return Optional.empty();
    }
    List<VersionRef> unnamed = seen.lyftsUnnamed();
    if (!unnamed.isEmpty()) {
      return Optional.of(
          "No savepoint of %s of Lyft's operator: the status does not say which one was deployed."
              .formatted(VersionRef.display(unnamed)));
    }
    return lyft == null || !isLyfts(seen)
        ? Optional.empty()
        : Optional.of(
            "No savepoint of %s of Lyft's operator: %s.".formatted(lyft.deployHash(), why));
  }

  private static boolean isLyfts(ApplicationSeen seen) {
    return seen.lyft() != null && seen.record().deployed() == null;
  }

  private static boolean isRunning(ApplicationSeen seen) {
    return seen.lyft() != null && seen.lyft().running();
  }

  private void adopt(ApplicationSeen seen) {
    String what = "Take it over from Lyft's operator, to delete it";
    FreezeVersionResult result =
        steps.tryOnce(
            Step.ADOPT_VERSION,
            what,
            ApplicationActivities.class,
            a ->
                a.adopt(
                    new FreezeVersionRequest(
                        context.report(
                            OperationState.RUNNING, Step.ADOPT_VERSION, null, what, null),
                        seen.generation(),
                        Kind.FIRST,
                        seen.record())));
    if (result instanceof FreezeVersionResult.Frozen) {
      context.done(what);
    }
  }
}
