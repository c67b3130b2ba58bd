package dev.sluice.controller.deployment;

import dev.sluice.api.common.DiffKind;
import dev.sluice.api.common.SpecChange;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.SpecDiff;
import java.util.List;

/** The newest spec, compared with what is deployed. */
final class SpecCheck {

  private SpecCheck() {}

  /** What differs, for people; empty when nothing that differs needs an operation. */
  static List<String> changes(FrozenSpec frozen, FlinkDeploymentSpec newest) {
    SpecDiff diff = SpecDiff.between(frozen.spec(), newest);
    return diff.kind() == DiffKind.IGNORE
        ? List.of()
        : diff.changes().stream().map(SpecChange::toString).toList();
  }
}
