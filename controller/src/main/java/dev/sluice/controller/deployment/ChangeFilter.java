package dev.sluice.controller.deployment;

import dev.sluice.api.common.FailedRemoval;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which updates of a resource lead to a reconciliation: a new spec, an annotation of ours, a
 * deletion, and what its workflow reports. Not the controller's own writes, and not each step of an
 * operation.
 */
public final class ChangeFilter implements OnUpdateFilter<FlinkDeployment> {

  private static final String OURS = "sluice.dev/";

  @Override
  public boolean accept(FlinkDeployment now, FlinkDeployment before) {
    return !Objects.equals(now.getMetadata().getUid(), before.getMetadata().getUid())
        || !Objects.equals(now.getMetadata().getGeneration(), before.getMetadata().getGeneration())
        || !Objects.equals(
            now.getMetadata().getDeletionTimestamp(), before.getMetadata().getDeletionTimestamp())
        || !Objects.equals(now.getMetadata().getFinalizers(), before.getMetadata().getFinalizers())
        || !annotations(now).equals(annotations(before))
        || !Objects.equals(now.getStatus().takenSavepoint(), before.getStatus().takenSavepoint())
        || !wanted(now).equals(wanted(before))
        || !now.getStatus().savepointHistory().equals(before.getStatus().savepointHistory())
        || !Objects.equals(
            now.getStatus().reconciliationStatus(), before.getStatus().reconciliationStatus())
        || !Objects.equals(
            withoutProgress(now.getStatus().operation()),
            withoutProgress(before.getStatus().operation()));
  }

  /**
   * What is taken without a FlinkStateSnapshot, and what is removed: each needs a run, which reads
   * it in the status. So this is also about what the controller writes.
   */
  private static List<String> wanted(FlinkDeployment resource) {
    FlinkDeploymentStatus status = resource.getStatus();
    return Stream.concat(
            Stream.of(SnapshotType.values()).map(type -> wanted(status, type)),
            Stream.concat(
                status.savepointToRemove().stream().map(it -> "removes " + it.location()),
                status.snapshotsOrNone().failedRemovals().stream().map(FailedRemoval::toString)))
        .toList();
  }

  private static String wanted(FlinkDeploymentStatus status, SnapshotType type) {
    StatusSnapshot begun = status.snapshotsOrNone().of(type);
    String state = begun == null || begun.status() == null ? null : begun.status().state();
    String wanted =
        status
            .snapshotsOrNone()
            .wanted(status.snapshotTriggers(), type)
            .map(StatusSnapshot::name)
            .orElse(null);
    return "%s %s %s".formatted(begun == null ? null : begun.name(), state, wanted);
  }

  private static Map<String, String> annotations(FlinkDeployment resource) {
    Map<String, String> ours = new TreeMap<>();
    Map<String, String> annotations = resource.getMetadata().getAnnotations();
    if (annotations != null) {
      annotations.forEach(
          (key, value) -> {
            if (key.startsWith(OURS)) {
              ours.put(key, value);
            }
          });
    }
    return ours;
  }

  private static @Nullable OperationStatus withoutProgress(@Nullable OperationStatus operation) {
    if (operation == null) {
      return null;
    }
    boolean running = operation.state() == OperationState.RUNNING;
    return operation
        .withStep(null)
        .withAttempt(null)
        .withSince(null)
        .withDeadline(null)
        .withSavepoint(null)
        .withMessage(running ? null : operation.message());
  }
}
