package dev.sluice.controller.inplace;

import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;

/**
 * Scales the Deployment of TaskManagers whose job takes what slots there are. Nothing else of it is
 * touched, and none is made.
 */
public final class TaskManagerScale {

  private final KubernetesClient client;
  private final Attempts attempts;

  /**
   * @param client stays the caller's to close
   * @param clock measures the pauses between writes of one Deployment
   */
  public TaskManagerScale(KubernetesClient client, Clock clock) {
    this.client = SingleTry.of(client);
    this.attempts = new Attempts(clock);
  }

  /**
   * Scales it, if it has another number of replicas.
   *
   * @param there as the informer has it; a write to a newer one is refused, which may have been
   *     scaled to 0 because its job has ended
   * @param wanted TaskManagers, at least 1
   */
  public InPlaceOutcome bring(ResourceRef ref, Deployment there, int wanted) {
    ObjectMeta metadata = there.getMetadata();
    Integer replicas = there.getSpec().getReplicas();
    int has = replicas == null ? 1 : replicas;
    if (has == wanted) {
      attempts.done(ref.uid());
      return InPlaceOutcome.DONE;
    }
    return attempts.write(
        ref.uid(),
        wanted + " of " + metadata.getResourceVersion(),
        "scale Deployment " + metadata.getName(),
        () -> scale(metadata, wanted),
        StatusEvent.normal(
            EventReasons.SCALING,
            "TaskManagers: %d instead of %d. The job goes on with their slots."
                .formatted(wanted, has)),
        why ->
            ("Kubernetes refuses another number of TaskManagers: %s. Correct spec.taskManager.replicas,"
                    + " or remove what refuses it.")
                .formatted(why));
  }

  /** The resource is gone. */
  public void forget(ResourceRef ref) {
    attempts.done(ref.uid());
  }

  private void scale(ObjectMeta metadata, int wanted) {
    Scale scale =
        new ScaleBuilder()
            .withNewMetadata()
            .withNamespace(metadata.getNamespace())
            .withName(metadata.getName())
            .withUid(metadata.getUid())
            .withResourceVersion(metadata.getResourceVersion())
            .endMetadata()
            .withNewSpec()
            .withReplicas(wanted)
            .endSpec()
            .build();
    Scale unused =
        client
            .apps()
            .deployments()
            .inNamespace(metadata.getNamespace())
            .withName(metadata.getName())
            .scale(scale);
  }
}
