package dev.sluice.controller.status;

import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.validation.Violation;
import dev.sluice.api.validation.Warning;
import dev.sluice.controller.operation.ResourcePhase;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest spec of a resource, checked, and compared with the frozen one.
 *
 * @param violations why the newest spec is not valid; empty when it is, and while deleting
 * @param ignored fields of the newest spec that have no effect, each with its path
 * @param frozen the spec that is, or is being, deployed; null when there never was one, or when it
 *     cannot be read
 * @param changes fields in which the newest spec differs from the frozen one in a way that needs an
 *     operation, secrets masked; empty when none
 * @param <F> a frozen spec
 */
public record SpecCheck<F>(
    List<Violation> violations, List<String> ignored, @Nullable F frozen, List<String> changes) {

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

  /**
   * Checks the spec of a resource.
   *
   * @param frozen reads the frozen spec; throws IllegalArgumentException when it cannot be read
   * @param rules the violations of the newest spec, given the frozen one
   * @param warnings about the newest spec
   * @param changes see {@link #changes()}, given the frozen spec
   */
  public static <F> SpecCheck<F> of(
      HasMetadata resource,
      Supplier<@Nullable F> frozen,
      Function<@Nullable F, List<Violation>> rules,
      List<Warning> warnings,
      Function<F, List<String>> changes) {
    boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
    F known;
    try {
      known = frozen.get();
    } catch (IllegalArgumentException unreadable) {
      // starting a job next to one that may run is the one thing not to do
      return new SpecCheck<>(
          deleting ? List.of() : List.of(UNREADABLE), List.of(), null, List.of());
    }
    return new SpecCheck<>(
        deleting ? List.of() : rules.apply(known),
        warnings.stream().map(Warning::toString).toList(),
        known,
        known == null ? List.of() : changes.apply(known));
  }

  /**
   * The phase of a resource whose job Sluice runs.
   *
   * @param frozen generation of the frozen spec; 0 when it does not say; null when there is none
   */
  public ResourcePhase phase(ObjectMeta metadata, JobResourceStatus status, @Nullable Long frozen) {
    return ResourcePhase.of(
        metadata,
        status,
        new ResourcePhase.Newest(isValid(), sameAsFrozen(), frozen),
        () -> ResourcePhase.isGivenUp(status.operation(), metadata.getGeneration()));
  }

  /** Whether the newest spec may be deployed. */
  public boolean isValid() {
    return violations.isEmpty();
  }

  /** Whether the newest spec is the frozen one, but for fields that need no operation. */
  public boolean sameAsFrozen() {
    return frozen != null && changes.isEmpty();
  }
}
