package dev.sluice.activities.manifest.nativemode;

import dev.sluice.api.Labels;
import java.util.LinkedHashMap;
import java.util.Map;

/** Labels by which Flink's native mode finds what belongs to a cluster. */
final class NativeLabels {
  private NativeLabels() {}

  /** Of everything in the cluster. */
  static Map<String, String> common(ClusterTarget target) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(Labels.APP, target.name());
    labels.put(Labels.TYPE, Labels.TYPE_NATIVE);
    return labels;
  }

  /** Of JobManager pods, and what selects them. */
  static Map<String, String> jobManager(ClusterTarget target) {
    Map<String, String> labels = common(target);
    labels.put(Labels.COMPONENT, Labels.COMPONENT_JOB_MANAGER);
    return labels;
  }

  /** Ours and theirs; of two with one key ours, because the cluster is selected by them. */
  static Map<String, String> and(Map<String, String> ours, Map<String, String> theirs) {
    Map<String, String> labels = new LinkedHashMap<>(ours);
    theirs.forEach(labels::putIfAbsent);
    return labels;
  }
}
