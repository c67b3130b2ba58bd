package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.History;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.job.Savepoints;
import dev.sluice.api.common.SavepointDirectoryOption;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a savepoint that was triggered and that the JobManager does not know by its trigger id
 * any more. One is adopted only when it lies in the directory that was asked for, and is certainly
 * the only one that was completed since the trigger; when it is in no other status; and when no
 * other snapshot of the job is in progress. That is no proof: somebody may have taken it with
 * Flink's own tools, so it is never deleted.
 */
final class SavepointEvidence {

  private static final String DEFAULT_SCHEME = "fs.default-scheme";

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

  /** The path of the savepoint; empty when there is none, or it may be one of several. */
  CompletableFuture<Optional<String>> find(JobOwner owner, Trigger trigger, SavepointSpec spec) {
    return directory(owner, spec)
        .map(directory -> find(owner, trigger, directory))
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  /** Where the savepoints of a spec go; empty when that is not known. */
  static Optional<String> directory(JobOwner owner, SavepointSpec spec) {
    return Optional.ofNullable(spec.pathOrNull())
        .or(() -> SavepointDirectoryOption.of(owner.cluster().configuration()));
  }

  private CompletableFuture<Optional<String>> find(
      JobOwner owner, Trigger trigger, String directory) {
    return flink
        .checkpoints(owner.cluster().endpoint(), trigger.jobId())
        .thenApply(found -> found.map(Checkpoints::history).orElse(History.NONE))
        .exceptionally(unanswered -> History.NONE)
        .thenApplyAsync(
            told ->
                only(told, directory, trigger)
                    .filter(it -> RestoredPath.isIn(it, directory, defaultScheme(owner)))
                    .filter(it -> isOurs(it, owner, trigger)),
            savepoints.search());
  }

  /** The only savepoint since the trigger, by all that Flink and its directory tell. */
  private Optional<String> only(History told, String directory, Trigger trigger) {
    Instant then = Instant.ofEpochMilli(trigger.atMs());
    Optional<List<String>> files =
        savepoints.directory().candidates(directory, trigger.jobId(), trigger.atMs());
    if (files.isEmpty() && !told.covers(then)) {
      return Optional.empty(); // there may be others that neither tells of
    }
    Map<String, Optional<String>> since = new HashMap<>();
    files.orElse(List.of()).forEach(it -> since.put(RestoredPath.nameOf(it), Optional.of(it)));
    for (Completed savepoint : told.savepoints()) {
      if (savepoint.triggeredAt().isBefore(then)) {
        since.remove(name(savepoint)); // of an earlier attempt, perhaps, and completed since
      } else {
        since.put(name(savepoint), adoptable(savepoint));
      }
    }
    return since.size() == 1 ? since.values().iterator().next() : Optional.empty();
  }

  private static String name(Completed savepoint) {
    return savepoint
        .externalPath()
        .map(RestoredPath::nameOf)
        .orElseGet(() -> "number " + savepoint.id());
  }

  /** One that the job was stopped with belongs to an upgrade. */
  private static Optional<String> adoptable(Completed savepoint) {
    return savepoint.kind() == Kind.SAVEPOINT && !savepoint.discarded()
        ? savepoint.externalPath()
        : Optional.empty();
  }

  private static @Nullable String defaultScheme(JobOwner owner) {
    return owner
        .cluster()
        .configuration()
        .get(DEFAULT_SCHEME)
        .filter(it -> !it.isBlank())
        .orElse(null);
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
