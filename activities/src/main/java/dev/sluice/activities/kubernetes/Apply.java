package dev.sluice.activities.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;

/** Server-side apply as the workflows do it. */
public final class Apply {

  /** The field manager of everything that workflows write, apart from what names another one. */
  public static final String FIELD_MANAGER = "sluice-workflow";

  private static final String STRICT = "Strict";

  private Apply() {}

  /** Takes over the fields that are sent, and only those. */
  public static PatchContext context() {
    return context(FIELD_MANAGER);
  }

  /** The same for fields that another manager than that of operations has. */
  public static PatchContext context(String fieldManager) {
    return builder().withFieldManager(fieldManager).build();
  }

  /** As {@link #context()}, with every check and no write. */
  public static PatchContext dryRun() {
    return builder().withDryRun(List.of("All")).build();
  }

  /** As {@link #context()}; fields that the API server does not know are refused. */
  public static PatchContext strict() {
    return builder().withFieldValidation(STRICT).build();
  }

  /** As {@link #strict()}, with every check and no write. */
  public static PatchContext strictDryRun() {
    return builder().withFieldValidation(STRICT).withDryRun(List.of("All")).build();
  }

  /**
   * The body of a status alone, to be applied only onto the very version that was read.
   *
   * @param read metadata of the resource
   * @param status the fields that workflows own, all of them
   */
  public static GenericKubernetesResource status(
      ResourceType type, ObjectMeta read, Object status) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion(type.apiVersion())
        .withKind(type.kind())
        .withNewMetadata()
        .withNamespace(read.getNamespace())
        .withName(read.getName())
        .withResourceVersion(read.getResourceVersion())
        .endMetadata()
        .withAdditionalProperties(Map.of("status", status))
        .build();
  }

  private static PatchContext.Builder builder() {
    return new PatchContext.Builder()
        .withPatchType(PatchType.SERVER_SIDE_APPLY)
        .withFieldManager(FIELD_MANAGER)
        .withForce(true);
  }
}
