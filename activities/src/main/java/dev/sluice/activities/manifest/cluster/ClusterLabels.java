package dev.sluice.activities.manifest.cluster;

import dev.sluice.api.Labels;
import java.util.LinkedHashMap;
import java.util.Map;

/** Labels by which Flink's native mode, and we, find what belongs to a cluster. */
final class ClusterLabels {
  private ClusterLabels() {}

  /** Of everything in the cluster. */
  static Map<String, String> common(ClusterTarget target) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(Labels.APP, target.name());
    labels.put(Labels.TYPE, target.spec().mode().label());
    return labels;
  }

  /** Of pods of that role, and what selects them. */
  static Map<String, String> of(Role role, ClusterTarget target) {
    Map<String, String> labels = common(target);
    labels.put(Labels.COMPONENT, role.word());
    return labels;
  }
}
