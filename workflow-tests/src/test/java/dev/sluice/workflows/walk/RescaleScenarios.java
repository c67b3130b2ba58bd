package dev.sluice.workflows.walk;

import static dev.sluice.workflows.walk.Person.Reaction.ABORT;
import static dev.sluice.workflows.walk.Person.Reaction.CORRECT;
import static dev.sluice.workflows.walk.Person.Reaction.HEAL;
import static dev.sluice.workflows.walk.Person.Reaction.REVERT;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.RescaleEffects;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import java.util.List;
import java.util.function.Consumer;

/** Jobs that are to run with another parallelism, and can change it while they run. */
final class RescaleScenarios {

  private static final JobShape HEALTHY = JobShape.HEALTHY;

  private RescaleScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of("rescale", rescale("", HEALTHY, 1, 3)),
        Scenario.of("rescale-down", rescale("", HEALTHY, 3, 1)),
        Scenario.of("rescale-ha", rescale("", HEALTHY.highlyAvailable(), 1, 3)),
        Scenario.of("rescale-few-slots", rescale(RescaleEffects.FEW_SLOTS, HEALTHY, 1, 3), HEAL),
        Scenario.of(
            "rescale-few-slots-aborted", rescale(RescaleEffects.FEW_SLOTS, HEALTHY, 1, 3), ABORT),
        Scenario.of(
            "rescale-few-slots-reverted", rescale(RescaleEffects.FEW_SLOTS, HEALTHY, 1, 3), REVERT),
        Scenario.of(
            "rescale-few-slots-corrected",
            rescale(RescaleEffects.FEW_SLOTS, HEALTHY, 1, 3),
            CORRECT),
        Scenario.of("rescale-contested", rescale(RescaleEffects.CONTESTED, HEALTHY, 1, 3), HEAL),
        Scenario.of(
            "rescale-without-checkpoints", rescale("", HEALTHY.checkpointingEvery(0), 1, 3)),
        Scenario.of(
            "rescale-too-far", rescale(RescaleEffects.AT_MOST_THREE, HEALTHY, 1, 5), REVERT),
        Scenario.of("rescale-denied", rescale(RescaleEffects.DENIED, HEALTHY, 1, 3)),
        Scenario.of("rescale-refused", rescale(RescaleEffects.REFUSED, HEALTHY, 1, 3)));
  }

  private static Consumer<Environment> rescale(String word, JobShape shape, int from, int to) {
    Spec spec = Spec.of((RescaleEffects.ADAPTIVE + " " + word).trim(), shape);
    return e -> {
      StraightOperator.deploy(e, RescaleEffects.scaled(spec, from));
      e.resource().apply(RescaleEffects.scaled(spec, to));
    };
  }
}
