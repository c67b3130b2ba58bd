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
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Scales the Deployment of TaskManagers whose jobs take what slots there are, once for each number
 * of the spec: what somebody else sets afterwards, such as an autoscaler, stays. Nothing else of it
 * is touched, and none is made.
 */
public final class TaskManagerScale {

  private final KubernetesClient client;

  /** By uid of the resource, the number of the spec that its Deployment has had. */
  private final ConcurrentMap<String, Reached> reached = new ConcurrentHashMap<>();

  private record Reached(String deploymentUid, int replicas) {}

  /**
   * @param client stays the caller's to close
   */
  public TaskManagerScale(KubernetesClient client) {
    this.client = SingleTry.of(client);
  }

  /**
   * Scales it, if it has another number of replicas and never had this one.
   *
   * @param there as the informer has it; a write to a newer one is refused, which may have been
   *     scaled to 0 because its job has ended
   * @param wanted TaskManagers, at least 1
   */
  public InPlaceOutcome bring(ResourceRef ref, Deployment there, int wanted) {
    ObjectMeta metadata = there.getMetadata();
    int has = Objects.requireNonNullElse(there.getSpec().getReplicas(), 1);
    Reached goal = new Reached(metadata.getUid(), wanted);
    if (has == wanted || goal.equals(reached.get(ref.uid()))) {
      reached.put(ref.uid(), goal);
      return InPlaceOutcome.DONE;
    }
    return InPlaceOutcome.of(
        "scale Deployment " + metadata.getName(),
        "Kubernetes refuses another number of TaskManagers: %s. Correct spec.taskManager.replicas,"
            + " or remove what refuses it.",
        () -> {
          scale(metadata, wanted);
          reached.put(ref.uid(), goal);
          return InPlaceOutcome.changed(
              StatusEvent.normal(
                  EventReasons.SCALING,
                  "TaskManagers: %d instead of %d; Flink uses what is there."
                      .formatted(wanted, has)));
        });
  }

  /** The resource is gone. */
  public void forget(ResourceRef ref) {
    reached.remove(ref.uid());
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
