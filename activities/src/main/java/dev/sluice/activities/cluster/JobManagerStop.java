package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.MadeFor;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Scales a JobManager to no replicas and removes the TaskManagers that it leaves behind: they are
 * pods of its own, which nobody else ends. One instance for each attempt of the activity.
 */
final class JobManagerStop {

  private static final int TEST_FAILED = 422;
  private static final String ANNOTATION =
      "/metadata/annotations/" + Annotations.JOB_ID.replace("/", "~1");

  private final StopJobManagerRequest request;
  private final ResourceStore store;
  private final KubernetesClient client;
  private final ClusterAccess access;
  private final PodsGone gone;

  JobManagerStop(
      StopJobManagerRequest request,
      ResourceStore store,
      KubernetesClient client,
      ClusterAccess access) {
    this.request = request;
    this.store = store;
    this.client = client;
    this.access = access;
    this.gone = new PodsGone(cluster(), access, false, request.deadlineMs());
  }

  /** Scales the Deployment, if there is one. Blocks. */
  void begin() {
    ResourceRef owner = request.resource();
    store.require(owner);
    access
        .live()
        .deployment(cluster())
        .ifPresent(
            deployment -> {
              if (Ownership.of(deployment, owner) != Ownership.OURS) {
                throw Ownership.taken(deployment, owner);
              }
              Outdated.check(deployment, Set.of(request.job().jobId()));
              scale(deployment);
            });
  }

  private void scale(Deployment deployment) {
    Integer replicas = deployment.getSpec().getReplicas();
    if (replicas != null && replicas == 0) {
      return;
    }
    KubernetesFailure.told(
        "scale Deployment " + cluster().display() + " to 0",
        () -> {
          try {
            client
                .apps()
                .deployments()
                .inNamespace(cluster().namespace())
                .withName(cluster().clusterId())
                .patch(PatchContext.of(PatchType.JSON), toNothing(deployment));
          } catch (KubernetesClientException failed) {
            if (failed.getCode() == TEST_FAILED) {
              throw Outdated.failure("Deployment " + cluster().display() + " was replaced");
            }
            throw failed;
          }
        });
  }

  /** Tests that it is the Deployment that was looked at, and of the same job. */
  private static String toNothing(Deployment deployment) {
    String test = "{\"op\":\"test\",\"path\":\"%s\",\"value\":\"%s\"},";
    String jobId = MadeFor.jobId(deployment);
    return "["
        + test.formatted("/metadata/uid", deployment.getMetadata().getUid())
        + (jobId == null ? "" : test.formatted(ANNOTATION, jobId))
        + "{\"op\":\"add\",\"path\":\"/spec/replicas\",\"value\":0}]";
  }

  /** Whether no pod is left. */
  CompletableFuture<ProbeResult<Void>> look() {
    return isAbandoned(access.cache().pods(cluster()))
        ? access.ask(this::removeTaskManagers)
        : gone.look(() -> ProbeResult.done(null));
  }

  /** Without a JobManager, and not on their way out yet. */
  private static boolean isAbandoned(List<Pod> pods) {
    return pods.stream().allMatch(ClusterSelector::isTaskManager)
        && pods.stream().anyMatch(pod -> pod.getMetadata().getDeletionTimestamp() == null);
  }

  private ProbeResult<Void> removeTaskManagers() {
    List<Pod> pods = access.live().pods(cluster());
    if (isAbandoned(pods)) {
      Deletion deletion = new Deletion(client);
      pods.forEach(deletion::delete);
    }
    return ProbeResult.notYet("the TaskManagers are being removed");
  }

  private ClusterRef cluster() {
    return request.job().cluster();
  }
}
