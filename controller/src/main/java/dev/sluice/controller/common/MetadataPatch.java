package dev.sluice.controller.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.HashMap;
import java.util.Map;

/** Changes metadata of the very instance of a resource that was seen. */
public final class MetadataPatch {

  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final String FINALIZERS = "finalizers";

  private final KubernetesClient client;

  /**
   * @param client stays the caller's to close
   */
  public MetadataPatch(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Puts labels onto it that it lacks.
   *
   * @return the resource as it is then; unwritten when it has them
   */
  public <T extends HasMetadata> T label(T resource, Map<String, String> wanted) {
    Map<String, String> labels = resource.getMetadata().getLabels();
    return labels != null && labels.entrySet().containsAll(wanted.entrySet())
        ? resource
        : apply(resource, Map.of("labels", wanted));
  }

  /**
   * Writes fields of the metadata; finalizers only onto the version that was seen.
   *
   * @return the resource as it is then
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when that is refused, such as
   *     409 where it is another instance or version by now
   */
  public <T extends HasMetadata> T apply(T resource, Map<String, ?> change) {
    ObjectMeta metadata = resource.getMetadata();
    Map<String, Object> body = new HashMap<>(change);
    body.put("uid", metadata.getUid());
    if (change.containsKey(FINALIZERS)) {
      // a list is replaced as a whole: no other entry may get lost
      body.put("resourceVersion", metadata.getResourceVersion());
    }
    return client
        .resource(resource)
        .patch(MERGE, client.getKubernetesSerialization().asJson(Map.of("metadata", body)));
  }
}
