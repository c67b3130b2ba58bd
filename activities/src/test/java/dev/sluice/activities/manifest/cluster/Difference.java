package dev.sluice.activities.manifest.cluster;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One value that Flink's client and we do not agree on; null where a side has none. */
record Difference(String object, String path, @Nullable String flink, @Nullable String ours) {

  static List<Difference> between(
      String object, Map<String, String> flink, Map<String, String> ours) {
    TreeSet<String> paths = new TreeSet<>(flink.keySet());
    paths.addAll(ours.keySet());
    return paths.stream()
        .map(path -> new Difference(object, path, flink.get(path), ours.get(path)))
        .filter(difference -> !Objects.equals(difference.flink, difference.ours))
        .toList();
  }

  /** Whether only we have a value there. */
  boolean isOurs() {
    return flink == null;
  }

  /** Whether only Flink's client has a value there. */
  boolean isFlinks() {
    return ours == null;
  }
}
