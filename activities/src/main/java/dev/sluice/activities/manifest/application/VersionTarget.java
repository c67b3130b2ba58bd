package dev.sluice.activities.manifest.application;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import java.util.Map;
import java.util.Objects;

/**
 * A version of an application, with all that its objects are made from.
 *
 * @param application whose version; it owns the objects
 * @param labels of the application
 * @param annotations of the application
 * @param version names, hash and colour
 * @param spec that the version is frozen with
 */
public record VersionTarget(
    ResourceRef application,
    Map<String, String> labels,
    Map<String, String> annotations,
    VersionRef version,
    FlinkApplicationSpec spec) {

  /** Copies the maps. */
  public VersionTarget {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  /** With the labels and annotations that the resource has now. */
  public static VersionTarget of(
      ResourceRef application,
      FlinkApplication read,
      VersionRef version,
      FlinkApplicationSpec spec) {
    return new VersionTarget(
        application,
        Objects.requireNonNullElse(read.getMetadata().getLabels(), Map.of()),
        Objects.requireNonNullElse(read.getMetadata().getAnnotations(), Map.of()),
        version,
        spec);
  }

  /** The cluster of the version, by which waits are keyed. */
  public ClusterRef cluster() {
    return new ClusterRef(application.namespace(), version.cluster());
  }
}
