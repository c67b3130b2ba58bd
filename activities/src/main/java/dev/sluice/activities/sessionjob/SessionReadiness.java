package dev.sluice.activities.sessionjob;

import dev.sluice.activities.cluster.ClusterEvidence;
import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.sessionjob.SessionClusterWords;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether a job may be sent to its session cluster now, by what Kubernetes says. A job is never
 * sent to a cluster that is about to go.
 */
final class SessionReadiness {

  private SessionReadiness() {}

  /**
   * What the job waits for; empty when its cluster may be asked.
   *
   * @param name the FlinkDeployment that the job names
   * @param place the FlinkDeployment as it was read
   * @param host the same as a reference; empty when there is none
   * @param cluster the objects of its cluster; asked for only when the rest is as it should be
   */
  static Optional<String> waitsFor(
      String name,
      SessionPlace place,
      Optional<ResourceRef> host,
      Supplier<ClusterObjects> cluster) {
    Optional<String> awaits = waitsFor(name, place);
    if (awaits.isPresent() || host.isEmpty()) {
      return awaits;
    }
    ClusterObjects objects = cluster.get();
    return ClusterEvidence.deployment(objects, host.get()).isPresent()
        ? Optional.empty()
        : Optional.of(
            "the session cluster of FlinkDeployment %s is not there: %s"
                .formatted(name, ClusterEvidence.absence(objects, host.get())));
  }

  /** The same, by what the FlinkDeployment says alone. */
  static Optional<String> waitsFor(String name, SessionPlace place) {
    String deployment = "FlinkDeployment " + name;
    StoredResource there = place.deployment();
    if (there == null) {
      return Optional.of(SessionClusterWords.missing(name) + ". " + SessionClusterWords.CREATE);
    }
    if (there.metadata().getDeletionTimestamp() != null) {
      return Optional.of(SessionClusterWords.deleting(name));
    }
    if (place.known().application()) {
      return Optional.of(SessionClusterWords.application(name) + ". " + SessionClusterWords.RENAME);
    }
    if (place.spec().isEmpty()) {
      return Optional.of(deployment + " is not deployed yet");
    }
    return there.observed().phase() == Observation.Phase.IDLE
        ? Optional.empty()
        : Optional.of(deployment + " is being upgraded");
  }
}
