package dev.sluice.local.node.pod;

import static java.net.HttpURLConnection.HTTP_CONFLICT;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;

/**
 * The node's writes to pods. Each is about one pod by its uid, never a later one of that name.
 *
 * @param node the name of the node that pods are bound to
 */
public record PodApi(KubernetesClient client, String node) {

  /** Gives an unscheduled pod to the node; the API server then notes {@code PodScheduled=True}. */
  void bind(Pod pod) {
    ObjectMeta meta = pod.getMetadata();
    var pods = Map.of("name", meta.getName(), "uid", meta.getUid());
    var nodes = Map.of("apiVersion", "v1", "kind", "Node", "name", node);
    var binding = Map.of("apiVersion", "v1", "kind", "Binding", "metadata", pods, "target", nodes);
    unlessGone(() -> client.raw(path(pod) + "/binding", "POST", binding));
  }

  /** Writes the parts of the status that a kubelet owns; other conditions stay. */
  void writeStatus(Pod pod, PodStatus status) {
    var meta = Map.of("uid", pod.getMetadata().getUid());
    String patch = Serialization.asJson(Map.of("metadata", meta, "status", status));
    unlessGone(
        () ->
            client
                .resource(pod)
                .subresource("status")
                .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch));
  }

  /** Says that nothing of the pod runs any more: the API server may drop it. */
  void remove(Pod pod) {
    DeleteOptions options =
        new DeleteOptionsBuilder()
            .withGracePeriodSeconds(0L)
            .withNewPreconditions()
            .withUid(pod.getMetadata().getUid())
            .endPreconditions()
            .build();
    unlessGone(() -> client.raw(path(pod), "DELETE", options));
  }

  private static String path(Pod pod) {
    ObjectMeta meta = pod.getMetadata();
    return "/api/v1/namespaces/%s/pods/%s".formatted(meta.getNamespace(), meta.getName());
  }

  /** Gone, or another pod of that name, or bound already: what was wanted is so or cannot be. */
  private static void unlessGone(Runnable call) {
    try {
      call.run();
    } catch (KubernetesClientException e) {
      // a patch of another pod of that name is invalid, as it would change the uid
      boolean another = String.valueOf(e.getMessage()).contains("metadata.uid");
      if (!another && e.getCode() != HTTP_NOT_FOUND && e.getCode() != HTTP_CONFLICT) {
        throw e;
      }
    }
  }
}
