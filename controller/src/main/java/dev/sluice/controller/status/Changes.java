package dev.sluice.controller.status;

import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What of a resource leads to a reconciliation when it changes, for every kind: a new spec, an
 * annotation of ours, a deletion, what its workflow reports, and what is to be taken without a
 * FlinkStateSnapshot. Not the controller's other writes, and not each step of an operation.
 */
public final class Changes {

  private static final String OURS = "sluice.dev/";

  private Changes() {}

  /** Equal for two versions of a resource that differ in nothing that matters. */
  public static List<@Nullable Object> lookedAt(HasMetadata resource, JobResourceStatus status) {
    ObjectMeta metadata = resource.getMetadata();
    List<@Nullable Object> all = new ArrayList<>();
    all.add(metadata.getUid());
    all.add(metadata.getGeneration());
    all.add(metadata.getDeletionTimestamp());
    all.add(metadata.getFinalizers());
    all.add(annotations(metadata));
    all.add(status.reconciliationStatus());
    all.add(withoutProgress(status.operation()));
    all.add(status.savepointHistory());
    all.add(snapshots(status));
    return all;
  }

  /** What is taken without a FlinkStateSnapshot: it needs a run, which reads it in the status. */
  private static List<String> snapshots(JobResourceStatus status) {
    return Stream.of(SnapshotType.values())
        .map(type -> status.openSnapshot(type).map(StatusSnapshot::name).orElse(""))
        .toList();
  }

  private static Map<String, String> annotations(ObjectMeta metadata) {
    Map<String, String> ours =
        new TreeMap<>(Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()));
    ours.keySet().removeIf(key -> !key.startsWith(OURS));
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
