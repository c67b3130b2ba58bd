package dev.sluice.controller.snapshot;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which updates of a snapshot lead to a reconciliation: metadata, and what its workflow writes. Not
 * the controller's own status.
 */
public final class SnapshotChangeFilter implements OnUpdateFilter<FlinkStateSnapshot> {

  @Override
  public boolean accept(FlinkStateSnapshot now, FlinkStateSnapshot before) {
    return !looksAt(now).equals(looksAt(before));
  }

  private static List<@Nullable Object> looksAt(FlinkStateSnapshot resource) {
    ObjectMeta metadata = resource.getMetadata();
    FlinkStateSnapshotStatus status = resource.getStatus();
    OperationStatus operation = status.operation();
    List<@Nullable Object> all = new ArrayList<>();
    all.add(metadata.getUid());
    all.add(metadata.getGeneration());
    all.add(metadata.getDeletionTimestamp());
    all.add(Objects.requireNonNullElse(metadata.getFinalizers(), List.of()));
    all.add(metadata.getAnnotations());
    all.add(metadata.getLabels());
    all.add(status.state());
    all.add(status.path());
    all.add(status.error());
    all.add(operation == null ? null : operation.withSince(null).withDeadline(null));
    return all;
  }
}
