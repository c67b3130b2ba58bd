package dev.sluice.local.node.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;

/** The node's writes to pods. Each is about one pod by its uid, never a later one of that name. */
public final class PodApi {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubernetesClient client;
  private final String node;

  /**
   * @param node the name of the node that pods are bound to
   */
  public PodApi(KubernetesClient client, String node) {
    this.client = client;
    this.node = node;
  }

  /** Gives an unscheduled pod to the node; the API server then notes {@code PodScheduled=True}. */
  public void bind(Pod pod) {
    unlessGone(
        () ->
            client
                .bindings()
                .inNamespace(pod.getMetadata().getNamespace())
                .resource(
                    new BindingBuilder()
                        .withNewMetadata()
                        .withName(pod.getMetadata().getName())
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withUid(pod.getMetadata().getUid())
                        .endMetadata()
                        .withNewTarget()
                        .withApiVersion("v1")
                        .withKind("Node")
                        .withName(node)
                        .endTarget()
                        .build())
                .create());
  }

  /** Notes why an unscheduled pod stays so. */
  public void unscheduled(Pod pod, String message) {
    PodCondition condition =
        new PodConditionBuilder()
            .withType("PodScheduled")
            .withStatus("False")
            .withReason("Unschedulable")
            .withMessage(message)
            .build();
    writeStatus(pod, new PodStatusBuilder().withConditions(condition).build());
  }

  /** Writes the parts of the status that a kubelet owns; other conditions stay. */
  public void writeStatus(Pod pod, PodStatus status) {

    ObjectNode patch = JSON.createObjectNode();
    patch.putObject("metadata").put("uid", pod.getMetadata().getUid());
    patch.set("status", readTree(Serialization.asJson(status)));
    unlessGone(
        () ->
            client
                .pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .subresource("status")
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch.toString()));
  }

  /** Says that nothing of the pod runs any more: the API server may drop it. */
  public void remove(Pod pod) {
    DeleteOptions options =
        new DeleteOptionsBuilder()
            .withGracePeriodSeconds(0L)
            .withNewPreconditions()
            .withUid(pod.getMetadata().getUid())
            .endPreconditions()
            .build();
    String path =
        "/api/v1/namespaces/%s/pods/%s"
            .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    unlessGone(() -> client.raw(path, "DELETE", options));
  }

  private static JsonNode readTree(String json) {
    try {
      return JSON.readTree(json);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalStateException("fabric8 wrote a status that is no JSON", e);
    }
  }

  /** Gone, or another pod of that name, or bound already: what was wanted is so or cannot be. */
  private static void unlessGone(Runnable call) {
    try {
      call.run();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND
          && e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
    }
  }
}
