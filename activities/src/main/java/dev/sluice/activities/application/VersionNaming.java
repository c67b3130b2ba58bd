package dev.sluice.activities.application;

import dev.sluice.activities.manifest.application.VersionNames;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the hash of a new version as it is in names. That is a part of the whole hash, so two
 * versions may have the same one: the Deployments tell.
 */
final class VersionNaming {

  private static final int MOST_COLLISIONS = 10;

  private final VersionReader reader;
  private final VersionMembership membership = new VersionMembership();

  VersionNaming(VersionReader reader) {
    this.reader = reader;
  }

  VersionRef name(
      ResourceRef application,
      FlinkApplicationSpec spec,
      long generation,
      @Nullable Colour colour) {
    String full = ApplicationHash.of(spec).full();
    String hash = hash(application, spec);
    return new VersionRef(
        hash,
        full,
        VersionNames.cluster(application.name(), hash),
        colour,
        generation,
        null,
        false);
  }

  VersionRef nameInPlace(
      ResourceRef application, FlinkApplicationSpec spec, long generation, VersionRef deployed) {
    return new VersionRef(
        hash(application, spec),
        ApplicationHash.of(spec).full(),
        deployed.cluster(),
        deployed.colour(),
        generation,
        null,
        deployed.adopted());
  }

  private String hash(ResourceRef application, FlinkApplicationSpec spec) {
    ApplicationHash wanted = ApplicationHash.of(spec);
    List<Deployment> there = reader.ofApplication(application.namespace(), application.name());
    for (int collisions = 0; collisions <= MOST_COLLISIONS; collisions++) {
      String hash = wanted.inNames(collisions);
      if (there.stream().noneMatch(other -> isTaken(application, hash, wanted.full(), other))) {
        return hash;
      }
    }
    throw ApplicationFailure.newNonRetryableFailure(
        "%d names for the version of FlinkApplication %s are those of other versions: %s is the last"
            .formatted(MOST_COLLISIONS + 1, application.display(), wanted.inNames(MOST_COLLISIONS)),
        FailureType.NAME_TAKEN);
  }

  /** A cluster of that name, or one that was scaled in place and is labelled so, is another's. */
  private boolean isTaken(
      ResourceRef application, String hash, String fullHash, Deployment deployment) {
    ClusterRef named =
        new ClusterRef(application.namespace(), VersionNames.cluster(application.name(), hash));
    boolean same =
        membership.cluster(deployment).equals(named.display())
            || hash.equals(Labels.of(deployment, ApplicationLabels.FLINK_APP_HASH));
    return same && !fullHash.equals(VersionObjects.fullHash(deployment));
  }
}
