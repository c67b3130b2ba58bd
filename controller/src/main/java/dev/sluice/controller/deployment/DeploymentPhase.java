package dev.sluice.controller.deployment;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.SpecCheck;

/** The phase of a FlinkDeployment: when its newest spec counts as given up. */
final class DeploymentPhase {

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
        () -> ResourcePhase.isGivenUp(status.operation(), resource.getMetadata().getGeneration()));
  }
}
