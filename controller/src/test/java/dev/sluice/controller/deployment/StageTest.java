package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.deployment.OperationState;
import dev.sluice.api.deployment.OperationType;
import dev.sluice.api.deployment.ReconciliationState;
import dev.sluice.api.deployment.ReconciliationStatus;
import dev.sluice.api.deployment.UpgradeMode;
import dev.sluice.api.validation.Violation;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StageTest {

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource
  void the_stage_follows_from_spec_and_status(String name, Deployed given, Stage expected) {
    assertThat(given.situation().stage()).isEqualTo(expected);
  }

  static Stream<Arguments> the_stage_follows_from_spec_and_status() {
    return Stream.of(
        arguments("just created", Deployed.created(), Stage.WANTED),
        arguments("created with an invalid spec", Deployed.created().invalid(), Stage.REFUSED),
        arguments("deployed and unchanged", Deployed.running(), Stage.SETTLED),
        arguments("changed", Deployed.changed(), Stage.WANTED),
        arguments("changed to an invalid spec", Deployed.changed().invalid(), Stage.REFUSED),
        arguments(
            "deployed by another operator, and against the rules of this one",
            Deployed.running().invalid().frozen(6),
            Stage.SETTLED),
        arguments(
            "a newer generation that differs in nothing but is against the rules",
            Deployed.running().upgradeMode(UpgradeMode.LAST_STATE).generation(7),
            Stage.REFUSED),
        arguments(
            "a newer generation without a difference",
            Deployed.running().generation(9),
            Stage.SETTLED),
        arguments(
            "taken over from Apache's operator, no operation ever",
            Deployed.running().noOperation(),
            Stage.SETTLED),
        arguments(
            "taken over in the middle of Apache's upgrade",
            Deployed.running().noOperation().reconciliation(ReconciliationState.UPGRADING),
            Stage.RUNNING),
        arguments(
            "an operation runs",
            Deployed.running()
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.UPGRADE, OperationState.RUNNING, 5L, 6),
            Stage.RUNNING),
        arguments(
            "an operation runs and the newest spec is invalid",
            Deployed.changed()
                .invalid()
                .operation(OperationType.UPGRADE, OperationState.RUNNING, 5L, 6),
            Stage.RUNNING),
        arguments(
            "an operation is parked",
            Deployed.running()
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.UPGRADE, OperationState.PARKED, 5L, 6),
            Stage.PARKED),
        arguments(
            "parked and the newest spec is invalid",
            Deployed.changed()
                .invalid()
                .operation(OperationType.UPGRADE, OperationState.PARKED, 5L, 6),
            Stage.PARKED),
        arguments(
            "aborted before anything was touched",
            Deployed.changed().operation(OperationType.UPGRADE, OperationState.ABORTED, 6L, 7),
            Stage.GIVEN_UP),
        arguments(
            "rolled back by a run of its own",
            Deployed.changed()
                .reconciliation(ReconciliationState.ROLLED_BACK)
                .operation(OperationType.ROLLBACK, OperationState.SUCCEEDED, null, 7),
            Stage.GIVEN_UP),
        arguments(
            "rolled back, told from the other side",
            Deployed.changed()
                .reconciliation(ReconciliationState.ROLLED_BACK)
                .operation(OperationType.ROLLBACK, OperationState.SUCCEEDED, 7L, 6),
            Stage.GIVEN_UP),
        arguments(
            "rolled back, then the old spec was applied again",
            Deployed.running()
                .generation(8)
                .reconciliation(ReconciliationState.ROLLED_BACK)
                .operation(OperationType.ROLLBACK, OperationState.SUCCEEDED, 7L, 6),
            Stage.SETTLED),
        arguments(
            "aborted, then a newer spec",
            Deployed.changed()
                .generation(8)
                .operation(OperationType.UPGRADE, OperationState.ABORTED, 6L, 7),
            Stage.WANTED),
        arguments(
            "the first deployment was aborted",
            Deployed.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.DEPLOY, OperationState.ABORTED, null, 1),
            Stage.GIVEN_UP),
        arguments(
            "the first deployment failed, then another spec, even with no difference that counts",
            Deployed.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.DEPLOY, OperationState.FAILED, null, 1)
                .generation(2),
            Stage.WANTED),
        arguments(
            "the resource in the cache is older than its status",
            Deployed.running().frozen(7).image("flink:0").generation(6),
            Stage.SETTLED),
        arguments("deleted", Deployed.changed().deleted(), Stage.DELETING),
        arguments(
            "deleted with an invalid spec",
            Deployed.created().invalid().deleted(),
            Stage.DELETING));
  }

  @Test
  void a_frozen_spec_that_cannot_be_read_never_leads_to_a_second_cluster() {
    Deployed given = Deployed.running();
    given.status(
        given
            .resource()
            .getStatus()
            .withReconciliationStatus(
                ReconciliationStatus.EMPTY
                    .withLastReconciledSpec("not JSON")
                    .withState(ReconciliationState.DEPLOYED)));

    Situation situation = given.situation();

    assertThat(situation.stage()).isEqualTo(Stage.REFUSED);
    assertThat(situation.violations())
        .extracting(Violation::path)
        .containsExactly("status.reconciliationStatus.lastReconciledSpec");
  }
}
