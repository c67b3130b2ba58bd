package dev.sluice.activities.kubernetes;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;

/** Server-side apply as the workflows do it. */
public final class Apply {

  /** The field manager of everything that workflows write. */
  public static final String FIELD_MANAGER = "sluice-workflow";

  private Apply() {}

  /** Takes over the fields that are sent, and only those. */
  public static PatchContext context() {
    return builder().build();
  }

  /** As {@link #context()}, with every check and no write. */
  public static PatchContext dryRun() {
    return builder().withDryRun(List.of("All")).build();
  }

  private static PatchContext.Builder builder() {
    return new PatchContext.Builder()
        .withPatchType(PatchType.SERVER_SIDE_APPLY)
        .withFieldManager(FIELD_MANAGER)
        .withForce(true);
  }
}
