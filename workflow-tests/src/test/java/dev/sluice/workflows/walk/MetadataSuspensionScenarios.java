package dev.sluice.workflows.walk;

import static dev.sluice.workflows.walk.Person.Reaction.ABORT;
import static dev.sluice.workflows.walk.Person.Reaction.RESTORE_NEWEST;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import java.util.List;
import java.util.function.Consumer;

/** Jobs of which only the high-availability metadata is left while they are suspended. */
final class MetadataSuspensionScenarios {

  private static final Spec RUNNING = Spec.of("old", JobShape.HEALTHY.highlyAvailable());
  private static final Spec NEXT = Spec.of("new", JobShape.HEALTHY.highlyAvailable());

  private MetadataSuspensionScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of("suspend-ha-silent", suspend(RUNNING, Environment::silenceJobManager)),
        Scenario.of(
            "suspend-ha-not-cancelled",
            suspend(RUNNING.mode(UpgradeMode.LAST_STATE).notCancelling(), e -> {})),
        Scenario.of("resume-ha", resume(NEXT, e -> {})),
        Scenario.of(
            "resume-ha-metadata-lost", resume(NEXT, Environment::loseMetadata), RESTORE_NEWEST),
        Scenario.of(
            "resume-ha-failing-aborted",
            resume(
                Spec.of("new", JobShape.HEALTHY.highlyAvailable().starting(Start.FAILS)), e -> {}),
            ABORT));
  }

  private static Consumer<Environment> suspend(Spec as, Consumer<Environment> before) {
    return e -> {
      StraightOperator.deploy(e, RUNNING);
      before.accept(e);
      e.resource().apply(as.asSuspended());
    };
  }

  private static Consumer<Environment> resume(Spec next, Consumer<Environment> before) {
    return e -> {
      StraightOperator.suspendToMetadata(e, RUNNING);
      before.accept(e);
      e.resource().apply(next);
    };
  }
}
