package dev.sluice.api.snapshot;

import dev.sluice.api.Labels;
import dev.sluice.api.common.KubernetesNames;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The labels by which snapshots are found: those of Apache's operator. */
public final class SnapshotLabels {
  /** {@code SAVEPOINT} or {@code CHECKPOINT}. */
  public static final String TYPE = "snapshot.type";

  /** Who asked for it: {@code MANUAL}, unless whoever made the resource says something else. */
  public static final String TRIGGER_TYPE = "snapshot.trigger-type";

  /** As in {@code status.state}. */
  public static final String STATE = "snapshot.state";

  /** {@code FlinkDeployment} or {@code FlinkSessionJob}. */
  public static final String REFERENCE_KIND = "job-reference.kind";

  /** Name of what runs the job. */
  public static final String REFERENCE_NAME = "job-reference.name";

  /**
   * Of one that Sluice made for the spec of a resource: the uid of that resource, which tells it
   * from an earlier one of the same name.
   */
  public static final String REFERENCE_UID = "sluice.dev/job-reference-uid";

  private SnapshotLabels() {}

  /** The labels that it should have; what cannot be a label's value is left out. */
  public static Map<String, String> of(FlinkStateSnapshot snapshot) {
    FlinkStateSnapshotSpec spec = snapshot.getSpec();
    Map<String, String> labels = new TreeMap<>();
    put(labels, TYPE, spec.checkpoint() == null ? "SAVEPOINT" : "CHECKPOINT");
    put(
        labels,
        TRIGGER_TYPE,
        Objects.requireNonNullElse(Labels.of(snapshot, TRIGGER_TYPE), "MANUAL"));
    SnapshotState state = snapshot.getStatus().state();
    put(labels, STATE, state == null ? null : state.name());
    JobReference reference = spec.jobReference();
    if (reference != null) {
      put(labels, REFERENCE_KIND, reference.kind() == null ? null : reference.kind().wire());
      put(labels, REFERENCE_NAME, reference.name());
    }
    return labels;
  }

  private static void put(Map<String, String> labels, String key, @Nullable String value) {
    if (value != null && !value.isEmpty() && KubernetesNames.isLabelValue(value)) {
      labels.put(key, value);
    }
  }
}
