package dev.sluice.activities.sessionjob;

import dev.sluice.activities.deployment.StartSnapshot;
import dev.sluice.activities.deployment.StoredJobResource.Starts;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.validation.SessionJobKeys;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** FlinkSessionJobs: each is one job on the cluster of a FlinkDeployment. */
public final class FlinkSessionJobStore implements ResourceStore {

  public static final ResourceType TYPE =
      new ResourceType(
          FlinkSessionJob.GROUP,
          FlinkSessionJob.VERSION,
          FlinkSessionJob.KIND,
          FlinkSessionJob.PLURAL);

  private final CustomResources resources;
  private final ResourceStore deployments;
  private final Starts starts;

  /**
   * @param deployments the store of FlinkDeployments, whose session clusters run the jobs
   * @param stableAfter what must be so before a job counts as stable, where a resource does not say
   */
  public FlinkSessionJobStore(
      KubernetesClient client, ResourceStore deployments, StableAfter stableAfter) {
    this.resources = new CustomResources(client);
    this.deployments = deployments;
    this.starts = new Starts(StartSnapshot.from(client), stableAfter);
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
    return stored(resources.get(TYPE, ref, FlinkSessionJob.class));
  }

  @Override
  public JobResource whole(ResourceRef ref) {
    FlinkSessionJob resource = resources.get(TYPE, ref, FlinkSessionJob.class);
    return new JobResource(TYPE, resource.getMetadata(), resource.getStatus());
  }

  @Override
  public Optional<StoredResource> find(String namespace, String name) {
    return resources.find(TYPE, namespace, name, FlinkSessionJob.class).map(this::stored);
  }

  private StoredSessionJob stored(FlinkSessionJob resource) {
    String name = resource.getSpec().deploymentName();
    StoredResource deployment =
        name == null || name.isBlank()
            ? null
            : deployments.find(resource.getMetadata().getNamespace(), name).orElse(null);
    return new StoredSessionJob(resource, new SessionPlace(deployment), starts);
  }

  /** The session cluster as it runs now, as that of the job that Flink was asked to run. */
  @Override
  public RunningCluster running(ResourceRef ref, StoredResource resource) {
    StoredSessionJob job = (StoredSessionJob) resource;
    FlinkConfiguration cluster = clusterConfiguration(ref, job.place().deployment());
    Submitted submission = job.hosted().orElseThrow().there();
    Long generation = submission == null ? null : submission.generation();
    FlinkConfiguration own =
        RunningCluster.spec(job, generation)
            .map(it -> ((SessionJobTarget) it).spec().spec().configuration())
            .orElseGet(FlinkConfiguration::empty);
    ClusterRef place = job.cluster();
    return new RunningCluster(
        place,
        Endpoint.of(place, cluster),
        SessionJobKeys.merged(cluster, own),
        submission == null ? null : submission.jobId(),
        generation,
        true);
  }

  @Override
  public RunningCluster target(ResourceRef ref) {
    RunningCluster target = RunningCluster.target(read(ref));
    return new RunningCluster(
        target.ref(),
        target.endpoint(),
        target.configuration(),
        target.jobId(),
        target.generation(),
        true);
  }

  /** While the cluster is being upgraded it is still made from the spec before. */
  private FlinkConfiguration clusterConfiguration(
      ResourceRef ref, @Nullable StoredResource deployment) {
    return deployment == null
        ? FlinkConfiguration.empty()
        : deployments.running(owner(ref, deployment), deployment).configuration();
  }

  private ResourceRef owner(ResourceRef ref, StoredResource deployment) {
    return new ResourceRef(
        ref.kubernetes(),
        deployments.type().kind(),
        deployment.metadata().getNamespace(),
        deployment.metadata().getName(),
        Objects.requireNonNull(deployment.metadata().getUid()));
  }
}
