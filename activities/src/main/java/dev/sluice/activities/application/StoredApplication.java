package dev.sluice.activities.application;

import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.api.application.ApplicationDeployment;
import dev.sluice.api.application.DeployedVersion;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.common.FrozenDocument;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.temporal.failure.ApplicationFailure;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An application as it was read. Pure.
 *
 * @param ref which
 * @param resource as the API server gave it
 */
record StoredApplication(ResourceRef ref, FlinkApplication resource) {

  ObjectMeta metadata() {
    return resource.getMetadata();
  }

  FlinkApplicationStatus status() {
    return resource.getStatus();
  }

  FlinkApplicationSpec spec() {
    return resource.getSpec();
  }

  long generation() {
    return Objects.requireNonNullElse(metadata().getGeneration(), 0L);
  }

  boolean isDeleting() {
    return metadata().getDeletionTimestamp() != null;
  }

  ApplicationRecord record() {
    return ApplicationStatuses.record(status());
  }

  /** The specs of the versions in its status, by {@link ApplicationStatuses#key}. */
  Map<String, String> specs() {
    Map<String, String> specs = new HashMap<>();
    versions()
        .forEach(
            recorded -> {
              VersionRef version = ApplicationStatuses.version(recorded);
              if (version != null && recorded.spec() != null) {
                specs.putIfAbsent(ApplicationStatuses.key(version), recorded.spec());
              }
            });
    return specs;
  }

  private Stream<DeployedVersion> versions() {
    ApplicationDeployment deployment =
        Objects.requireNonNullElse(status().deployment(), ApplicationDeployment.EMPTY);
    return Stream.of(deployment.deployed(), deployment.target(), deployment.leaving())
        .flatMap(Stream::ofNullable);
  }

  /** The spec that a version of its status is frozen with; empty where it cannot be read. */
  Optional<FlinkApplicationSpec> frozen(VersionRef version) {
    String json = specs().get(ApplicationStatuses.key(version));
    try {
      return Optional.ofNullable(json)
          .map(FrozenDocument::parse)
          .map(document -> document.spec(FlinkApplicationSpec.class));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * A version with its spec; of one whose spec is not kept, with the newest, whose ports are most
   * probably the same.
   */
  FrozenVersion version(VersionRef version) {
    return new FrozenVersion(ref, version, frozen(version).orElseGet(this::spec));
  }

  /** The same, of which objects are made. Fails as {@code Outdated} where its spec is not kept. */
  VersionTarget target(VersionRef version) {
    FlinkApplicationSpec spec =
        frozen(version)
            .orElseThrow(
                () ->
                    ApplicationFailure.newNonRetryableFailure(
                        "the spec of %s is not in the status any more".formatted(version.display()),
                        FailureType.OUTDATED));
    return VersionTarget.of(ref, resource, version, spec);
  }
}
