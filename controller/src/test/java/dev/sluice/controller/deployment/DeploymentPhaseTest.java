package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.operation.ResourcePhase;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeploymentPhaseTest {

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource
  void the_phase_follows_from_spec_and_status(String name, Deployed given, ResourcePhase expected) {
    assertThat(given.snapshot().phase()).isEqualTo(expected);
  }

  static Stream<Arguments> the_phase_follows_from_spec_and_status() {
    return Stream.of(
        arguments("just created", Deployed.created(), ResourcePhase.PENDING),
        arguments(
            "created with an invalid spec", Deployed.created().invalid(), ResourcePhase.INVALID),
        arguments("deployed and unchanged", Deployed.running(), ResourcePhase.SETTLED),
        arguments("changed", Deployed.changed(), ResourcePhase.PENDING),
        arguments(
            "changed to an invalid spec", Deployed.changed().invalid(), ResourcePhase.INVALID),
        arguments(
            "deployed by another operator, and against the rules of this one",
            Deployed.running().invalid().frozen(6),
            ResourcePhase.SETTLED),
        arguments(
            "a newer generation that differs in nothing but is against the rules",
            Deployed.running()
                .configured("kubernetes.operator.deployment.rollback.enabled", "yes")
                .generation(7),
            ResourcePhase.INVALID),
        arguments(
            "a newer generation without a difference",
            Deployed.running().generation(9),
            ResourcePhase.SETTLED),
        arguments(
            "taken over from Apache's operator, no operation ever",
            Deployed.running().noOperation(),
            ResourcePhase.SETTLED),
        arguments(
            "taken over in the middle of Apache's upgrade",
            Deployed.running().noOperation().reconciliation(ReconciliationState.UPGRADING),
            ResourcePhase.RUNNING),
        arguments(
            "an operation runs",
            Deployed.running()
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.UPGRADE, OperationState.RUNNING, 5L, 6),
            ResourcePhase.RUNNING),
        arguments(
            "an operation runs and the newest spec is invalid",
            Deployed.changed()
                .invalid()
                .operation(OperationType.UPGRADE, OperationState.RUNNING, 5L, 6),
            ResourcePhase.RUNNING),
        arguments(
            "an operation is parked",
            Deployed.running()
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.UPGRADE, OperationState.PARKED, 5L, 6),
            ResourcePhase.PARKED),
        arguments(
            "an operation is blocked",
            Deployed.running()
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.UPGRADE, OperationState.BLOCKED, 5L, 6),
            ResourcePhase.BLOCKED),
        arguments(
            "parked and the newest spec is invalid",
            Deployed.changed()
                .invalid()
                .operation(OperationType.UPGRADE, OperationState.PARKED, 5L, 6),
            ResourcePhase.PARKED),
        arguments(
            "aborted before anything was touched",
            Deployed.changed().operation(OperationType.UPGRADE, OperationState.ABORTED, 6L, 7),
            ResourcePhase.GIVEN_UP),
        arguments(
            "rolled back by a run of its own",
            Deployed.changed()
                .reconciliation(ReconciliationState.ROLLED_BACK)
                .operation(OperationType.ROLLBACK, OperationState.SUCCEEDED, null, 7),
            ResourcePhase.GIVEN_UP),
        arguments(
            "rolled back, told from the other side",
            Deployed.changed()
                .reconciliation(ReconciliationState.ROLLED_BACK)
                .operation(OperationType.ROLLBACK, OperationState.SUCCEEDED, 7L, 6),
            ResourcePhase.GIVEN_UP),
        arguments(
            "rolled back, then the old spec was applied again",
            Deployed.running()
                .generation(8)
                .reconciliation(ReconciliationState.ROLLED_BACK)
                .operation(OperationType.ROLLBACK, OperationState.SUCCEEDED, 7L, 6),
            ResourcePhase.SETTLED),
        arguments(
            "aborted, then a newer spec",
            Deployed.changed()
                .generation(8)
                .operation(OperationType.UPGRADE, OperationState.ABORTED, 6L, 7),
            ResourcePhase.PENDING),
        arguments(
            "the first deployment was aborted",
            Deployed.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.DEPLOY, OperationState.ABORTED, null, 1),
            ResourcePhase.GIVEN_UP),
        arguments(
            "the first deployment was aborted, then another spec, even with no difference that counts",
            Deployed.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.DEPLOY, OperationState.ABORTED, null, 1)
                .generation(2),
            ResourcePhase.PENDING),
        arguments(
            "the first deployment failed, then another spec, even with no difference that counts",
            Deployed.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(OperationType.DEPLOY, OperationState.FAILED, null, 1)
                .generation(2),
            ResourcePhase.PENDING),
        arguments(
            "the resource in the cache is older than its status",
            Deployed.running().frozen(7).image("flink:0").generation(6),
            ResourcePhase.SETTLED),
        arguments("deleted", Deployed.changed().deleted(), ResourcePhase.DELETING),
        arguments(
            "deleted with an invalid spec",
            Deployed.created().invalid().deleted(),
            ResourcePhase.DELETING));
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

    SeenDeployment snapshot = given.snapshot();

    assertThat(snapshot.phase()).isEqualTo(ResourcePhase.INVALID);
    assertThat(snapshot.check().violations())
        .extracting(Violation::path)
        .containsExactly("status.reconciliationStatus.lastReconciledSpec");
  }

  @Test
  void a_frozen_spec_that_cannot_be_read_does_not_stand_in_the_way_of_a_deletion() {
    Deployed given = Deployed.running().deleted();
    given.status(
        given
            .resource()
            .getStatus()
            .withReconciliationStatus(
                ReconciliationStatus.EMPTY.withLastReconciledSpec("not JSON")));

    SeenDeployment snapshot = given.snapshot();

    assertThat(snapshot.phase()).isEqualTo(ResourcePhase.DELETING);
    assertThat(snapshot.check().violations()).isEmpty();
  }
}
