package dev.sluice.workflows.walk;

import static dev.sluice.workflows.walk.Person.Reaction.ABORT_AND_CORRECT_START;
import static dev.sluice.workflows.walk.Person.Reaction.CORRECT_START;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.Spec;
import java.util.List;
import java.util.function.Consumer;

/** First deployments whose savepoint turns out to be the wrong one. */
final class FirstStartScenarios {

  private static final JobShape FAILING = JobShape.HEALTHY.starting(Start.FAILS);

  private FirstStartScenarios() {}

  static List<Scenario> all() {
    Spec wrong = Spec.of("new", FAILING);
    Spec wrongWithHa = Spec.of("new", FAILING.highlyAvailable());
    Spec crashing = Spec.of("new", JobShape.HEALTHY.starting(Start.CRASHES));
    Spec failingLater =
        Spec.of(
            "new " + ResourceEffects.PROVES_ITSELF, JobShape.HEALTHY.starting(Start.FAILS_LATER));
    return List.of(
        Scenario.of("first-savepoint-corrected", from(wrong), CORRECT_START),
        Scenario.of("first-savepoint-corrected-ha", from(wrongWithHa), CORRECT_START),
        Scenario.of(
            "first-savepoint-corrected-stateless",
            from(wrong.mode(UpgradeMode.STATELESS)),
            CORRECT_START),
        Scenario.of("first-savepoint-corrected-crashing", from(crashing), CORRECT_START),
        Scenario.of("first-savepoint-corrected-progressed", from(failingLater), CORRECT_START),
        Scenario.of("first-savepoint-aborted-corrected", from(wrong), ABORT_AND_CORRECT_START),
        Scenario.of(
            "first-savepoint-aborted-corrected-ha", from(wrongWithHa), ABORT_AND_CORRECT_START),
        Scenario.of(
            "first-savepoint-aborted-corrected-crashing", from(crashing), ABORT_AND_CORRECT_START));
  }

  private static Consumer<Environment> from(Spec spec) {
    return e -> e.resource().apply(spec.startingFrom(e.savepointOfAnother(50)));
  }
}
