package dev.sluice.workflows.environment;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of savepoints and checkpoints. What was deleted is remembered, but not restorable. */
final class StateStorage {

  private final Map<String, Snapshot> written = new LinkedHashMap<>();
  private final Set<String> deleted = new LinkedHashSet<>();

  Snapshot write(Snapshot snapshot) {
    written.put(snapshot.path(), snapshot);
    return snapshot;
  }

  void delete(Snapshot snapshot) {
    deleted.add(snapshot.path());
  }

  boolean has(@Nullable Snapshot snapshot) {
    return snapshot != null && has(snapshot.path());
  }

  boolean has(String path) {
    return written.containsKey(path) && !deleted.contains(path);
  }

  /** What was ever written there; null when nothing was. */
  @Nullable Snapshot find(@Nullable String path) {
    return path == null ? null : written.get(path);
  }
}
