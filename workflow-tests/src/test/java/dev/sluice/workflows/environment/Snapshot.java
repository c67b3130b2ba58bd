package dev.sluice.workflows.environment;

import dev.sluice.workflows.model.StateRef;
import org.jspecify.annotations.Nullable;

/**
 * A complete savepoint or checkpoint. Its path tells whose it is and how far that job had come.
 *
 * @param path where it is
 * @param jobId the job that it was taken from
 * @param progress how far the job had come, in ticks of work done since its lineage began
 * @param savepoint false for a checkpoint
 */
public record Snapshot(String path, String jobId, long progress, boolean savepoint) {

  static Snapshot savepoint(String jobId, int number, long progress) {
    String path = "s3://savepoints/savepoint-%s-%d-p%d".formatted(jobId, number, progress);
    return new Snapshot(path, jobId, progress, true);
  }

  static Snapshot checkpoint(String jobId, int incarnation, int number, long progress) {
    String path =
        "s3://checkpoints/%d/%s/chk-%d-p%d".formatted(incarnation, jobId, number, progress);
    return new Snapshot(path, jobId, progress, false);
  }

  /** Which one it is of its job, as Flink counts them. */
  long number() {
    return Long.parseLong(path.replaceFirst(".*-(\\d+)-p\\d+$", "$1"));
  }

  /** How far a job had come that starts from it; 0 without one. */
  static long progress(@Nullable Snapshot from) {
    return from == null ? 0 : from.progress;
  }

  /** The same as workflows know it. */
  public StateRef ref() {
    return savepoint ? new StateRef.Savepoint(path) : new StateRef.Checkpoint(path);
  }
}
