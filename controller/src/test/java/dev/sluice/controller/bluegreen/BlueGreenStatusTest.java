package dev.sluice.controller.bluegreen;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.BLOCKED;
import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.controller.bluegreen.BlueGreenScene.changed;
import static dev.sluice.controller.bluegreen.BlueGreenScene.condition;
import static dev.sluice.controller.bluegreen.BlueGreenScene.created;
import static dev.sluice.controller.bluegreen.BlueGreenScene.givenUp;
import static dev.sluice.controller.bluegreen.BlueGreenScene.running;
import static dev.sluice.controller.bluegreen.BlueGreenScene.transition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.status.PlanEvents;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the status says of the children, the operation and the spec. */
class BlueGreenStatusTest {

  private static final String BLUE_IS_LIVE =
      "Blue (FlinkDeployment orders-blue) is live since 2026-11-21T08:00:00Z";
  private static final String WORKFLOW =
      "; see status.operation and workflow " + BlueGreenScene.LANE + ".";

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"settled", "operations"})
  void ready_says_which_child_is_live_and_which_comes(
      String name, BlueGreenScene given, String expected) {
    assertThat(given.condition("Ready")).startsWith(expected);
  }

  static Stream<Arguments> settled() {
    return Stream.of(
        arguments(
            "runs",
            running(),
            "True/UpToDate: Generation 6 is reached. "
                + BLUE_IS_LIVE
                + "; all tasks of its job run."),
        arguments(
            "suspended",
            running()
                .without(Color.BLUE)
                .child(Color.BLUE, condition("Ready", "True", "Suspended", "Suspended.")),
            "True/Suspended: Generation 6 is reached. " + BLUE_IS_LIVE + "; its job is suspended."),
        arguments(
            "finished",
            running()
                .without(Color.BLUE)
                .child(Color.BLUE, condition("Ready", "True", "JobFinished", "It has.")),
            "True/JobFinished: Generation 6 is reached. "
                + BLUE_IS_LIVE
                + "; its job has finished."),
        arguments(
            "not well",
            running().without(Color.BLUE).stalled(Color.BLUE),
            "False/ImagePullBackOff: " + BLUE_IS_LIVE + ": The image cannot be pulled."),
        arguments(
            "gone",
            running().without(Color.BLUE),
            "False/JobNotRunning: Blue (FlinkDeployment orders-blue) is live and does not exist any"
                + " more."),
        arguments(
            "its controller has not seen its newest spec",
            running().childGeneration(Color.BLUE, 2),
            "True/UpToDate: earlier"),
        arguments(
            "with what has no effect",
            running().configured("sluice.bluegreen.gate.lag", "1"),
            "True/UpToDate: Generation 6 is reached. "
                + BLUE_IS_LIVE
                + "; all tasks of its job run. (ignored: spec.configuration.sluice.bluegreen.gate"));
  }

  static Stream<Arguments> operations() {
    return Stream.of(
        arguments("new", created(), "False/Deploying: Deploying generation 1" + WORKFLOW),
        arguments(
            "the first child comes",
            created().coming(Color.BLUE, 1).operation(RUNNING, 1),
            "False/Deploying: Deploying generation 1"
                + WORKFLOW
                + " Blue (FlinkDeployment orders-blue) comes since 2026-11-21T09:45:00Z."),
        arguments(
            "green comes",
            transition(),
            "False/Upgrading: Going over to generation 7"
                + WORKFLOW
                + " "
                + BLUE_IS_LIVE
                + " and stays so until the other is ready. Green (FlinkDeployment orders-green)"
                + " comes since 2026-11-21T09:45:00Z."),
        arguments(
            "green is live, and blue goes",
            transition().live(Color.GREEN, 7),
            "False/Upgrading: Going over to generation 7"
                + WORKFLOW
                + " Green (FlinkDeployment orders-green) is live since 2026-11-21T08:00:00Z; blue"
                + " is removed."),
        arguments(
            "suspends",
            running().generation(7).state(DesiredJobState.SUSPENDED).operation(RUNNING, 7),
            "False/Suspending: Suspending with generation 7; see status.operation"),
        arguments(
            "resumes",
            running()
                .state(DesiredJobState.SUSPENDED)
                .reached(6)
                .generation(7)
                .state(DesiredJobState.RUNNING)
                .operation(RUNNING, 7),
            "False/Resuming: Resuming with generation 7; see status.operation"),
        arguments(
            "parked",
            transition().operation(PARKED, 7).says("StateNotFound", "No savepoint can be taken."),
            "False/StateNotFound: No savepoint can be taken. [To go on, annotate with"
                + " sluice.dev/retry or sluice.dev/abort"),
        arguments(
            "blocked",
            transition().operation(BLOCKED, 7).says("Refused", "The webhook is away."),
            "False/Refused: The webhook is away. [Sluice retries automatically."),
        arguments(
            "given up",
            givenUp().says("Aborted", "green was not ready in 10 min."),
            "False/Aborted: Generation 7 was given up; generation 6 stays deployed: green was not"
                + " ready in 10 min. [Apply another spec, or annotate with sluice.dev/retry"),
        arguments(
            "invalid",
            changed().invalid(),
            "False/InvalidSpec: Generation 7 is not valid and was not applied; generation 6 stays"
                + " deployed: spec.configuration.sluice.bluegreen.abort.child: must be"),
        arguments(
            "deleted",
            running().deleted(),
            "False/Deleting: Deleting both children, each as its own spec says; see"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("held")
  void stalled_says_what_is_held_and_why(String name, BlueGreenScene given, String expected) {
    assertThat(given.condition("Stalled")).startsWith(expected);
  }

  static Stream<Arguments> held() {
    return Stream.of(
        arguments("all is well", running(), "False/NotStalled: "),
        arguments("green comes", transition(), "False/NotStalled: "),
        arguments(
            "the child that comes is held",
            transition().stalled(Color.GREEN),
            "True/ImagePullBackOff: Green (FlinkDeployment orders-green): The image cannot be"
                + " pulled."),
        arguments(
            "the live child is held",
            running().without(Color.BLUE).stalled(Color.BLUE),
            "True/ImagePullBackOff: Blue (FlinkDeployment orders-blue): The image cannot be"),
        arguments(
            "the child that was given up is suspended",
            running().stopped(Color.GREEN),
            "False/NotStalled: "),
        arguments(
            "the child that was given up is held: its job may run",
            running().stalled(Color.GREEN),
            "True/ImagePullBackOff: Green (FlinkDeployment orders-green), which is not live: The"
                + " image cannot be pulled."),
        arguments(
            "parked",
            transition().operation(PARKED, 7).says("JobFailed", "It failed."),
            "True/JobFailed: It failed."),
        arguments(
            "the Ingress cannot be made",
            running().ingressProblem("NameTaken", "Ingress orders has no owner."),
            "True/NameTaken: Ingress orders has no owner."),
        arguments("invalid", changed().invalid(), "True/InvalidSpec: Generation 7"),
        arguments("given up", givenUp(), "True/Aborted: Generation 7 was given up"),
        arguments("deleted", running().deleted().stalled(Color.GREEN), "False/NotStalled: "),
        arguments(
            "a deletion that is held",
            running()
                .deleted()
                .operation(OperationType.DELETE, BLOCKED, 6)
                .says("ClusterNotGone", "orders-blue is not gone."),
            "True/ClusterNotGone: orders-blue is not gone."));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("jobs")
  void running_is_the_word_of_the_live_child(String name, BlueGreenScene given, String expected) {
    assertThat(given.condition("Running")).startsWith(expected);
  }

  static Stream<Arguments> jobs() {
    String blue = "Blue (FlinkDeployment orders-blue)";
    return Stream.of(
        arguments("nothing", created(), "False/JobNotRunning: There is no child"),
        arguments("runs", running(), "True/Running: " + blue + ": Job 1 is RUNNING."),
        arguments(
            "runs on while green fails",
            transition().stalled(Color.GREEN),
            "True/Running: " + blue + ": Job 1 is RUNNING."),
        arguments(
            "the first one comes",
            created().coming(Color.BLUE, 1).operation(RUNNING, 1).child(Color.BLUE),
            "Unknown/Pending: " + blue + " was not looked at yet."),
        arguments(
            "gone",
            running().without(Color.BLUE),
            "False/JobNotRunning: " + blue + " does not exist."));
  }

  @Test
  void the_job_is_that_of_the_live_child_and_follows_the_switch() {
    assertThat(transition().ready(Color.GREEN).wanted().jobStatus())
        .satisfies(
            job -> {
              assertThat(job.jobId()).isEqualTo("of blue");
              assertThat(job.state()).isEqualTo(FlinkJobState.RUNNING);
              assertThat(job.upgradeSavepointPath()).isEqualTo("s3://streams/savepoint-1");
            });
    assertThat(transition().live(Color.GREEN, 7).ready(Color.GREEN).wanted().jobStatus().jobId())
        .isEqualTo("of green");
  }

  /** It says which child is live by the state alone. */
  @Test
  void what_Apaches_operator_has_deployed_is_live() {
    BlueGreenScene given =
        running().status(it -> it.withLive(null).withBlueGreenState(BlueGreenState.ACTIVE_BLUE));

    assertThat(given.condition("Ready"))
        .startsWith(
            "True/UpToDate: Generation 6 is reached. Blue (FlinkDeployment orders-blue) is live;");
    assertThat(given.decision()).isEqualTo("nothing");
  }

  @Test
  void while_Temporal_is_away_the_live_child_runs_on_and_the_status_says_both() {
    BlueGreenScene given = changed().unavailable("Temporal at test:7233 does not answer");

    assertThat(given.condition("Progressing"))
        .isEqualTo("Unknown/TemporalUnavailable: Temporal at test:7233 does not answer.");
    assertThat(given.condition("Running")).startsWith("True/Running");
  }

  @Test
  void what_is_wrong_is_the_error_as_JSON() {
    assertThat(givenUp().wanted().error())
        .startsWith("{\"type\":\"Aborted\",\"message\":\"Generation 7 was given up");
    assertThat(running().wanted().error()).isNull();
  }

  @Test
  void only_the_fields_of_the_controller_are_written() {
    FlinkBlueGreenDeploymentStatus wanted = transition().wanted();

    assertThat(wanted)
        .isEqualTo(
            wanted
                .withLive(null)
                .withTransition(null)
                .withGivenUp(null)
                .withOperation(null)
                .withBlueGreenState(null)
                .withLastReconciledSpec(null));
    assertThat(wanted.observedGeneration()).isEqualTo(7);
  }

  @Test
  void every_condition_is_about_the_newest_generation() {
    assertThat(transition().wanted().conditions())
        .extracting(Condition::getObservedGeneration)
        .containsOnly(7L)
        .hasSize(4);
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("told")
  void an_event_tells_what_changed(String name, BlueGreenScene given, String expected) {
    List<StatusEvent> events = BlueGreenEvents.of(given.seen(), given.wanted());

    assertThat(events.stream().map(it -> it.reason() + ": " + it.message()))
        .singleElement()
        .asString()
        .startsWith(expected);
  }

  static Stream<Arguments> told() {
    return Stream.of(
        arguments("invalid", changed().invalid(), "ValidationError: Generation 7 is not valid"),
        arguments(
            "without effect",
            running().configured("sluice.bluegreen.gate.lag", "1"),
            "FieldsIgnored: Generation 6 has fields without effect: spec.configuration.sluice"),
        arguments("deleted", running().deleted(), "Cleanup: Deleting both children"),
        arguments(
            "Temporal is away",
            changed()
                .status(it -> it.withObservedGeneration(7L))
                .unavailable("Temporal does not answer"),
            "TemporalUnavailable: Temporal does not answer."),
        arguments(
            "the Ingress cannot be made",
            running().ingressProblem("NameTaken", "Ingress orders has no owner."),
            "NameTaken: Ingress orders has no owner."));
  }

  @Test
  void the_plan_of_a_transition_is_told_once_as_an_event() {
    StatusEvent event =
        PlanEvents.of(
                transition()
                    .operation(
                        transition()
                            .operation()
                            .withPlan("Transition to orders-green.")
                            .withPlannedAt("2026-11-21T09:45:00Z"))
                    .seen())
            .orElseThrow();

    assertThat(event.reason()).isEqualTo("SpecChanged");
    assertThat(event.message()).isEqualTo("Transition to orders-green.");
  }

  @Test
  void an_abort_of_long_ago_says_nothing_of_what_is_live_since() {
    assertThat(running().operation(ABORTED, 5).condition("Ready")).startsWith("True/UpToDate");
  }
}
