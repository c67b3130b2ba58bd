package dev.sluice.controller.status;

import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.AnnotationRequests;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A resource whose job Sluice runs, of any kind, and what follows from its spec and status. */
public interface SeenResource {

  /** The resource as it was read. */
  HasMetadata resource();

  /** The resource as workflows know it. */
  ResourceRef ref();

  /** The status as it stands in Kubernetes. */
  JobResourceStatus status();

  /** When it was looked at. */
  Instant at();

  /** Where it stands between spec and status. */
  ResourcePhase phase();

  /** The answers of Temporal. */
  TemporalAnswers temporal();

  /** What the annotations ask for. */
  default AnnotationRequests requests() {
    HandledRequests handled = status().requests();
    boolean firstSeen = handled == null && status().condition(ConditionTypes.READY).isEmpty();
    return AnnotationRequests.of(resource(), handled, temporal().answers(), firstSeen);
  }

  /** {@code metadata.generation}. */
  default long generation() {
    return Objects.requireNonNullElse(resource().getMetadata().getGeneration(), 0L);
  }

  /** The generation to reach. */
  long goal();

  /**
   * The newest generation that an open operation knows of: its target, or for a rollback or a
   * recovery the one that is given up. The frozen one when an operation was begun, but the status
   * still tells of the one before; that of the resource if unknown.
   */
  default long target() {
    OperationStatus operation = operation();
    Long frozen = frozenGeneration();
    if (operation == null || !operation.isOpen()) {
      return status().isBegun() && frozen != null ? frozen : generation();
    }
    Long target = operation.targetGeneration();
    if (target == null) {
      return generation();
    }
    return operation.type() == OperationType.ROLLBACK || operation.type() == OperationType.RECOVER
        ? operation.newestGeneration()
        : target;
  }

  /** The type of run that takes the resource to its newest spec. */
  OperationType nextOperation();

  /** Why the newest spec is not valid; empty when it is. */
  List<Violation> violations();

  /** Fields of the newest spec that have no effect, each with its path. */
  List<String> ignored();

  /** Fields in which the newest spec differs from the deployed one, secrets masked. */
  default List<String> changes() {
    return List.of();
  }

  /** Of the spec that is, or is being, deployed; 0 when it does not say; null for none. */
  @Nullable Long frozenGeneration();

  /** The job, if Flink answered and knows one. */
  Optional<Job> job();

  /** Whether no job is to run by the spec that is, or is being, deployed. */
  boolean isSuspended();

  /** What a deletion does, without a full stop. */
  String deletion();

  /** What a recovery brings back: "the job". */
  String recovered();

  /** What the operation at work waits for next to itself; empty for nothing. */
  default String waitsFor() {
    return "";
  }

  /** The operation in flight or the last one; null when there never was one. */
  default @Nullable OperationStatus operation() {
    return status().operation();
  }

  /** Whether the way back to the last stable spec was begun and not finished. */
  default boolean isRollingBack() {
    ReconciliationStatus reconciliation = status().reconciliationStatus();
    return reconciliation != null && reconciliation.state() == ReconciliationState.ROLLING_BACK;
  }

  /** Whether an operation of this type is open. */
  default boolean isOpen(OperationType type) {
    OperationStatus operation = operation();
    return operation != null && operation.type() == type && operation.isOpen();
  }
}
