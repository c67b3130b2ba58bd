package dev.sluice.activities.resource;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Flink cluster of a resource and what it was configured with.
 *
 * @param ref the cluster
 * @param endpoint where its JobManager answers
 * @param configuration of the spec that it was made from, as people wrote it; the empty one when
 *     that spec is not known
 * @param jobId the job that it was made for; null when it does not say
 * @param generation of the spec that it was made from; null when it does not say
 * @param session it was made without a job of its own
 */
public record RunningCluster(
    ClusterRef ref,
    Endpoint endpoint,
    FlinkConfiguration configuration,
    @Nullable String jobId,
    @Nullable Long generation,
    boolean session) {

  public RunningCluster(
      ClusterRef ref,
      Endpoint endpoint,
      FlinkConfiguration configuration,
      @Nullable String jobId,
      @Nullable Long generation) {
    this(ref, endpoint, configuration, jobId, generation, false);
  }

  /**
   * The cluster that runs now. Its Deployment says from which generation it was made: the next
   * target may be frozen already while the old cluster still runs. Where it does not say, the last
   * stable spec is the best guess.
   *
   * @param deployment of its JobManager; null when there is none
   */
  public static RunningCluster of(StoredResource resource, @Nullable Deployment deployment) {
    Long generation = deployment == null ? null : ClusterAnnotations.generation(deployment);
    return of(
        resource.cluster(),
        spec(resource, generation).orElse(null),
        deployment == null ? null : ClusterAnnotations.jobId(deployment),
        generation);
  }

  /**
   * The spec that a cluster was made from.
   *
   * @param generation that it says it was made from; null when it does not say
   */
  public static Optional<TargetSpec> spec(StoredResource resource, @Nullable Long generation) {
    return Stream.of(resource.stable(), resource.frozen())
        .flatMap(Optional::stream)
        .filter(spec -> generation != null && spec.target().generation() == generation)
        .findFirst()
        .or(resource::stable)
        .or(resource::frozen);
  }

  /** The cluster that is made, or to be made, from the frozen target. */
  public static RunningCluster target(StoredResource resource) {
    return resource
        .frozen()
        .map(
            spec ->
                of(
                    resource.cluster(),
                    spec,
                    resource.status().startedJob(),
                    spec.target().generation()))
        .orElseGet(() -> of(resource.cluster(), null, null, null));
  }

  private static RunningCluster of(
      ClusterRef ref,
      @Nullable TargetSpec spec,
      @Nullable String jobId,
      @Nullable Long generation) {
    FlinkConfiguration configuration =
        spec == null ? FlinkConfiguration.empty() : spec.configuration();
    Endpoint endpoint = Endpoint.of(ref, configuration);
    boolean session = spec != null && spec.target().session();
    return new RunningCluster(ref, endpoint, configuration, jobId, generation, session);
  }
}
