package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.job.Savepoints;
import dev.sluice.api.common.SavepointDirectoryOption;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Looks for a savepoint that was triggered and that the JobManager does not know by its trigger id
 * any more. One is adopted only when no one else can have asked for it: it is newer than the
 * trigger, the only one, in no other status, and no other snapshot of the job is in progress.
 */
final class SavepointEvidence {

  private final FlinkRest flink;
  private final Savepoints savepoints;
  private final Supplier<List<FlinkStateSnapshot>> others;

  /**
   * @param others the other snapshots of the namespace; blocks
   */
  SavepointEvidence(
      FlinkRest flink, Savepoints savepoints, Supplier<List<FlinkStateSnapshot>> others) {
    this.flink = flink;
    this.savepoints = savepoints;
    this.others = others;
  }

  /** The path of the savepoint; empty when none was found that is certainly of this trigger. */
  CompletableFuture<Optional<String>> find(JobOwner owner, Trigger trigger, SavepointSpec spec) {
    return flink
        .checkpoints(owner.cluster().endpoint(), trigger.jobId())
        .thenApply(found -> found.flatMap(it -> statistics(it, trigger)))
        .exceptionally(unanswered -> Optional.empty())
        .thenApplyAsync(
            told -> {
              List<String> candidates =
                  told.map(List::of).orElseGet(() -> files(owner, trigger, spec));
              return candidates.size() == 1 && isOurs(candidates.get(0), owner, trigger)
                  ? Optional.of(candidates.get(0))
                  : Optional.empty();
            },
            savepoints.search());
  }

  private static Optional<String> statistics(Checkpoints checkpoints, Trigger trigger) {
    return checkpoints
        .latestSavepoint()
        .filter(it -> it.kind() == Checkpoints.Kind.SAVEPOINT && !it.discarded())
        .filter(it -> it.triggeredAt().toEpochMilli() >= trigger.atMs())
        .flatMap(Checkpoints.Completed::externalPath);
  }

  private List<String> files(JobOwner owner, Trigger trigger, SavepointSpec spec) {
    return Optional.ofNullable(spec.pathOrNull())
        .or(() -> SavepointDirectoryOption.of(owner.cluster().configuration()))
        .flatMap(
            directory ->
                savepoints.directory().candidates(directory, trigger.jobId(), trigger.atMs()))
        .orElse(List.of());
  }

  private boolean isOurs(String path, JobOwner owner, Trigger trigger) {
    return !owner.needs(path)
        && others.get().stream()
            .map(FlinkStateSnapshot::getStatus)
            .noneMatch(
                other ->
                    RestoredPath.haveSameName(path, other.path())
                        || (other.stateOrPending() != SnapshotState.COMPLETED
                            && Objects.equals(other.jobId(), trigger.jobId())));
  }
}
