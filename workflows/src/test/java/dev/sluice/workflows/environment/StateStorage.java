package dev.sluice.workflows.environment;

import dev.sluice.workflows.environment.JobManagerProcess.HaMetadata;
import dev.sluice.workflows.model.StateRef;
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

  /** How far a job comes that starts from it; 0 without state. */
  long progress(StateRef state, Map<String, HaMetadata> metadata) {
    HaMetadata known = state instanceof StateRef.HaMetadata ha ? metadata.get(ha.jobId()) : null;
    return progress(known == null ? find(state.pathOrNull()) : known.checkpoint());
  }

  /** The same for what may not be there. */
  static long progress(@Nullable Snapshot snapshot) {
    return snapshot == null ? 0 : snapshot.progress();
  }
}
