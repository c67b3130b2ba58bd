package dev.sluice.workflows.walk;

import static dev.sluice.workflows.walk.Person.Reaction.ABORT;
import static dev.sluice.workflows.walk.Person.Reaction.HEAL;
import static dev.sluice.workflows.walk.Person.Reaction.ROLL_BACK_TO_THE_FIRST;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.SavepointEnd;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import java.util.List;

/** What is asked for while an upgrade is given up: a generation that is named follows the abort. */
final class RollbackScenarios {

  private static final Spec FIRST = Spec.of("first", JobShape.HEALTHY);
  private static final Spec SECOND = Spec.of("second", JobShape.HEALTHY);
  private static final Spec FAILING = Spec.of("third", JobShape.HEALTHY.starting(Start.FAILS));

  private RollbackScenarios() {}

  static List<Scenario> all() {
    return List.of(
        Scenario.of(
            "rollback-further", e -> upgrade(e, FIRST, SECOND, FAILING), ROLL_BACK_TO_THE_FIRST),
        Scenario.of(
            "rollback-further-job-runs",
            e ->
                upgrade(
                    e,
                    FIRST,
                    Spec.of("second", JobShape.HEALTHY.savepointing(SavepointEnd.FAILS)),
                    FAILING),
            ROLL_BACK_TO_THE_FIRST),
        Scenario.of(
            "rollback-further-pods-stay",
            e -> {
              upgrade(e, FIRST, SECOND, FAILING);
              e.podsStuck();
            },
            ROLL_BACK_TO_THE_FIRST,
            HEAL),
        Scenario.of(
            "rollback-further-after-an-abort",
            e -> {
              upgrade(e, FIRST, SECOND, FAILING);
              e.podsStuck();
            },
            ABORT,
            ROLL_BACK_TO_THE_FIRST,
            HEAL),
        Scenario.of(
            "deploy-aborted-pods-stay",
            e -> {
              e.resource().apply(FAILING);
              e.podsStuck();
            },
            ABORT,
            HEAL));
  }

  /** The first spec was upgraded to the second; the third is applied. */
  private static void upgrade(Environment environment, Spec first, Spec second, Spec third) {
    StraightOperator.upgrade(environment, first, second);
    environment.resource().apply(third);
  }
}
