package dev.sluice.activities.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.MadeFor;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.ClusterActivities.NoteEndRequest;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.Standing;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Optional;
import java.util.Set;

/** What is noted on the JobManager Deployment of a job that has ended. */
final class EndNote {

  private static final PatchContext CONTEXT =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager(Apply.FIELD_MANAGER)
          .build();

  private final NoteEndRequest end;
  private final ResourceStore store;
  private final KubernetesClient client;
  private final ClusterAccess access;

  EndNote(NoteEndRequest end, ResourceStore store, KubernetesClient client, ClusterAccess access) {
    this.end = end;
    this.store = store;
    this.client = client;
    this.access = access;
  }

  /**
   * Notes it and leaves the JobManager as it is, unless it is noted already. Within an operation
   * only while the status stands as it was planned for. Blocks.
   */
  void write() {
    Standing plannedFor = end.plannedFor();
    // a run that was reset may have planned it for an operation of long ago
    if (plannedFor != null
        && !plannedFor.equals(store.read(end.resource()).observed().standing())) {
      throw Outdated.failure("the status of " + end.resource().display() + " was written since");
    }
    deployment()
        .filter(there -> !isNoted(there))
        .ifPresent(
            there -> {
              ObjectNode patch = patch(there);
              ((ObjectNode) patch.get("metadata").get("annotations"))
                  .put(Annotations.FINISHED_AT, access.clock().instant().toString());
              send("note the end of its job on", cluster().clusterId(), patch);
            });
  }

  /** Whether there is a JobManager that {@link #writeAndScaleToNothing()} would stop. Blocks. */
  boolean isToBeScaledToNothing() {
    return deployment().filter(there -> !isDone(there)).isPresent();
  }

  /** Notes it and scales to no replicas in the same write, unless that is done already. Blocks. */
  void writeAndScaleToNothing() {
    deployment()
        .filter(there -> !isDone(there))
        .ifPresent(
            there -> {
              ObjectNode patch = patch(there);
              patch.putObject("spec").put("replicas", 0);
              send("scale to 0", cluster().clusterId(), patch);
            });
  }

  /**
   * In standalone mode nothing else ends the TaskManagers of a JobManager that is scaled to
   * nothing. Unless that is so, nothing happens. Blocks.
   */
  void scaleTaskManagersToNothing() {
    deployment()
        .filter(there -> isDone(there) && ClusterSelector.isStandalone(there))
        .flatMap(
            jobManager ->
                access
                    .live()
                    .taskManagers(cluster())
                    .filter(found -> isTheirs(found, jobManager) && !isScaledToNothing(found)))
        .ifPresent(
            found -> {
              ObjectNode patch = JsonNodeFactory.instance.objectNode();
              patch.putObject("metadata").put("uid", found.getMetadata().getUid());
              patch.putObject("spec").put("replicas", 0);
              send("scale to 0", found.getMetadata().getName(), patch);
            });
  }

  /** Those that Apache's operator made belong to the resource. */
  private boolean isTheirs(Deployment taskManagers, Deployment jobManager) {
    return Ownership.isOwnedBy(taskManagers, jobManager)
        || Ownership.of(taskManagers, end.resource()) == Ownership.OURS;
  }

  /** The Deployment, if there is one; it must be of this resource and this job. */
  private Optional<Deployment> deployment() {
    if (!end.leftState().isKnown()) {
      throw new IllegalArgumentException("What the job left must be known");
    }
    ResourceRef owner = end.resource();
    store.require(owner);
    Optional<Deployment> there = access.live().deployment(cluster());
    there.ifPresent(
        deployment -> {
          if (Ownership.of(deployment, owner) != Ownership.OURS) {
            throw Ownership.taken(deployment, owner);
          }
          Outdated.check(deployment, Set.of(end.job().jobId()));
        });
    return there;
  }

  private boolean isDone(Deployment deployment) {
    return isNoted(deployment) && isScaledToNothing(deployment);
  }

  private boolean isNoted(Deployment deployment) {
    return end.job().jobId().equals(MadeFor.finishedJob(deployment));
  }

  private static boolean isScaledToNothing(Deployment deployment) {
    Integer replicas = deployment.getSpec().getReplicas();
    return replicas != null && replicas == 0;
  }

  /** The uid makes it this very Deployment; the API server refuses the write to another one. */
  private ObjectNode patch(Deployment deployment) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("uid", deployment.getMetadata().getUid());
    metadata
        .putObject("annotations")
        .put(Annotations.FINISHED_JOB, end.job().jobId())
        .put(Annotations.FINISHED_STATE, end.leftState().pathOrNull())
        .put(
            Annotations.FINISHED_AS,
            end.state() == FlinkJobState.FINISHED ? null : end.state().name());
    return patch;
  }

  private void send(String what, String name, ObjectNode patch) {
    Deployment unused =
        KubernetesFailure.told(
            what + " Deployment " + cluster().namespace() + "/" + name,
            () ->
                client
                    .apps()
                    .deployments()
                    .inNamespace(cluster().namespace())
                    .withName(name)
                    .patch(CONTEXT, patch.toString()));
  }

  private ClusterRef cluster() {
    return end.job().cluster();
  }
}
