package dev.sluice.activities.manifest;

/**
 * Renders the objects of an application cluster in Flink's native mode, as {@code
 * KubernetesClusterDescriptor.deployApplicationCluster} of Flink's own client would make them.
 */
public final class NativeApplicationManifests {

  /**
   * The objects, ready for a server-side apply. The same target gives the same objects.
   *
   * @throws IllegalArgumentException naming the field of the spec, when it cannot be rendered
   */
  public ClusterManifests render(ClusterTarget target) {
    throw new UnsupportedOperationException("follows: " + target.name());
  }
}
