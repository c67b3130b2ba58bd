package dev.sluice.controller.application;

import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.DeployedVersion;
import dev.sluice.api.application.DeploymentMode;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.ScaleMode;
import dev.sluice.api.common.FrozenDocument;
import dev.sluice.api.validation.ApplicationValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.api.validation.Warning;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The newest spec, checked and compared.
 *
 * @param violations why it is not valid; empty when it is, and while deleting
 * @param ignored settings without effect, each with its path
 * @param fullHash of it; empty where it is not valid
 * @param rescales whether it differs from the deployed spec in a higher parallelism alone, and the
 *     cluster is to be scaled in place
 * @param tearDown hash of the version to tear down; null for none, and where the target was frozen
 *     with the same one already
 */
public record ApplicationCheck(
    List<Violation> violations,
    List<String> ignored,
    String fullHash,
    boolean rescales,
    @Nullable String tearDown) {

  public ApplicationCheck {
    violations = List.copyOf(violations);
    ignored = List.copyOf(ignored);
  }

  /** Checks the spec of a resource. */
  public static ApplicationCheck of(FlinkApplication resource) {
    boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
    List<Violation> violations = deleting ? List.of() : ApplicationValidation.validate(resource);
    FlinkApplicationSpec spec = resource.getSpec();
    boolean valid = violations.isEmpty() && !deleting;
    return new ApplicationCheck(
        violations,
        ApplicationValidation.warnings(resource).stream().map(Warning::toString).toList(),
        valid ? ApplicationHash.of(spec).full() : "",
        valid && rescales(resource, spec),
        valid ? tearDown(resource, spec) : null);
  }

  boolean isValid() {
    return violations.isEmpty();
  }

  private static boolean rescales(FlinkApplication resource, FlinkApplicationSpec spec) {
    if (spec.scaleMode() != ScaleMode.IN_PLACE || spec.deploymentMode() != DeploymentMode.DUAL) {
      return false;
    }
    var deployment = resource.getStatus().deployment();
    return frozen(deployment == null ? null : deployment.deployed())
        .filter(it -> ApplicationHash.differInParallelismOnly(it, spec))
        .filter(it -> parallelism(spec) > parallelism(it))
        .isPresent();
  }

  private static int parallelism(FlinkApplicationSpec spec) {
    return Objects.requireNonNullElse(spec.parallelism(), 0);
  }

  private static @Nullable String tearDown(FlinkApplication resource, FlinkApplicationSpec spec) {
    String asked = spec.tearDownVersionHash();
    var deployment = resource.getStatus().deployment();
    if (asked == null || asked.isBlank()) {
      return null;
    }
    boolean before =
        frozen(deployment == null ? null : deployment.target())
            .filter(it -> asked.equals(it.tearDownVersionHash()))
            .isPresent();
    return before ? null : asked;
  }

  /** The spec that a version is frozen with; empty where there is none, or it cannot be read. */
  static Optional<FlinkApplicationSpec> frozen(@Nullable DeployedVersion version) {
    String document = version == null ? null : version.spec();
    if (document == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(FrozenDocument.parse(document).spec(FlinkApplicationSpec.class));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }
}
