package dev.sluice.controller.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.bluegreen.GivenUp;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The controller's part of a FlinkBlueGreenDeployment; the worker's is played by the tests. */
class FlinkBlueGreenDeploymentReconcilerIT extends BlueGreenScenario {

  @Test
  void a_new_one_gets_its_finalizer_and_its_run() {
    create();

    soon().until(() -> isOpen("Transition"));
    assertThat(resource().getMetadata().getFinalizers())
        .containsExactly("flinkbluegreendeployments.flink.apache.org/finalizer");
    soon().until(() -> condition("Ready").equals("False/Deploying/1"));
    soon().until(() -> condition("Running").equals("False/JobNotRunning/1"));
    assertThat(backend()).as("there is nothing to lead to").isEmpty();
    assertThat(temporal.input(lane()).resource().kind()).isEqualTo("FlinkBlueGreenDeployment");
  }

  @Test
  void the_status_and_the_Ingress_follow_the_child_that_is_live() {
    given_blue_is_live();

    soon().until(() -> backend().equals("orders-blue-rest"));
    assertThat(message("Ready"))
        .startsWith("Generation 1 is reached. Blue (FlinkDeployment orders-blue) is live since ");
    assertThat(resource().getStatus().jobStatus().jobId()).isEqualTo(BLUE_JOB);
    soon().until(() -> condition("Running").equals("True/Running/1"));

    image("flink:1.20.1");
    soon().until(() -> isOpen("Transition"));
    runs(2, it -> it.withTransition(coming(Color.GREEN, 2)));
    given_a_child_is_ready(Color.GREEN, GREEN_JOB);

    soon().until(() -> message("Ready").contains("Green (FlinkDeployment orders-green) comes"));
    assertThat(condition("Ready")).isEqualTo("False/Upgrading/2");
    assertThat(backend()).isEqualTo("orders-blue-rest");
    assertThat(resource().getStatus().jobStatus().jobId()).isEqualTo(BLUE_JOB);

    runs(2, it -> it.withLive(live(Color.GREEN, 2)));

    soon().until(() -> backend().equals("orders-green-rest"));
    soon().until(() -> resource().getStatus().jobStatus().jobId().equals(GREEN_JOB));
    soon().until(() -> message("Ready").contains("; blue is removed."));

    List<?> unused = api.client().resource(child(Color.BLUE)).delete();
    ends(2, Color.GREEN);

    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    assertThat(message("Ready")).contains("Green (FlinkDeployment orders-green) is live");
    soon()
        .until(
            () ->
                events("IngressChanged").stream()
                    .anyMatch(it -> it.getMessage().contains("to Service orders-green-rest")));
  }

  /** An abort in the deletion delay: the old child is live again. */
  @Test
  void the_Ingress_goes_back_when_the_old_child_is_live_again() {
    given_green_comes();
    given_a_child_is_ready(Color.GREEN, GREEN_JOB);
    runs(2, it -> it.withLive(live(Color.GREEN, 2)));
    soon().until(() -> backend().equals("orders-green-rest"));

    annotate("sluice.dev/abort", "too many errors");
    soon().until(() -> temporal.signals(lane()).contains("abort too many errors"));
    runs(2, it -> it.withLive(live(Color.BLUE, 1)));

    soon().until(() -> backend().equals("orders-blue-rest"));
  }

  @Test
  void a_child_that_is_held_is_told_on_the_parent_and_what_runs_runs_on() {
    given_green_comes();
    given_a_child(Color.GREEN);

    childSays(Color.GREEN, OperationState.PARKED, "StateNotFound");

    soon().until(() -> condition("Stalled").equals("True/StateNotFound/2"));
    assertThat(message("Stalled"))
        .startsWith("Green (FlinkDeployment orders-green): It needs help.");
    assertThat(condition("Running")).isEqualTo("True/Running/2");
  }

  @Test
  void an_invalid_spec_starts_nothing_and_says_which_field() {
    given_blue_is_live();
    String run = runId();

    merge("{\"spec\":{\"configuration\":{\"sluice.bluegreen.abort.child\":\"keep\"}}}");

    soon().until(() -> condition("Stalled").equals("True/InvalidSpec/2"));
    assertThat(message("Stalled")).contains("spec.configuration.sluice.bluegreen.abort.child");
    assertThat(condition("Running")).isEqualTo("True/Running/2");
    assertThat(runId()).isEqualTo(run);
    soon().until(() -> !events("ValidationError").isEmpty());
  }

  @Test
  void what_no_child_would_see_needs_no_run() {
    given_blue_is_live();
    soon().until(() -> backend().equals("orders-blue-rest"));
    String run = runId();

    merge("{\"spec\":{\"ingress\":null}}");

    soon().until(() -> backend().isEmpty());
    soon().until(() -> condition("Ready").equals("True/UpToDate/2"));
    assertThat(runId()).isEqualTo(run);
  }

  @Test
  void an_abort_is_handed_to_the_run_once() {
    given_green_comes();

    annotate("sluice.dev/abort", "wrong image");

    soon().until(() -> temporal.signals(lane()).contains("abort wrong image"));
    soon()
        .until(
            () ->
                resource().getStatus().requests() != null
                    && "wrong image".equals(resource().getStatus().requests().abort()));
    soon().until(() -> !events("RequestSent").isEmpty());
    assertThat(temporal.signals(lane()).stream().filter("abort wrong image"::equals)).hasSize(1);
  }

  @Test
  void what_was_given_up_is_tried_again_by_a_retry_alone() {
    given_green_comes();
    workflowSays(
        said()
            .withTransition(null)
            .withGivenUp(new GivenUp(2L, "green was not ready"))
            .withOperation(operation(OperationType.TRANSITION, OperationState.FAILED, 2)));
    soon().until(() -> condition("Stalled").equals("True/OperationFailed/2"));
    temporal.end(lane());
    restartController();
    assertThat(isOpen("Transition")).isFalse();

    annotate("sluice.dev/retry", "again");

    soon().until(() -> isOpen("Transition"));
    assertThat(temporal.input(lane()).retry()).isTrue();
    soon().until(() -> resource().getStatus().requests() != null);
  }

  /** The live child may have the spec that was given up: the run takes it back. */
  @Test
  void what_was_given_up_and_is_reverted_gets_a_run() {
    given_green_comes();
    String before = resource().getStatus().lastReconciled().spec().template().spec().image();
    workflowSays(
        said()
            .withTransition(null)
            .withGivenUp(new GivenUp(2L, "enough"))
            .withOperation(operation(OperationType.TRANSITION, OperationState.ABORTED, 2)));
    soon().until(() -> condition("Stalled").equals("True/Aborted/2"));
    temporal.end(lane());

    image(before);

    soon().until(() -> isOpen("Transition"));
    assertThat(temporal.input(lane()).generation()).isEqualTo(3);
  }

  @Test
  void somebody_deletes_the_live_child_and_a_run_decides() {
    given_blue_is_live();

    List<?> unused = api.client().resource(child(Color.BLUE)).delete();
    mergeChild(Color.BLUE, "{\"metadata\":{\"finalizers\":null}}");

    soon().until(() -> isOpen("Transition"));
    soon().until(() -> message("Ready").contains("does not exist any more"));
  }

  @Test
  void a_live_child_that_somebody_edits_is_told() {
    given_blue_is_live();
    assertThat(message("Ready")).doesNotContain("edited");

    mergeChild(Color.BLUE, "{\"spec\":{\"image\":\"flink:of-somebody\"}}");

    soon().until(() -> !events("ChildEdited").isEmpty());
    assertThat(events("ChildEdited").get(0).getMessage())
        .startsWith("orders-blue was edited: spec.image: ");
    soon().until(() -> message("Ready").contains("orders-blue was edited: spec.image: "));
  }

  /** As those that Apache's operator has made. */
  @Test
  void a_live_child_without_our_labels_gets_them() {
    given_blue_is_live();
    String run = runId();

    mergeChild(Color.BLUE, "{\"metadata\":{\"labels\":null}}");

    soon()
        .until(
            () ->
                "blue".equals(child(Color.BLUE).getMetadata().getLabels().get("sluice.dev/color")));
    soon().until(() -> condition("Ready").equals("True/UpToDate/1"));
    assertThat(runId()).isEqualTo(run);
  }

  /** The Ingress would not follow it, and the wait for that would never end. */
  @Test
  void a_live_child_without_our_labels_gets_them_in_a_transition_too() {
    given_green_comes();

    mergeChild(Color.BLUE, "{\"metadata\":{\"labels\":null}}");

    soon()
        .until(
            () ->
                "blue"
                    .equals(
                        Objects.requireNonNullElse(
                                child(Color.BLUE).getMetadata().getLabels(),
                                Map.<String, String>of())
                            .get("sluice.dev/color")));
  }

  /** The reconciler of FlinkSessionJobs may add a label of its own at any time. */
  @Tag("quarantine")
  @Test
  void the_job_of_a_live_session_cluster_gets_our_labels() {
    create();
    soon().until(() -> isOpen("Transition"));
    given_a_session_job(Color.BLUE, DesiredJobState.RUNNING);
    ends(1, Color.BLUE);

    mergeJob(Color.BLUE, "{\"metadata\":{\"labels\":null}}");

    soon()
        .untilAsserted(
            () ->
                assertThat(sessionJob(Color.BLUE).getMetadata().getLabels())
                    .contains(
                        entry("sluice.dev/blue-green", NAME), entry("sluice.dev/color", "blue")));
  }

  /** It is found by its label, and runs beside the live one. */
  @Test
  void a_job_without_our_labels_that_is_not_live_and_runs_again_gets_a_run_too() {
    given_blue_is_live();
    given_a_session_job(Color.GREEN, DesiredJobState.SUSPENDED);
    soon().until(() -> !isOpen("Transition"));

    mergeJob(
        Color.GREEN, "{\"metadata\":{\"labels\":null},\"spec\":{\"job\":{\"state\":\"running\"}}}");

    soon().until(() -> isOpen("Transition"));
    soon()
        .until(
            () ->
                "green"
                    .equals(
                        sessionJob(Color.GREEN).getMetadata().getLabels().get("sluice.dev/color")));
  }

  /** Both write their output. */
  @Test
  void a_child_that_is_not_live_and_runs_again_gets_a_run_that_suspends_it() {
    given_blue_is_live();
    soon().until(() -> !isOpen("Transition"));

    given_a_child(Color.GREEN);

    soon().until(() -> isOpen("Transition"));
    assertThat(temporal.input(lane()).generation()).isEqualTo(1);
  }

  /** It has made blue, which has no label of ours, and calls that a transition to blue. */
  @Test
  void a_first_deployment_that_Apaches_operator_had_begun_is_taken_over() {
    create();
    soon().until(() -> isOpen("Transition"));
    given_a_child(Color.BLUE);
    mergeChild(Color.BLUE, "{\"metadata\":{\"labels\":null}}");
    workflowSays(
        said()
            .withBlueGreenState(BlueGreenState.TRANSITIONING_TO_BLUE)
            .withLastReconciledSpec(new FrozenBlueGreen(resource().getSpec(), 0).toJson()));

    soon().until(() -> message("Ready").contains("Blue (FlinkDeployment orders-blue) is live"));
    soon()
        .until(
            () ->
                "blue".equals(child(Color.BLUE).getMetadata().getLabels().get("sluice.dev/color")));
  }

  @Test
  void while_Temporal_is_away_the_Ingress_and_the_status_are_kept_true() {
    given_blue_is_live();
    temporal.away(true);

    image("flink:1.20.1");

    soon().until(() -> condition("Progressing").equals("Unknown/TemporalUnavailable/2"));
    assertThat(condition("Running")).isEqualTo("True/Running/2");
    assertThat(backend()).isEqualTo("orders-blue-rest");

    temporal.away(false);
    soon().until(() -> isOpen("Transition"));
  }

  @Test
  void a_run_that_is_lost_is_started_again() {
    given_green_comes();
    String lost = runId();
    temporal.end(lane());

    soon().until(() -> isOpen("Transition"));
    assertThat(runId()).isNotEqualTo(lost);
  }

  @Test
  void nothing_is_written_while_nothing_changes() {
    given_blue_is_live();
    soon().until(() -> backend().equals("orders-blue-rest"));
    restartController();

    annotate("sluice.dev/abort", "nothing");
    soon().until(() -> !events("RequestIgnored").isEmpty());

    assertThat(controller.writes())
        .filteredOn(it -> it.contains("bluegreen") || it.contains("ingresses"))
        .containsExactly("PATCH flinkbluegreendeployments/orders/status");
  }

  @Test
  void a_deleted_one_goes_when_its_run_has_ended() {
    given_blue_is_live();
    String lane = lane();

    List<?> unused = api.client().resource(resource()).delete();

    soon().until(() -> isOpen(lane, "DeleteBlueGreen"));
    soon().until(() -> condition("Ready").startsWith("False/Deleting"));
    assertThat(find()).isPresent();
    workflowSays(
        said().withOperation(operation(OperationType.DELETE, OperationState.SUCCEEDED, 1)));
    soon().until(() -> find().isEmpty());
  }

  @Test
  void one_that_never_began_goes_at_once() {
    temporal.away(true);
    create();
    soon().until(() -> condition("Progressing").startsWith("Unknown/TemporalUnavailable"));

    List<?> unused = api.client().resource(resource()).delete();

    soon().until(() -> find().isEmpty());
  }
}
