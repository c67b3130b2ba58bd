package dev.sluice.activities.support;

import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.LiveClusters;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cluster on Kubernetes: what the cache says of it, and what the API server would. */
public final class FakeClusters implements LiveClusters, ResourceStore {

  /** No Deployment. */
  public static final @Nullable Deployment NONE = null;

  public final FakeView cache = new FakeView();
  public final List<Pod> pods = new ArrayList<>();
  public @Nullable Deployment deployment;
  public @Nullable Deployment taskManagers;

  /** How often the API server was asked. */
  public int asked;

  /** Whether the API server answers. */
  public boolean up = true;

  public RunningCluster running = Jobs.cluster(Map.of());
  public RunningCluster target = Jobs.cluster(Map.of());

  /** Of the newest spec. */
  public Map<String, String> newest = Map.of();

  /** A cluster that runs the job of {@link Jobs}, known to both. */
  public static FakeClusters running() {
    FakeClusters clusters = new FakeClusters();
    clusters.both(madeFor(FakeFlink.JOB));
    return clusters;
  }

  /** Cache and API server have that Deployment. */
  public void both(@Nullable Deployment same) {
    cache.deployment = same;
    deployment = same;
  }

  /** Cache and API server have that pod. */
  public void both(Pod pod) {
    cache.pods.add(pod);
    pods.add(pod);
  }

  /** A JobManager Deployment that was made for that job. */
  public static Deployment madeFor(String jobId) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("orders")
        .addToAnnotations("sluice.dev/job-id", jobId)
        .endMetadata()
        .build();
  }

  /** As activities see it. */
  public ClusterAccess access(Clock clock) {
    return new ClusterAccess(this, cache, clock);
  }

  @Override
  public Optional<Deployment> deployment(ClusterRef cluster) {
    answer();
    return Optional.ofNullable(deployment);
  }

  @Override
  public Optional<Deployment> taskManagers(ClusterRef cluster) {
    answer();
    return Optional.ofNullable(taskManagers);
  }

  @Override
  public List<Pod> pods(ClusterRef cluster) {
    answer();
    return List.copyOf(pods);
  }

  @Override
  public List<ConfigMap> highAvailability(ClusterRef cluster) {
    answer();
    return List.of();
  }

  private void answer() {
    asked++;
    if (!up) {
      throw new IllegalStateException("the API server does not answer");
    }
  }

  @Override
  public ResourceType type() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void require(ResourceRef ref) {
    throw new UnsupportedOperationException();
  }

  @Override
  public StoredResource read(ResourceRef ref) {
    throw new UnsupportedOperationException();
  }

  @Override
  public JobResource whole(ResourceRef ref) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<StoredResource> find(String namespace, String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public RunningCluster running(ResourceRef ref) {
    return running;
  }

  @Override
  public RunningCluster running(ResourceRef ref, StoredResource resource) {
    return running;
  }

  @Override
  public FlinkConfiguration newest(ResourceRef ref) {
    return FlinkConfiguration.of(newest);
  }

  @Override
  public RunningCluster target(ResourceRef ref) {
    return target;
  }
}
