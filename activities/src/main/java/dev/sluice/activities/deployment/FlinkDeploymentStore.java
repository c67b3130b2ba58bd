package dev.sluice.activities.deployment;

import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.deployment.StoredJobResource.Starts;
import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.function.Supplier;

/** FlinkDeployments: each has one cluster, which has its name. */
public final class FlinkDeploymentStore implements ResourceStore {

  /** How the API server knows the kind. */
  public static final ResourceType TYPE =
      new ResourceType(
          FlinkDeployment.GROUP,
          FlinkDeployment.VERSION,
          FlinkDeployment.KIND,
          FlinkDeployment.PLURAL);

  private final CustomResources resources;
  private final ClusterReader clusters;
  private final Starts starts;
  private final Supplier<DefaultConfiguration> defaults;

  /** Without any default. */
  public FlinkDeploymentStore(KubernetesClient client) {
    this(client, () -> DefaultConfiguration.NONE, StableAfter.NONE);
  }

  /**
   * @param defaults Flink configuration that holds where a spec does not say, as it is now
   * @param stableAfter what must be so before a job counts as stable, where a resource does not say
   */
  public FlinkDeploymentStore(
      KubernetesClient client, Supplier<DefaultConfiguration> defaults, StableAfter stableAfter) {
    this.resources = new CustomResources(client);
    this.clusters = new ClusterReader(client);
    this.starts = new Starts(StartSnapshot.from(client), stableAfter);
    this.defaults = defaults;
  }

  @Override
  public ResourceType type() {
    return TYPE;
  }

  @Override
  public void require(ResourceRef ref) {
    resources.require(TYPE, ref);
  }

  @Override
  public StoredResource read(ResourceRef ref) {
    return stored(resources.get(TYPE, ref, FlinkDeployment.class));
  }

  @Override
  public JobResource whole(ResourceRef ref) {
    FlinkDeployment resource = resources.get(TYPE, ref, FlinkDeployment.class);
    return new JobResource(TYPE, resource.getMetadata(), resource.getStatus());
  }

  @Override
  public Optional<StoredResource> find(String namespace, String name) {
    return resources.find(TYPE, namespace, name, FlinkDeployment.class).map(this::stored);
  }

  private StoredResource stored(FlinkDeployment resource) {
    return new StoredDeployment(resource, defaults.get(), starts);
  }

  @Override
  public RunningCluster running(ResourceRef ref, StoredResource resource) {
    return RunningCluster.of(resource, clusters.running(resource.cluster(), ref).orElse(null));
  }
}
