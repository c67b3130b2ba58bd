package dev.sluice.workflows.walk;

import static dev.sluice.workflows.walk.Person.Reaction.ABORT_AND_CORRECT;
import static dev.sluice.workflows.walk.Person.Reaction.CORRECT;
import static dev.sluice.workflows.walk.Person.Reaction.HEAL;
import static dev.sluice.workflows.walk.Person.Reaction.RETRY;

import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import java.util.List;

/** Upgrades to, and resumes of, jobs that must prove themselves before they count as stable. */
final class ProvingScenarios {

  private ProvingScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
            "proving", e -> Scenarios.upgrade(e, Scenarios.OLD, proving("new", Start.COMES_UP))),
        Scenario.of(
            "proving-keeps-restarting",
            e -> Scenarios.upgrade(e, Scenarios.OLD, proving("new", Start.KEEPS_RESTARTING)),
            HEAL),
        Scenario.of(
            "proving-crashing-retried",
            e -> Scenarios.upgrade(e, Scenarios.OLD, proving("new", Start.CRASHES_LATER)),
            RETRY,
            CORRECT),
        Scenario.of(
            "proving-failing-retried",
            e -> Scenarios.upgrade(e, Scenarios.OLD, proving("new", Start.FAILS_LATER)),
            RETRY,
            CORRECT),
        Scenario.of(
            "proving-failing-ha-retried",
            e ->
                Scenarios.upgrade(
                    e,
                    Spec.of("old", JobShape.HEALTHY.highlyAvailable()),
                    Spec.of(
                        "new " + ResourceEffects.PROVES_ITSELF,
                        JobShape.HEALTHY.highlyAvailable().starting(Start.FAILS_LATER))),
            RETRY,
            CORRECT),
        Scenario.of(
            "proving-resumed-failing-aborted",
            e -> {
              StraightOperator.suspend(e, Scenarios.OLD);
              e.resource().apply(proving("new", Start.FAILS_LATER));
            },
            ABORT_AND_CORRECT),
        Scenario.of(
            "proving-failing-rolled-back",
            e ->
                Scenarios.upgrade(
                    e,
                    proving("old", Start.COMES_UP),
                    proving("new " + ResourceEffects.ROLLS_BACK, Start.FAILS_LATER))));
  }

  private static Spec proving(String content, Start start) {
    return Spec.of(content + " " + ResourceEffects.PROVES_ITSELF, JobShape.HEALTHY.starting(start));
  }
}
