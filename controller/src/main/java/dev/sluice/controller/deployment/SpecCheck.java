package dev.sluice.controller.deployment;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The newest spec, checked against the rules and against what is deployed. */
final class SpecCheck {

  private SpecCheck() {}

  static List<Violation> violations(FlinkDeployment resource, @Nullable FrozenSpec frozen) {
    return resource.getSpec().serviceAccount() == null
        ? List.of(new Violation("spec.serviceAccount", "must be given"))
        : List.of();
  }

  static List<String> changes(FrozenSpec frozen, FlinkDeployment resource) {
    return frozen.spec().equals(resource.getSpec()) ? List.of() : List.of("spec");
  }
}
