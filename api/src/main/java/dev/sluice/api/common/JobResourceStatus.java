package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the status of every kind of resource has whose job Sluice runs. What a kind does not have is
 * null: a FlinkApplication and a FlinkBlueGreenDeployment stop, recover and take snapshots by
 * fields of their own.
 */
public interface JobResourceStatus {

  /** The newest generation that the controller has looked at; null when it never did. */
  @Nullable Long observedGeneration();

  /**
   * The word of Apache's operator for the whole resource; null before the first look, and for kinds
   * that have none.
   */
  default @Nullable LifecycleState lifecycleState() {
    return null;
  }

  /**
   * What the cluster reports of itself, such as {@code state-size}; null before it did, and for
   * kinds that have none.
   */
  default @Nullable Map<String, String> clusterInfo() {
    return null;
  }

  /** What was last seen of the job; null when none ever was. */
  @Nullable JobStatus jobStatus();

  /**
   * Which spec is deployed or being deployed, and which was last stable; null when none ever was.
   */
  @Nullable ReconciliationStatus reconciliationStatus();

  /** At most one of each type. */
  List<Condition> conditions();

  /** The operation in flight, or the last one; null before the first. */
  @Nullable OperationStatus operation();

  /** Request annotations that are handled; null when none ever was. */
  @Nullable HandledRequests requests();

  /** The state that the newest operation recorded; null when none did. */
  @Nullable RecordedState recordedState();

  /**
   * How the job ended that was started last; null while it may run, and for kinds whose jobs are
   * not the end of a cluster.
   */
  default @Nullable EndedJob endedJob() {
    return null;
  }

  /** A stop of the job whose outcome is not recorded yet; null when there is none. */
  default @Nullable PendingStop pendingStop() {
    return null;
  }

  /** How often the job was brought back; null when it never was. */
  default @Nullable RecoveryStatus recovery() {
    return null;
  }

  /** The snapshots that the spec asked for by a nonce; null when it asked for none. */
  default @Nullable SnapshotTriggers snapshotTriggers() {
    return null;
  }

  /** What is taken without a FlinkStateSnapshot; null when nothing was. */
  default @Nullable StatusSnapshots snapshots() {
    return null;
  }

  /** The condition of that type, if it was ever set. */
  default Optional<Condition> condition(String type) {
    return conditions().stream().filter(c -> type.equals(c.getType())).findFirst();
  }

  /** Whether an operation was begun and not finished, also when its run is lost. */
  @JsonIgnore
  default boolean isBegun() {
    ReconciliationStatus reconciliation = reconciliationStatus();
    return reconciliation != null && reconciliation.isBegun();
  }

  /** What is taken without a FlinkStateSnapshot. */
  @JsonIgnore
  default StatusSnapshots snapshotsOrNone() {
    return Objects.requireNonNullElse(snapshots(), StatusSnapshots.NONE);
  }

  /** Savepoints that were taken without a FlinkStateSnapshot, oldest first. */
  @JsonIgnore
  default List<Savepoint> savepointHistory() {
    JobStatus job = jobStatus();
    SavepointInfo info = job == null ? null : job.savepointInfo();
    return info == null ? List.of() : info.savepointHistory();
  }

  /** What is taken now without a FlinkStateSnapshot; empty for nothing. */
  default Optional<StatusSnapshot> openSnapshot(SnapshotType type) {
    return Optional.ofNullable(snapshotsOrNone().of(type)).filter(StatusSnapshot::isOpen);
  }
}
