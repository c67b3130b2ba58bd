package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.BlueGreenDiff;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.validation.BlueGreenValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.api.validation.Warning;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest spec, checked, and compared with the last one that was reached.
 *
 * @param violations why the newest spec is not valid; empty when it is, and while deleting
 * @param ignored what of the newest spec has no effect, each with its path
 * @param reached the last spec that was reached; null when none was, or when it cannot be read
 * @param diff what the newest spec changes compared with that
 */
public record BlueGreenCheck(
    List<Violation> violations,
    List<String> ignored,
    @Nullable FrozenBlueGreen reached,
    BlueGreenDiff diff) {

  private static final Violation UNREADABLE =
      new Violation(
          "status.lastReconciledSpec",
          "cannot be read, so what is deployed is not known; restore it from a backup, or delete"
              + " the resource and create it again");

  public BlueGreenCheck {
    violations = List.copyOf(violations);
    ignored = List.copyOf(ignored);
  }

  /** Checks the spec of a resource, on top of the operator's defaults. */
  public static BlueGreenCheck of(
      FlinkBlueGreenDeployment resource, DefaultConfiguration defaults) {
    boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
    FrozenBlueGreen reached;
    try {
      reached = resource.getStatus().lastReconciled();
    } catch (IllegalArgumentException unreadable) {
      // a second job next to one that may be live is the one thing not to start
      return new BlueGreenCheck(
          deleting ? List.of() : List.of(UNREADABLE),
          List.of(),
          null,
          BlueGreenDiff.between(null, resource.getSpec()));
    }
    return new BlueGreenCheck(
        deleting ? List.of() : BlueGreenValidation.validate(resource, reached, defaults),
        BlueGreenValidation.warnings(resource).stream().map(Warning::toString).toList(),
        reached,
        BlueGreenDiff.between(reached, resource.getSpec()));
  }

  /** Fields of the template that differ, secrets masked; empty when none do. */
  List<String> changes() {
    return diff.changes().stream().map(change -> "spec.template." + change).toList();
  }

  /** Whether the newest spec may be deployed. */
  boolean isValid() {
    return violations.isEmpty();
  }

  /** Whether the newest spec is the one that was reached, but for what needs no operation. */
  boolean isReached() {
    return diff.kind() == BlueGreenDiff.Kind.NONE;
  }
}
