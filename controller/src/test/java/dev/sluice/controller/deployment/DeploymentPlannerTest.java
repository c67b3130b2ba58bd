package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.BLOCKED;
import static dev.sluice.api.common.OperationState.FAILED;
import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static dev.sluice.api.common.OperationType.DELETE;
import static dev.sluice.api.common.OperationType.DEPLOY;
import static dev.sluice.api.common.OperationType.ROLLBACK;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.ReconciliationState;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.operation.ReconcileAction.Start;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeploymentPlannerTest {

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"specs", "operations", "ignored", "lost", "deletions"})
  void one_decision_for_each_snapshot(String name, Deployed given, String expected) {
    assertThat(DecisionText.of(given)).isEqualTo(expected);
  }

  static Stream<Arguments> specs() {
    return Stream.of(
        arguments("new", Deployed.created(), "Deploy 1"),
        arguments("new and invalid", Deployed.created().invalid(), "nothing"),
        arguments("unchanged", Deployed.running(), "nothing"),
        arguments("unchanged, newer generation", Deployed.running().generation(9), "nothing"),
        arguments("changed", Deployed.changed(), "Upgrade 7"),
        arguments("changed and invalid", Deployed.changed().invalid(), "nothing"),
        arguments(
            "changed, and an annotation cannot be read",
            Deployed.changed().annotated("sluice.dev/stable-after", "soon"),
            "nothing"),
        arguments("given up", Deployed.changed().operation(UPGRADE, ABORTED, 6L, 7), "nothing"),
        arguments("failed", Deployed.changed().operation(UPGRADE, FAILED, 6L, 7), "nothing"),
        arguments(
            "given up, then changed again",
            Deployed.changed().operation(UPGRADE, ABORTED, 6L, 7).generation(8),
            "Upgrade 8"),
        arguments(
            "the first deployment was given up, then changed",
            Deployed.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(DEPLOY, ABORTED, null, 1)
                .image("flink:2.2")
                .generation(2),
            "Deploy 2"));
  }

  static Stream<Arguments> operations() {
    Deployed lost =
        Deployed.running()
            .reconciliation(ReconciliationState.UPGRADING)
            .operation(UPGRADE, RUNNING, 5L, 6);
    return Stream.of(
        arguments("at work, after a restart of the controller", lost, "Upgrade 6 unless open"),
        arguments(
            "at work for the first time",
            Deployed.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(DEPLOY, RUNNING, null, 1),
            "Deploy 1 unless open"),
        arguments("begun by Apache's operator", inFlight().noOperation(), "Upgrade 6 unless open"),
        arguments(
            "at work, and the spec changes",
            inFlight().image("flink:2.2").generation(7),
            "Upgrade 7"),
        arguments(
            "at work, and the newest spec is invalid: its run is looked after",
            inFlight().invalid().generation(7),
            "Upgrade 6 unless open"),
        arguments(
            "parked and corrected",
            inFlight().operation(UPGRADE, PARKED, 5L, 6).image("flink:2.2").generation(7),
            "Upgrade 7"),
        arguments("parked", inFlight().operation(UPGRADE, PARKED, 5L, 6), "Upgrade 6 unless open"));
  }

  /** Specs are compared, not generations: design 13 of the review. */
  static Stream<Arguments> ignored() {
    return Stream.of(
        arguments(
            "at work, and a newer generation has no difference that counts",
            inFlight().generation(7),
            "Upgrade 6 unless open"),
        arguments(
            "the same after a restart of the controller",
            inFlight().generation(7),
            "Upgrade 6 unless open"),
        arguments(
            "parked, and a newer generation has no difference that counts",
            inFlight().operation(UPGRADE, PARKED, 5L, 6).generation(7),
            "Upgrade 6 unless open"),
        arguments(
            "at work, not frozen yet: the frozen spec is another one than its target",
            Deployed.running().operation(UPGRADE, RUNNING, 6L, 7).generation(8),
            "Upgrade 8"),
        arguments(
            "back to what runs, while parked before the freeze",
            Deployed.running().operation(UPGRADE, PARKED, 6L, 7).generation(8),
            "Upgrade 8"),
        arguments(
            "back to what was stable, while parked after the freeze",
            Deployed.running()
                .image("flink:2.2")
                .frozen(7)
                .operation(UPGRADE, PARKED, 6L, 7)
                .image("flink:1.20")
                .generation(8),
            "Upgrade 8"));
  }

  /** An open operation whose run was terminated, as a controller that just started finds it. */
  static Stream<Arguments> lost() {
    Deployed rollingBack =
        inFlight()
            .image("flink:2.2")
            .generation(7)
            .reconciliation(ReconciliationState.ROLLING_BACK);
    return Stream.of(
        arguments(
            "a rollback goes on as one",
            rollingBack.operation(ROLLBACK, RUNNING, 7L, 6),
            "Rollback 7 unless open"),
        arguments(
            "a blocked upgrade",
            inFlight().operation(UPGRADE, BLOCKED, 5L, 6),
            "Upgrade 6 unless open"));
  }

  @Test
  void a_newer_spec_during_a_rollback_is_told_to_it_and_not_given_up_by_it() {
    Start start =
        (Start)
            DeploymentPlanner.decide(
                inFlight()
                    .image("flink:2.2")
                    .generation(8)
                    .reconciliation(ReconciliationState.ROLLING_BACK)
                    .operation(ROLLBACK, RUNNING, 7L, 6)
                    .snapshot());

    assertThat(start.run().type()).isEqualTo(ROLLBACK);
    assertThat(start.run().generation()).isEqualTo(7);
    assertThat(start.newest()).isEqualTo(8);
  }

  static Stream<Arguments> deletions() {
    return Stream.of(
        arguments("deleted", Deployed.running().deleted(), "Delete 6"),
        arguments("deleted while at work", inFlight().deleted(), "Delete 6"),
        arguments(
            "Delete at work, after a restart of the controller",
            Deployed.running().deleted().operation(DELETE, RUNNING, 6L, 6),
            "Delete 6 unless open"),
        arguments(
            "all is gone",
            Deployed.running().deleted().operation(DELETE, SUCCEEDED, 6L, 6),
            "let go"),
        arguments(
            "an earlier instance's Delete does not count",
            deletedByAnother(),
            "Delete 6 unless open"),
        arguments("deleted before anything began", Deployed.created().deleted(), "let go"),
        arguments("deleted, was never valid", Deployed.created().invalid().deleted(), "let go"),
        arguments(
            "deleted right after Deploy was sent",
            Deployed.created().condition("Progressing", "True", "Deploying", 1).deleted(),
            "Delete 1"),
        arguments(
            "deleted, nothing began, but a cluster is there",
            Deployed.created().deleted().cluster(JobManager.STARTING),
            "Delete 1"),
        arguments(
            "by force",
            inFlight().deleted().annotated("sluice.dev/force-delete", "true"),
            "let go by force"),
        arguments(
            "force without a deletion means nothing",
            Deployed.running().annotated("sluice.dev/force-delete", "true"),
            "nothing"),
        arguments(
            "an abort is not for a deletion",
            Deployed.running().deleted().annotated("sluice.dev/abort", "no"),
            "Delete 6"));
  }

  @Test
  void a_run_says_in_one_line_what_it_is_for() {
    Start start = (Start) DeploymentPlanner.decide(Deployed.changed().snapshot());

    assertThat(start.run().summary()).isEqualTo("upgrade default/orders 6 -> 7");
  }

  @Test
  void a_first_run_says_which_generation_it_deploys() {
    Start start = (Start) DeploymentPlanner.decide(Deployed.created().snapshot());

    assertThat(start.run().summary()).isEqualTo("deploy default/orders 1");
  }

  @Test
  void the_details_of_an_upgrade_list_what_changed() {
    Start start = (Start) DeploymentPlanner.decide(Deployed.changed().snapshot());

    assertThat(start.run().details())
        .contains("default/orders", "generation 7", "Changed fields", "* ");
  }

  @Test
  void a_run_that_the_spec_asks_for_is_no_retry() {
    Start start = (Start) DeploymentPlanner.decide(Deployed.changed().snapshot());

    assertThat(start.run().retry()).isFalse();
  }

  private static Deployed inFlight() {
    return Deployed.running()
        .reconciliation(ReconciliationState.UPGRADING)
        .operation(UPGRADE, RUNNING, 5L, 6);
  }

  private static Deployed deletedByAnother() {
    Deployed given = Deployed.running().deleted().operation(DELETE, SUCCEEDED, 6L, 6);
    return given.status(
        given
            .resource()
            .getStatus()
            .withOperation(
                given.resource().getStatus().operation().withWorkflowId("another-lane")));
  }
}
