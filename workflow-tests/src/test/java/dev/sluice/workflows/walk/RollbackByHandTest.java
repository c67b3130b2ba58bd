package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code sluice.dev/rollback}: from the second spec to the first. */
class RollbackByHandTest {

  private static final Spec OLD = Scenarios.OLD;
  private static final Spec NEW = Spec.of("new", JobShape.HEALTHY);
  private static final String BACK =
      "rolls back to generation 1; job 3 starts from savepoint of job 1; generation 1 is deployed";

  private static final Map<String, Consumer<Lane>> REQUESTS =
      Map.of(
          "terminate", Lane::terminate,
          "abort", Lane::abort,
          "newer spec", lane -> lane.applyAndTell(Spec.of("newer", JobShape.HEALTHY)),
          "deletion", Lane::delete);

  private static Story rollback(boolean newestState, Consumer<Environment> before) {
    return new Story(
        environment -> {
          StraightOperator.upgrade(environment, OLD, NEW);
          before.accept(environment);
          environment.resource().rollback().ask(null, newestState, environment.resource());
        });
  }

  static Stream<Arguments> rollbacks() {
    return Stream.of(
        Arguments.of(Named.of("to what it left", rollback(false, e -> {})), BACK),
        Arguments.of(
            Named.of("with the newest state", rollback(true, e -> {})),
            BACK.replace("savepoint of job 1", "savepoint of job 2")),
        Arguments.of(Named.of("the job has failed", rollback(false, Environment::failJob)), BACK),
        Arguments.of(
            Named.of("its JobManager is silent", rollback(false, e -> e.flinkAway(40))), BACK));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rollbacks")
  void theEarlierSpecComesBack(Story story, String expected) {
    assertThat(story.begins().course()).isEqualTo(expected);
  }

  @Test
  void whereNothingIsKeptTheJobIsNotTouched() {
    Story story =
        new Story(
            environment -> {
              StraightOperator.deploy(environment, OLD);
              environment.resource().rollback().ask(null, false, environment.resource());
            });

    assertThat(story.begins().course()).isEqualTo("Rollback is Aborted, Aborted");
  }

  /** The last columns: which generation is stable then, and what became of the job. */
  @ParameterizedTest
  @CsvSource({
    "terminate,  1, the last job is RUNNING",
    "abort,      1, the last job is RUNNING",
    "newer spec, 3, the last job is RUNNING",
    "deletion,   2, the resource is gone",
  })
  void requestsAfterEachEffectButTheLast(String request, long generation, String end) {
    int effects = rollback(false, e -> {}).begins().trace().size();
    // a request that a lost run has taken up and not carried out is made again by a person
    for (int i = request.equals("terminate") ? 1 : 0; i < effects; i++) {
      Story story = rollback(false, e -> {}).after(i, request, REQUESTS.get(request)).begins();

      assertThat(story.ends()).as("after %d effects", i).last().isEqualTo("end: " + end);
      assertThat(story.run.environment().resource().stable().generation())
          .as("after %d effects: %s", i, story.trace())
          .isEqualTo(generation);
    }
  }

  /** Before its end the upgrade is aborted, after it the earlier spec is gone back to. */
  @Test
  void duringAnUpgrade_afterEachEffect() {
    Consumer<Environment> upgrade = environment -> Scenarios.upgrade(environment, OLD, NEW);
    int effects = new Story(upgrade).begins().trace().size();
    for (int i = 0; i <= effects; i++) {
      Story story = new Story(upgrade).after(i, "rollback", lane -> lane.rollBack(null)).begins();

      assertThat(story.ends())
          .as("after %d effects", i)
          .last()
          .isEqualTo("end: the last job is RUNNING");
      assertThat(story.run.environment().resource().stable().content()).isEqualTo("old");
    }
  }
}
