package dev.sluice.activities.cluster;

import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.AwaitJobManagerRequest;
import dev.sluice.workflows.activity.ClusterActivities.AwaitNoJobsRequest;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.activity.ClusterActivities.SuspendSessionJobsRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Wires {@link ClusterActivities} to what carries them out. */
public final class ClusterActivitiesImpl implements ClusterActivities {

  private final KubernetesClient client;
  private final ResourceStores stores;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final Watcher watcher;
  private final SessionJobSource sessionJobs;

  public ClusterActivitiesImpl(
      KubernetesClient client,
      ResourceStores stores,
      ClusterAccess access,
      FlinkRest flink,
      Watcher watcher,
      SessionJobSource sessionJobs) {
    this.sessionJobs = sessionJobs;
    this.client = client;
    this.stores = stores;
    this.access = access;
    this.flink = flink;
    this.watcher = watcher;
  }

  @Override
  public void deleteCluster(DeleteClusterRequest request) {
    boolean asks =
        request.jobs() == JobsOnCluster.NONE || request.jobs() == JobsOnCluster.COME_BACK;
    ClusterDeletion deletion =
        new ClusterDeletion(
            request,
            stores.of(request.resource()),
            client,
            access,
            asks ? jobsCheck(request.resource()) : null);
    String cluster = request.cluster().display();
    wait(
        request.resource(),
        Wait.of(
                cluster,
                "every pod of " + cluster + " to be gone",
                request.deadlineMs(),
                deletion::look)
            .quick(),
        FailureType.CLUSTER_NOT_GONE);
  }

  private SessionJobsCheck jobsCheck(ResourceRef resource) {
    return new SessionJobsCheck(
        resource, stores.of(resource), new ClusterReader(client), flink, sessionJobs);
  }

  @Override
  public HeldDeletion awaitNoJobs(AwaitNoJobsRequest request) {
    SessionJobsCheck check = jobsCheck(request.resource());
    String cluster = request.cluster().display();
    return watcher.watch(
        Wait.of(
            cluster,
            "no job to be left on " + cluster,
            request.deadlineMs(),
            () -> check.look(request, access.clock().instant())));
  }

  @Override
  public HeldDeletion suspendSessionJobs(SuspendSessionJobsRequest request) {
    SessionJobsCheck check = jobsCheck(request.resource());
    String cluster = request.cluster().display();
    return watcher.watch(
        Wait.of(
                cluster,
                "the FlinkSessionJobs on " + cluster + " to suspend their jobs",
                request.deadlineMs(),
                () -> check.look(request, access.clock().instant()))
            .reportingTo(request.resource()));
  }

  @Override
  public void createCluster(CreateClusterRequest request) {
    new ClusterCreation(
            stores.of(request.resource()),
            new ClusterReader(client),
            new ManifestApply(client),
            EffectWindow.open(access.clock()))
        .create(request);
  }

  @Override
  public void awaitJobManager(AwaitJobManagerRequest request) {
    String cluster = request.job().cluster().display();
    JobManagerWait wait =
        new JobManagerWait(
            request, stores.of(request.resource()).target(request.resource()), access, flink);
    wait(
        request.resource(),
        Wait.of(
            cluster,
            "the JobManager of " + cluster + " to answer",
            request.deadlineMs(),
            wait::look),
        FailureType.CLUSTER_NOT_READY);
  }

  private void wait(ResourceRef resource, Wait<Void> wait, String timeoutType) {
    watcher.watch(wait.timingOutAs(timeoutType).reportingTo(resource));
  }
}
