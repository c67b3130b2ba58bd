package dev.sluice.controller.deployment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.deployment.FlinkDeployment;
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

  /** Names and states of what is taken without a FlinkStateSnapshot: each needs a run. */
  private static List<String> wanted(FlinkDeployment resource) {
    StatusSnapshots snapshots = resource.getStatus().snapshotsOrNone();
    return Stream.of(SnapshotType.values())
        .map(snapshots::of)
        .map(
            it ->
                it == null
                    ? ""
                    : it.name() + " " + (it.status() == null ? "" : it.status().state()))
        .toList();
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
