package dev.sluice.activities.manifest.application;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Kubernetes objects of one version, all owned by the application.
 *
 * @param versioned the Service that leads to the JobManager of this version, from its start
 * @param generic the Service of the application, or of the colour, which is cut over from version
 *     to version
 * @param ingress to that; null where none is configured
 * @param jobManager the Deployment of the JobManager
 * @param taskManagers the Deployment of the TaskManagers
 */
public record VersionManifests(
    Service versioned,
    Service generic,
    @Nullable Ingress ingress,
    Deployment jobManager,
    Deployment taskManagers) {

  /** In the order to apply them: pods never start without the Service by which they meet. */
  public List<HasMetadata> all() {
    return Stream.<@Nullable HasMetadata>of(versioned, generic, ingress, jobManager, taskManagers)
        .<HasMetadata>flatMap(Stream::ofNullable)
        .toList();
  }
}
