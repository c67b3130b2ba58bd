package dev.sluice.activities.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.MadeFor;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.Standing;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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
  private final FlinkRest flink;
  private final PodsGone gone;
  private @Nullable Unasked unasked;

  JobManagerStop(
      StopJobManagerRequest request,
      ResourceStore store,
      KubernetesClient client,
      ClusterAccess access,
      FlinkRest flink) {
    this.request = request;
    this.store = store;
    this.client = client;
    this.access = access;
    this.flink = flink;
    this.gone = new PodsGone(cluster(), access, false, request.deadlineMs());
  }

  /** Scales the Deployment, if there is one and Flink need not be asked first. Blocks. */
  void begin() {
    if (!request.leftState().isKnown()) {
      throw new IllegalArgumentException("What the job left must be known");
    }
    ResourceRef owner = request.resource();
    store.require(owner);
    mustStand(owner);
    access
        .live()
        .deployment(cluster())
        .ifPresent(
            deployment -> {
              if (Ownership.of(deployment, owner) != Ownership.OURS) {
                throw Ownership.taken(deployment, owner);
              }
              Outdated.check(deployment, Set.of(request.job().jobId()));
              if (isScaled(deployment)) {
                return;
              }
              if (request.plannedFor() == null) {
                scale(deployment);
              } else {
                unasked = new Unasked(deployment, store.running(owner).endpoint());
              }
            });
  }

  /** A run that was reset may have planned it for an operation of long ago. */
  private void mustStand(ResourceRef owner) {
    Standing plannedFor = request.plannedFor();
    if (plannedFor != null && !plannedFor.equals(store.read(owner).observed().standing())) {
      throw Outdated.failure("the status of " + owner.display() + " was written since");
    }
  }

  private boolean isScaled(Deployment deployment) {
    Integer replicas = deployment.getSpec().getReplicas();
    return replicas != null
        && replicas == 0
        && request.job().jobId().equals(MadeFor.finishedJob(deployment));
  }

  private void scale(Deployment deployment) {
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
    Unasked first = unasked;
    return first == null ? lookForPods() : scaleIfEnded(first);
  }

  /** A job that runs again by now, or of which nothing is known, is not stopped. */
  private CompletableFuture<ProbeResult<Void>> scaleIfEnded(Unasked first) {
    return flink
        .jobsOverview(first.endpoint())
        .handle((told, silent) -> silent == null && hasEnded(told))
        .thenCompose(
            ended ->
                ended
                    ? access.ask(
                        () -> {
                          scale(first.deployment());
                          unasked = null;
                          return ProbeResult.notYet("the JobManager is being stopped");
                        })
                    : CompletableFuture.completedFuture(
                        ProbeResult.failed(
                            FailureType.OUTDATED,
                            "Flink does not say that job %s is %s"
                                .formatted(request.job().jobId(), request.state()))));
  }

  /** A JobManager that is to say first that its job has ended. */
  private record Unasked(Deployment deployment, Endpoint endpoint) {}

  private boolean hasEnded(JobsOverview told) {
    return told.job(request.job().jobId()).filter(it -> it.state() == request.state()).isPresent();
  }

  private CompletableFuture<ProbeResult<Void>> lookForPods() {
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
