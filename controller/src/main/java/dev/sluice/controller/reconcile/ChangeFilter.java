package dev.sluice.controller.reconcile;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which updates of a resource are worth a look: a new spec, a request, a deletion, and what its
 * workflow says. Not the controller's own writes, and not each step of an operation.
 */
final class ChangeFilter implements OnUpdateFilter<FlinkDeployment> {

  private static final String OURS = "sluice.dev/";

  @Override
  public boolean accept(FlinkDeployment now, FlinkDeployment before) {
    return !Objects.equals(now.getMetadata().getUid(), before.getMetadata().getUid())
        || !Objects.equals(now.getMetadata().getGeneration(), before.getMetadata().getGeneration())
        || !Objects.equals(
            now.getMetadata().getDeletionTimestamp(), before.getMetadata().getDeletionTimestamp())
        || !Objects.equals(now.getMetadata().getFinalizers(), before.getMetadata().getFinalizers())
        || !requests(now).equals(requests(before))
        || !Objects.equals(
            now.getStatus().reconciliationStatus(), before.getStatus().reconciliationStatus())
        || !Objects.equals(
            essence(now.getStatus().operation()), essence(before.getStatus().operation()));
  }

  private static Map<String, String> requests(FlinkDeployment resource) {
    Map<String, String> requests = new TreeMap<>();
    Map<String, String> annotations = resource.getMetadata().getAnnotations();
    if (annotations != null) {
      annotations.forEach(
          (key, value) -> {
            if (key.startsWith(OURS)) {
              requests.put(key, value);
            }
          });
    }
    return requests;
  }

  private static @Nullable OperationStatus essence(@Nullable OperationStatus operation) {
    return operation == null
        ? null
        : operation
            .withStep(null)
            .withAttempt(null)
            .withSince(null)
            .withDeadline(null)
            .withSavepoint(null);
  }
}
