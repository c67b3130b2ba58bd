package dev.sluice.activities.bluegreen;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.sessionjob.FlinkSessionJobStore;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Single writes onto the resources of children, by a field manager of their own. */
final class ChildPatches {

  /** No object has it: what it is applied onto must not exist yet. */
  static final String NOT_THERE = "1";

  private final KubernetesClient client;

  ChildPatches(KubernetesClient client) {
    this.client = client;
  }

  private static ResourceType type(HasMetadata child) {
    return child instanceof FlinkSessionJob ? FlinkSessionJobStore.TYPE : FlinkDeploymentStore.TYPE;
  }

  /**
   * Applies the spec of a {@link FlinkDeployment} or {@link FlinkSessionJob}.
   *
   * @param version that it is applied onto, and onto no other; null for whatever is there
   */
  void apply(HasMetadata child, @Nullable String version, boolean dryRun) {
    Object spec = ((CustomResource<?, ?>) child).getSpec();
    GenericKubernetesResource body =
        new GenericKubernetesResourceBuilder()
            .withApiVersion(type(child).apiVersion())
            .withKind(type(child).kind())
            .withMetadata(
                new ObjectMetaBuilder(child.getMetadata()).withResourceVersion(version).build())
            .withAdditionalProperties(
                Map.of("spec", client.getKubernetesSerialization().convertValue(spec, Map.class)))
            .build();
    PatchContext.Builder context =
        new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(ChildWrites.FIELD_MANAGER)
            .withForce(true);
    GenericKubernetesResource unused =
        client
            .genericKubernetesResources(type(child).definition())
            .inNamespace(child.getMetadata().getNamespace())
            .resource(body)
            .patch((dryRun ? context.withDryRun(List.of("All")) : context).build());
  }

  /**
   * Has the job of that very version run, or be suspended.
   *
   * @param mode how it is suspended, and restored later; null leaves it as it is
   */
  void state(HasMetadata there, DesiredJobState state, @Nullable UpgradeMode mode) {
    merge(there, Map.of(), Map.of("job", job(state, mode)));
  }

  /**
   * Notes on that very version that a cut-over has ended without it.
   *
   * @param cutOver when that was begun
   */
  void note(HasMetadata there, String cutOver) {
    merge(there, Map.of(FlinkBlueGreenDeployment.WENT_BACK, cutOver), Map.of());
  }

  /** The same, and has its job run. */
  void letGo(HasMetadata there, String cutOver, @Nullable UpgradeMode mode) {
    merge(
        there,
        Map.of(FlinkBlueGreenDeployment.WENT_BACK, cutOver),
        Map.of("job", job(DesiredJobState.RUNNING, mode)));
  }

  private static Map<String, Object> job(DesiredJobState state, @Nullable UpgradeMode mode) {
    Map<String, Object> job = new TreeMap<>(Map.of("state", state));
    if (mode != null) {
      job.put("upgradeMode", mode);
    }
    return job;
  }

  private void merge(HasMetadata there, Map<String, String> annotations, Map<String, ?> spec) {
    String body =
        client
            .getKubernetesSerialization()
            .asJson(
                Map.of(
                    "metadata",
                    Map.of(
                        "resourceVersion",
                        there.getMetadata().getResourceVersion(),
                        "annotations",
                        annotations),
                    "spec",
                    spec));
    GenericKubernetesResource unused =
        client
            .genericKubernetesResources(type(there).definition())
            .inNamespace(there.getMetadata().getNamespace())
            .withName(there.getMetadata().getName())
            .patch(
                new PatchContext.Builder()
                    .withPatchType(PatchType.JSON_MERGE)
                    .withFieldManager(ChildWrites.FIELD_MANAGER)
                    .build(),
                body);
  }
}
