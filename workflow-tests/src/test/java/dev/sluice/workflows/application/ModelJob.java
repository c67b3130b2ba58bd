package dev.sluice.workflows.application;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.ModelSpec.Works;
import dev.sluice.workflows.model.StateRef;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job that counts what it has processed: that is its state. */
final class ModelJob {

  final String id;
  final String cluster;
  final StateRef from;
  final ModelSpec spec;
  private final Map<String, Long> storage;
  FlinkJobState state = FlinkJobState.RUNNING;
  long records;
  boolean up;

  /** A run was told that it is up. */
  boolean seenUp;

  /** Its JobManager has forgotten it. */
  boolean lost;

  @Nullable String newest;

  /** What the status says of it: a stop is not seen there. */
  @Nullable String seen;

  ModelJob(String id, String cluster, StateRef from, ModelSpec spec, Map<String, Long> storage) {
    this.id = id;
    this.cluster = cluster;
    this.from = from;
    this.spec = spec;
    this.storage = storage;
    this.newest = from.pathOrNull();
    this.seen = newest;
    this.records = newest == null ? 0 : storage.getOrDefault(newest, -1L);
  }

  boolean isLive() {
    return state == FlinkJobState.RUNNING && !lost;
  }

  /** Processes, and completes a checkpoint. */
  void proceeds() {
    if (isLive() && up) {
      records++;
      newest = "chk-%s-%d".formatted(id.substring(0, 6), records);
      storage.put(newest, records);
      seen = newest;
    }
  }

  boolean works() {
    return spec.works() == Works.WELL;
  }

  boolean crashes() {
    return isLive() && spec.works() == Works.CRASHES;
  }

  /** It is stopped with that savepoint, and works until then. */
  void stops(String path) {
    savepoint(path);
    state = FlinkJobState.FINISHED;
    newest = path;
  }

  void savepoint(String path) {
    records++;
    storage.put(path, records);
  }

  /** Flink has deleted its checkpoints. */
  boolean hasFinishedByItself() {
    return state == FlinkJobState.FINISHED && (newest == null || !newest.startsWith("sp-"));
  }

  StateRef left() {
    return state(newest);
  }

  static StateRef state(@Nullable String path) {
    if (path == null) {
      return new StateRef.Empty("it has completed no checkpoint");
    }
    return path.startsWith("chk") ? new StateRef.Checkpoint(path) : new StateRef.Savepoint(path);
  }

  @Override
  public String toString() {
    return "%s on %s %s%s, %d records"
        .formatted(id.substring(0, 6), cluster, state, lost ? " (lost)" : "", records);
  }
}
