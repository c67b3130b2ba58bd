package dev.sluice.activities.cluster;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.operation.Step;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells which FlinkSessionJobs a session cluster has. */
@FunctionalInterface
public interface SessionJobSource {

  /** No cluster has any: no resource of that kind is known. */
  SessionJobSource NONE = cluster -> List.of();

  /** Those that exist, whether or not they run. Blocks for a call to the API server per hundred. */
  List<SessionJob> of(ClusterRef cluster);

  /** Ids of the jobs that they have it run. Blocks as {@link #of} does. */
  default List<String> jobIds(ClusterRef cluster) {
    return of(cluster).stream().map(SessionJob::jobId).filter(Objects::nonNull).toList();
  }

  /**
   * One FlinkSessionJob.
   *
   * @param name of the resource
   * @param jobId of the job that it runs, or was sent; null while it runs none
   * @param sentAt when Flink was asked to run that job, as long as the operation waits for the
   *     answer; null otherwise
   * @param operation the one in flight, or the last one; null before the first
   * @param problem why it does not go on by itself, without an operation in flight; null when
   *     nothing is known
   */
  record SessionJob(
      String name,
      @Nullable String jobId,
      @Nullable Instant sentAt,
      @Nullable OperationStatus operation,
      @Nullable String problem) {

    /** One that says nothing of an operation. */
    public SessionJob(String name, @Nullable String jobId) {
      this(name, jobId, null, null, null);
    }

    /** Whether Flink may still come to run its job, whose main method may last. */
    boolean isBeingSent(Instant now) {
      return sentAt != null && now.isBefore(sentAt.plus(HostEvidence.MAY_ARRIVE));
    }

    /**
     * Whether its operation stops or cancels the job, and has not recorded yet what that left: the
     * JobManager may be the only one who knows.
     */
    boolean isBeingStopped() {
      return jobId != null
          && operation != null
          && operation.isOpen()
          && (Step.STOP_WITH_SAVEPOINT.title().equals(operation.step())
              || Step.CANCEL_JOB.title().equals(operation.step()));
    }

    /** Whether its operation may still have to read what a job that has ended leaves. */
    boolean isAtWork() {
      return operation != null && operation.isOpen() && operation.state() != OperationState.PARKED;
    }

    /** Whether its operation is in flight and cannot go on by itself. */
    boolean isHeld() {
      OperationState state = operation == null ? null : operation.state();
      return state == OperationState.PARKED || state == OperationState.BLOCKED;
    }

    /** {@code clicks (Parked at StopWithSavepoint)}. */
    String display() {
      String open =
          operation == null || operation.state() == null || !operation.isOpen()
              ? null
              : operation.state().wire() + " at " + operation.step();
      String why = problem == null ? open : problem;
      return why == null ? name : "%s (%s)".formatted(name, why);
    }
  }
}
