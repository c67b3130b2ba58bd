package dev.sluice.controller.deployment;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.SpecChange;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.InPlaceScaling;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.api.validation.Warning;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The newest spec, checked, and compared with the frozen one.
 *
 * @param violations why the newest spec is not valid; empty when it is, and while deleting
 * @param ignored fields of the newest spec that have no effect, each with its path
 * @param frozen the spec that is, or is being, deployed; null when there never was one, or when it
 *     cannot be read
 * @param changes fields in which the newest spec differs from the frozen one in a way that needs an
 *     operation, secrets masked; empty when none
 */
public record SpecCheck(
    List<Violation> violations,
    List<String> ignored,
    @Nullable FrozenSpec frozen,
    List<String> changes) {

  private static final Violation UNREADABLE =
      new Violation(
          "status.reconciliationStatus.lastReconciledSpec",
          "cannot be read, so what is deployed is not known; restore it from a backup, or delete"
              + " the resource and create it again");

  public SpecCheck {
    violations = List.copyOf(violations);
    ignored = List.copyOf(ignored);
    changes = List.copyOf(changes);
  }

  /** Checks the spec of a resource, without any default. */
  public static SpecCheck of(FlinkDeployment resource) {
    return of(resource, DefaultConfiguration.NONE);
  }

  /**
   * Checks the spec of a resource.
   *
   * @param defaults what holds where a spec does not say, as it is now
   */
  public static SpecCheck of(FlinkDeployment resource, DefaultConfiguration defaults) {
    boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
    FrozenSpec frozen;
    try {
      frozen = frozen(resource, defaults);
    } catch (IllegalArgumentException unreadable) {
      // deploying beside a cluster that may run is the one thing not to do
      return new SpecCheck(deleting ? List.of() : List.of(UNREADABLE), List.of(), null, List.of());
    }
    return new SpecCheck(
        deleting ? List.of() : SpecValidation.validate(resource, frozen, defaults),
        SpecValidation.warnings(resource).stream().map(Warning::toString).toList(),
        frozen,
        frozen == null ? List.of() : changes(frozen.spec(), resource.getSpec()));
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

  /** The fields, secrets masked; empty when the change needs no operation. */
  static List<String> changes(FlinkDeploymentSpec before, FlinkDeploymentSpec after) {
    SpecDiff diff = SpecDiff.between(before, after);
    return diff.kind().needsOperation()
        ? diff.changes().stream().map(SpecChange::toString).toList()
        : List.of();
  }

  /** Whether the newest spec may be deployed. */
  public boolean isValid() {
    return violations.isEmpty();
  }

  /** Whether the newest spec is the frozen one, but for fields that need no operation. */
  public boolean sameAsFrozen() {
    return frozen != null && changes.isEmpty();
  }

  /** The same of the frozen spec against the last stable one; empty when that cannot be told. */
  List<String> changesSinceStable(FlinkDeploymentStatus status) {
    try {
      FrozenSpec before = frozen == null ? null : status.lastStable();
      return frozen == null || before == null ? List.of() : changes(before.spec(), frozen.spec());
    } catch (IllegalArgumentException unreadable) {
      return List.of();
    }
  }

  /**
   * Only the parallelism differs, or its maximum; whether that can be done in place, or at all, is
   * looked at by its run.
   */
  boolean isRescale(FlinkDeployment resource) {
    if (frozen == null || !isValid()) {
      return false;
    }
    FrozenSpec newest =
        new FrozenSpec(
            resource.getSpec(), resource.getMetadata().getGeneration(), false, frozen.defaults());
    return InPlaceScaling.isToldByVertices(frozen, newest);
  }
}
