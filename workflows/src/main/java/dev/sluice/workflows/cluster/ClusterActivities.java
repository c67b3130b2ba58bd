package dev.sluice.workflows.cluster;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** What a workflow does to the Flink cluster on Kubernetes. */
@ActivityInterface
public interface ClusterActivities {

  /**
   * Deletes the JobManager Deployment and the high-availability metadata of the cluster, and waits
   * until no pod of it is left. Touches only what belongs to this instance of the resource. Nothing
   * there: done at once.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ClusterNotGone}, {@code NameTaken}
   */
  @ActivityMethod(name = "DeleteCluster")
  void deleteCluster(DeleteClusterRequest request);

  /**
   * Applies the manifests of the frozen target. A Deployment that carries this generation and job
   * id already is left as it is.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code NameTaken}, {@code Refused}, {@code
   *     ResourceGone}
   */
  @ActivityMethod(name = "CreateCluster")
  void createCluster(CreateClusterRequest request);

  /**
   * Waits until the JobManager answers its REST API.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ClusterNotReady}
   */
  @ActivityMethod(name = "AwaitJobManager")
  void awaitJobManager(AwaitJobManagerRequest request);
}
