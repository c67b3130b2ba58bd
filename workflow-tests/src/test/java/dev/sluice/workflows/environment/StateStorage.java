package dev.sluice.workflows.environment;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of savepoints and checkpoints. What was deleted is remembered, but not restorable. */
final class StateStorage {

  private final Map<String, Snapshot> written = new LinkedHashMap<>();
  private boolean readable;
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

  /** The worker sees the directory of the checkpoints. */
  void readable() {
    readable = true;
  }

  /**
   * The newest checkpoint of a job, by its number; null when the worker sees none, or it is not
   * certain: a savepoint was written after it, or the job was begun again, and counts from 1 again.
   */
  @Nullable Snapshot newestCheckpoint(String jobId) {
    List<Snapshot> own =
        written.values().stream().filter(it -> it.jobId().equals(jobId)).filter(this::has).toList();
    Snapshot last = own.isEmpty() || !readable ? null : own.get(own.size() - 1);
    return last == null
            || last.savepoint()
            || own.stream().anyMatch(it -> !it.savepoint() && it.number() > last.number())
        ? null
        : last;
  }

  /** What was ever written there; null when nothing was. */
  @Nullable Snapshot find(@Nullable String path) {
    return path == null ? null : written.get(path);
  }
}
