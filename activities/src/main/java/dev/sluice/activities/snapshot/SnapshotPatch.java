package dev.sluice.activities.snapshot;

import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.JobResource;
import dev.sluice.activities.snapshot.SnapshotSubject.InOwner;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes statuses that tell of snapshots: those of FlinkStateSnapshots, and those of what runs
 * jobs. Every method blocks for one call, or two.
 */
final class SnapshotPatch {

  private final KubernetesClient client;

  SnapshotPatch(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Writes its outcome, only onto the very version that was read.
   *
   * @return what has the status, as it is then
   */
  GenericKubernetesResource write(SnapshotSubject subject, FlinkStateSnapshotStatus outcome) {
    GenericKubernetesResource body =
        body(subject.type(), subject.metadata(), subject.status(outcome));
    GenericKubernetesResource written = apply(subject.type(), body, subject.fieldManager());
    return subject.info().map(it -> ours(it, body, written)).orElse(written);
  }

  /**
   * Writes what the status of what runs a job says of snapshots, only onto the very version that
   * was read.
   */
  void write(JobResource owner, SnapshotFields fields) {
    ResourceType type = owner.type();
    GenericKubernetesResource unused =
        apply(type, body(type, owner.metadata(), fields), InOwner.FIELD_MANAGER);
  }

  private GenericKubernetesResource body(ResourceType type, ObjectMeta read, Object status) {
    return Apply.status(
        type, read, client.getKubernetesSerialization().convertValue(status, Map.class));
  }

  private GenericKubernetesResource apply(
      ResourceType type, GenericKubernetesResource body, String fieldManager) {
    return client
        .genericKubernetesResources(type.definition())
        .inNamespace(body.getMetadata().getNamespace())
        .resource(body)
        .subresource("status")
        .patch(Apply.context(fieldManager));
  }

  /**
   * What another manager wrote (Apache's operator, before we took over) survives an apply that
   * leaves it out, and would be said of another snapshot.
   */
  private GenericKubernetesResource ours(
      Class<?> info, GenericKubernetesResource sent, GenericKubernetesResource written) {
    String field = info == SavepointInfo.class ? "savepointInfo" : "checkpointInfo";
    Object wanted = info(sent, field, info);
    if (wanted == null || wanted.equals(info(written, field, info))) {
      return written;
    }
    List<Map<String, Object>> replace =
        List.of(Map.of("op", "replace", "path", "/status/jobStatus/" + field, "value", wanted));
    return client
        .resource(sent)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON), client.getKubernetesSerialization().asJson(replace));
  }

  private @Nullable Object info(GenericKubernetesResource of, String field, Class<?> type) {
    Object said = of.get("status", "jobStatus", field);
    return said == null ? null : client.getKubernetesSerialization().convertValue(said, type);
  }
}
