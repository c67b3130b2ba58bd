package dev.sluice.controller.deployment;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.controller.status.SpecCheck;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks the spec of a FlinkDeployment. */
public final class DeploymentCheck {

  private DeploymentCheck() {}

  /**
   * Checks the newest spec.
   *
   * @param defaults what holds where a spec does not say, as it is now
   */
  public static SpecCheck<FrozenSpec> of(FlinkDeployment resource, DefaultConfiguration defaults) {
    return SpecCheck.of(
        resource,
        () -> frozen(resource, defaults),
        frozen -> SpecValidation.validate(resource, frozen, defaults),
        SpecValidation.warnings(resource),
        frozen -> SpecDiff.between(frozen.spec(), resource.getSpec()).changesByOperation());
  }

  private static @Nullable FrozenSpec frozen(
      FlinkDeployment resource, DefaultConfiguration defaults) {
    FrozenSpec frozen = resource.getStatus().lastReconciled();
    return frozen == null
        ? null
        : frozen.withMissingDefaults(
            defaults.forResource(
                Objects.requireNonNullElse(resource.getMetadata().getNamespace(), ""),
                frozen.spec().flinkVersion()));
  }
}
