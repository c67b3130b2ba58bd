package dev.sluice.activities.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.MadeFor;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Scales the JobManager of a job that has ended to no replicas, notes which job that was, and
 * removes the TaskManagers that it leaves behind: they are its own pods, and nothing else ends
 * them. One instance for each attempt of the activity.
 */
final class JobManagerStop {

  private static final PatchContext CONTEXT =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager(Apply.FIELD_MANAGER)
          .build();

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
    if (!request.leftState().isKnown()) {
      throw new IllegalArgumentException("What the job left must be known");
    }
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
    boolean done =
        replicas != null
            && replicas == 0
            && request.job().jobId().equals(MadeFor.finishedJob(deployment));
    if (done) {
      return;
    }
    KubernetesFailure.told(
        "scale Deployment " + cluster().display() + " to 0",
        () ->
            client
                .apps()
                .deployments()
                .inNamespace(cluster().namespace())
                .withName(cluster().clusterId())
                .patch(CONTEXT, toNothing(deployment)));
  }

  /** The uid makes it this very Deployment; the API server refuses the write to another one. */
  private String toNothing(Deployment deployment) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", deployment.getMetadata().getUid());
    metadata
        .putObject("annotations")
        .put(Annotations.FINISHED_JOB, request.job().jobId())
        .put(Annotations.FINISHED_STATE, request.leftState().pathOrNull())
        .put(
            Annotations.FINISHED_AS,
            request.state() == FlinkJobState.FINISHED ? null : request.state().wire());
    patch.putObject("spec").put("replicas", 0);
    return patch.toString();
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
