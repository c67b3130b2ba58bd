package dev.sluice.controller.bluegreen;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.BLOCKED;
import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static dev.sluice.controller.bluegreen.BlueGreenScene.changed;
import static dev.sluice.controller.bluegreen.BlueGreenScene.created;
import static dev.sluice.controller.bluegreen.BlueGreenScene.givenUp;
import static dev.sluice.controller.bluegreen.BlueGreenScene.running;
import static dev.sluice.controller.bluegreen.BlueGreenScene.transition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.TemporalAnswers.Answer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BlueGreenRequestsTest {

  private static final String RETRY = "sluice.dev/retry";
  private static final String ABORT = "sluice.dev/abort";
  private static final String BACK = "sluice.dev/rollback";

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"specs", "operations", "requests", "deletions"})
  void one_decision_for_each_state(String name, BlueGreenScene given, String expected) {
    assertThat(given.decision()).isEqualTo(expected);
  }

  static Stream<Arguments> specs() {
    return Stream.of(
        arguments("new", created(), "Transition 1"),
        arguments("new and invalid", created().invalid(), "nothing"),
        arguments("new and suspended", created().state(DesiredJobState.SUSPENDED), "Transition 1"),
        arguments("unchanged", running(), "nothing"),
        arguments("only a newer generation", running().generation(9), "nothing"),
        arguments(
            "only another Ingress", running().generation(7).ingress("{{name}}.x.org"), "nothing"),
        arguments(
            "only other transitions",
            running()
                .generation(7)
                .configured("kubernetes.operator.bluegreen.abort.grace-period", "5 min"),
            "nothing"),
        arguments("changed", changed(), "Transition 7"),
        arguments("changed and invalid", changed().invalid(), "nothing"),
        arguments(
            "to be suspended",
            running().generation(7).state(DesiredJobState.SUSPENDED),
            "Transition 7"),
        arguments(
            "Apache's operator has begun with its first deployment",
            byApache(BlueGreenState.INITIALIZING_BLUE),
            "Transition 6"),
        arguments(
            "Apache's operator has begun with a transition",
            byApache(BlueGreenState.TRANSITIONING_TO_GREEN),
            "Transition 6"),
        arguments(
            "Apache's operator takes a savepoint",
            byApache(BlueGreenState.SAVEPOINTING_BLUE),
            "Transition 6"),
        arguments(
            "Apache's operator has deployed it", byApache(BlueGreenState.ACTIVE_BLUE), "nothing"),
        arguments("given up", givenUp(), "nothing"),
        arguments("given up, changed again", givenUp().generation(8), "Transition 8"),
        arguments(
            "given up, and back to what is live",
            givenUp().generation(8).image("flink:1.20"),
            "Transition 8"),
        arguments(
            "given up, and back to what is live, which is reached",
            givenUp().generation(8).image("flink:1.20").reached(8),
            "nothing"),
        arguments(
            "a change in place given up, and back to what is live",
            running().givenUp(7).operation(ABORTED, 7).generation(8).childGeneration(Color.BLUE, 2),
            "Transition 8"),
        arguments(
            "the same one that was reached was given up",
            running().givenUp(6).operation(ABORTED, 6),
            "nothing"),
        arguments("what is deployed cannot be read", changed().unreadable(), "nothing"),
        arguments(
            "somebody deleted the live child",
            running().without(Color.BLUE),
            "Transition 6 unless open"),
        arguments(
            "the other child runs beside the live one",
            running().ready(Color.GREEN),
            "Transition 6 unless open"),
        arguments("the other child is suspended", running().stopped(Color.GREEN), "nothing"),
        arguments(
            "the other child has finished",
            running()
                .child(
                    Color.GREEN,
                    BlueGreenScene.condition("Ready", "True", "JobFinished", "It has.")),
            "nothing"),
        arguments(
            "the other child is being deleted",
            running().ready(Color.GREEN).goes(Color.GREEN),
            "nothing"),
        arguments(
            "the other child runs, and the newest spec was given up",
            givenUp().ready(Color.GREEN),
            "Transition 7 unless open"),
        arguments(
            "the other child runs, and the newest spec is not valid",
            changed().invalid().ready(Color.GREEN),
            "Transition 7 unless open"),
        arguments(
            "the other child runs, and the live one is gone, which the run decides about",
            running().without(Color.BLUE).ready(Color.GREEN),
            "Transition 6 unless open"),
        arguments(
            "another resource has the name of the live child",
            running().without(Color.BLUE).childOfSomebodyElse(Color.BLUE),
            "Transition 6 unless open"),
        arguments(
            "the live child is gone, and the newest spec was given up",
            givenUp().without(Color.BLUE),
            "nothing"));
  }

  /** It has written that spec as reached already. */
  private static BlueGreenScene byApache(BlueGreenState state) {
    return running().status(it -> it.withLive(null).withOperation(null).withBlueGreenState(state));
  }

  static Stream<Arguments> operations() {
    return Stream.of(
        arguments("runs", transition(), "Transition 7 unless open"),
        arguments("blocked", transition().operation(BLOCKED, 7), "Transition 7 unless open"),
        arguments("parked", transition().operation(PARKED, 7), "Transition 7 unless open"),
        arguments("runs, a newer spec", transition().generation(8), "Transition 8"),
        arguments(
            "runs, a newer spec that is invalid",
            transition().generation(8).invalid(),
            "Transition 7 unless open"),
        arguments(
            "runs, and back to what is live",
            transition().generation(8).image("flink:1.20"),
            "Transition 8"),
        arguments(
            "begun, and its run was lost before it said so",
            changed().coming(Color.GREEN, 7).operation(SUCCEEDED, 6),
            "Transition 7 unless open"),
        arguments(
            "the live child is gone",
            transition().without(Color.BLUE),
            "Transition 7 unless open"));
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        arguments("abort", transition().annotated(ABORT, "a"), "abort a else Transition 7"),
        arguments(
            "abort, handled",
            transition()
                .annotated(ABORT, "a")
                .answered(new Request(Request.Kind.ABORT, "a"), Answer.DELIVERED),
            "Transition 7 unless open"),
        arguments("abort, idle", running().annotated(ABORT, "a"), "abort a"),
        arguments(
            "abort together with a new spec",
            changed().annotated(ABORT, "a"),
            "abort a else Transition 7"),
        arguments(
            "retry of what is parked",
            transition().operation(PARKED, 7).annotated(RETRY, "a"),
            "retry a else Transition 7"),
        arguments(
            "retry of what was given up",
            givenUp().annotated(RETRY, "a"),
            "Transition 7 for retry a"),
        arguments(
            "retry while the live child is gone",
            running().without(Color.BLUE).annotated(RETRY, "a"),
            "Transition 6 for retry a"),
        arguments("retry, idle", running().annotated(RETRY, "a"), "retry a"),
        arguments("rollback has no effect", running().annotated(BACK, "a"), "nothing"),
        arguments(
            "rollback does not abort a transition",
            transition().annotated(BACK, "a"),
            "Transition 7 unless open"),
        arguments(
            "a request that came with the manifest",
            created().annotated(RETRY, "a"),
            "Transition 1"));
  }

  /** A run was called for, and has written nothing yet. */
  private static BlueGreenScene begun() {
    return created()
        .status(
            it ->
                it.withConditions(
                    List.of(
                        BlueGreenScene.condition("Progressing", "True", "Deploying", "Begun."))));
  }

  static Stream<Arguments> deletions() {
    return Stream.of(
        arguments("never began", created().deleted(), "let go"),
        arguments("may have begun", begun().deleted(), "Delete 1"),
        arguments("runs", running().deleted(), "Delete 6"),
        arguments("in a transition", transition().deleted(), "Delete 7"),
        arguments(
            "done", running().deleted().operation(OperationType.DELETE, SUCCEEDED, 6), "let go"),
        arguments(
            "a child is left by an earlier status that was lost",
            created().ready(Color.GREEN).deleted(),
            "Delete 1"),
        arguments(
            "by force",
            transition().deleted().annotated("sluice.dev/force-delete", "true"),
            "let go by force"));
  }

  @Test
  void a_run_that_is_asked_for_again_says_so() {
    EnsureOpen start =
        (EnsureOpen) BlueGreenRequests.decide(givenUp().annotated(RETRY, "a").seen());

    assertThat(start.run().input().retry()).isTrue();
    assertThat(start.run().type()).isEqualTo(OperationType.TRANSITION);
  }

  @Test
  void Temporal_shows_what_is_changed_and_which_child_is_live() {
    EnsureOpen start = (EnsureOpen) BlueGreenRequests.decide(changed().seen());

    assertThat(start.run().summary()).isEqualTo("transition default/orders 7");
    assertThat(start.run().details())
        .contains("**Transition** of FlinkBlueGreenDeployment `default/orders`, generation 7")
        .contains("Blue (FlinkDeployment orders-blue) is live since 2026-11-21T08:00:00Z.")
        .contains("* spec.template.spec.image: flink:1.20 -> flink:1.20.1");
  }
}
