package dev.sluice.activities.cluster;

import dev.sluice.activities.async.Deadline;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.Resources;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.cluster.AwaitJobManagerRequest;
import dev.sluice.workflows.cluster.ClusterActivities;
import dev.sluice.workflows.cluster.CreateClusterRequest;
import dev.sluice.workflows.cluster.DeleteClusterRequest;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executor;

/** Wires {@link ClusterActivities} to what carries them out. */
public final class ClusterActivitiesImpl implements ClusterActivities {

  private final KubernetesClient client;
  private final ClusterCache view;
  private final FlinkRest flink;
  private final Watcher watcher;
  private final Executor background;
  private final Clock clock;

  /**
   * @param background for short blocking calls to the API server
   */
  public ClusterActivitiesImpl(
      KubernetesClient client,
      ClusterCache view,
      FlinkRest flink,
      Watcher watcher,
      Executor background,
      Clock clock) {
    this.client = client;
    this.view = view;
    this.flink = flink;
    this.watcher = watcher;
    this.background = background;
    this.clock = clock;
  }

  @Override
  public void deleteCluster(DeleteClusterRequest request) {
    ResourceRef ref = request.resource();
    ClusterDeletion deletion = new ClusterDeletion(request, client, view, background, clock);
    deletion.begin();
    wait(
        Wait.of(
            ref.display(),
            "every pod of " + ref.display() + " to be gone",
            limit(request.deadlineMs()),
            deletion::look),
        FailureType.CLUSTER_NOT_GONE);
  }

  @Override
  public void createCluster(CreateClusterRequest request) {
    new ClusterCreation(client).create(request);
  }

  @Override
  public void awaitJobManager(AwaitJobManagerRequest request) {
    ResourceRef ref = request.resource();
    FlinkDeployment resource =
        KubernetesFailure.told("read " + ref.display(), () -> new Resources(client).get(ref));
    FrozenSpec frozen = resource.getStatus().lastReconciled();
    JobManagerWait wait =
        new JobManagerWait(
            request,
            RestEndpoint.of(ref, frozen == null ? null : frozen.spec()),
            view,
            flink,
            clock);
    wait(
        Wait.of(
            ref.display(),
            "the JobManager of " + ref.display() + " to answer",
            limit(request.deadlineMs()),
            wait::look),
        FailureType.CLUSTER_NOT_READY);
  }

  private static Duration limit(long deadlineMs) {
    return Deadline.limit(Activity.getExecutionContext(), deadlineMs);
  }

  private void wait(Wait<Void> wait, String timeoutType) {
    watcher.watch(Activity.getExecutionContext(), wait.timingOutAs(timeoutType));
  }
}
