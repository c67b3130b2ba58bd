package dev.sluice.activities.job;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.flink.Checkpoints.Restored;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.StateRef;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The newest state of a job, by Flink's checkpoint statistics. Pure.
 *
 * @param state what the job would have to be restored from
 * @param progressed false only when the statistics say that it completed no checkpoint or savepoint
 *     of its own since it was started
 */
public record NewestState(StateRef state, boolean progressed) {

  static NewestState unknown(String why) {
    return new NewestState(new StateRef.Unknown(why), true);
  }

  /**
   * The newest state of a job in that state: the completed checkpoint or savepoint with the highest
   * id, whatever became of it. An older one never takes its place, because that would take the job
   * back. If there is none, it is what the job was restored from.
   *
   * <p>Of a job that is FINISHED only the savepoint counts that it was stopped with: one that
   * finished by itself has no work left, and Flink has deleted its checkpoints.
   *
   * @param statistics up to date; empty for a job that cannot take checkpoints at all
   */
  public static NewestState of(
      FlinkJobState state, String jobId, Optional<Checkpoints> statistics) {
    Optional<Completed> completed =
        statistics.flatMap(
            it ->
                Stream.of(it.latestCompleted(), it.latestSavepoint())
                    .flatMap(Optional::stream)
                    .max(Comparator.comparingLong(Completed::id)));
    if (state == FlinkJobState.FINISHED
        && completed.filter(it -> it.kind() == Kind.STOP_SAVEPOINT).isEmpty()) {
      return new NewestState(new StateRef.Empty("job " + jobId + " has finished by itself"), true);
    }
    return completed
        .map(it -> new NewestState(reference(it), true))
        .orElseGet(() -> restored(jobId, statistics));
  }

  private static StateRef reference(Completed it) {
    String what =
        (it.kind() == Kind.CHECKPOINT ? "checkpoint " : "savepoint ") + it.id() + " of the job";
    Optional<String> path = it.externalPath();
    if (path.isEmpty()) {
      return new StateRef.Unknown(what + " has no path outside Flink");
    }
    if (it.discarded()) {
      return new StateRef.Unknown(what + " was deleted by Flink");
    }
    return it.kind() == Kind.CHECKPOINT
        ? new StateRef.Checkpoint(path.get())
        : new StateRef.Savepoint(path.get());
  }

  private static NewestState restored(String jobId, Optional<Checkpoints> statistics) {
    Optional<Restored> restored = statistics.flatMap(Checkpoints::latestRestored);
    if (restored.isEmpty()) {
      String none =
          statistics.isEmpty()
              ? "the job takes no checkpoints"
              : "the job started without state and completed no checkpoint";
      return new NewestState(new StateRef.Empty(none), false);
    }
    Optional<String> path = restored.get().externalPath();
    if (path.isEmpty()) {
      return unknown("Flink does not tell the path of what the job was restored from");
    }
    boolean own = RestoredPath.isOwnCheckpoint(path.get(), jobId);
    return new NewestState(
        restored.get().savepoint()
            ? new StateRef.Savepoint(path.get())
            : new StateRef.Checkpoint(path.get()),
        own);
  }
}
