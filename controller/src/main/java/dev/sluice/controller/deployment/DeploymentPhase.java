package dev.sluice.controller.deployment;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.SpecCheck;
import java.util.Objects;
import java.util.Set;

/** The phase of a FlinkDeployment: when its newest spec counts as given up. */
final class DeploymentPhase {

  private static final Set<String> GIVEN_UP_REASONS =
      Set.of(Reasons.ABORTED, Reasons.OPERATION_FAILED);

  private DeploymentPhase() {}

  /** The phase of a resource whose spec was checked. */
  static ResourcePhase of(FlinkDeployment resource, SpecCheck<FrozenSpec> check) {
    FlinkDeploymentStatus status = resource.getStatus();
    FrozenSpec frozen = check.frozen();
    return ResourcePhase.of(
        resource.getMetadata(),
        status,
        new ResourcePhase.Newest(
            check.isValid(), check.sameAsFrozen(), frozen == null ? null : frozen.generation()),
        () -> isGivenUp(status, resource.getMetadata().getGeneration()));
  }

  private static boolean isGivenUp(FlinkDeploymentStatus status, long generation) {
    OperationStatus operation = status.operation();
    return operation != null && operation.type() == OperationType.FINISH
        ? saidGivenUp(status, generation)
        : ResourcePhase.isGivenUp(operation, generation);
  }

  /**
   * Whether the conditions say that this generation was given up. Only they still do when a Finish
   * has replaced the operation that gave it up.
   */
  static boolean saidGivenUp(FlinkDeploymentStatus status, long generation) {
    return status
        .condition(ConditionTypes.STALLED)
        .filter(stalled -> GIVEN_UP_REASONS.contains(stalled.getReason()))
        .filter(stalled -> Objects.equals(stalled.getObservedGeneration(), generation))
        .isPresent();
  }
}
