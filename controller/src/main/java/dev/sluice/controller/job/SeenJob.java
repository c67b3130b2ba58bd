package dev.sluice.controller.job;

import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.reconcile.SeenLane;
import dev.sluice.controller.snapshot.SnapshotOwner;
import dev.sluice.controller.status.SpecCheck;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A FlinkDeployment or FlinkSessionJob and what was observed of it: the one thing that decisions
 * and the status are derived from.
 *
 * @param <R> the resource
 * @param <C> what is known of its cluster
 */
public interface SeenJob<R extends HasMetadata, C> extends SnapshotOwner, SeenLane<R> {

  @Override
  R resource();

  /** What was observed in addition to the resource. */
  Observed<C> observed();

  /** The newest spec, checked and compared with the frozen one. */
  SpecCheck<?> check();

  @Override
  default List<Violation> violations() {
    return check().violations();
  }

  @Override
  default List<String> ignored() {
    return check().ignored();
  }

  @Override
  default List<String> changes() {
    return check().changes();
  }

  @Override
  default Instant at() {
    return observed().at();
  }

  @Override
  default TemporalAnswers temporal() {
    return observed().temporal();
  }

  /** The answer of Flink. */
  default ObservedJob flink() {
    return observed().job();
  }

  @Override
  default Optional<Job> job() {
    return flink() instanceof Answered answered ? answered.job() : Optional.empty();
  }

  @Override
  default boolean isSuspended() {
    JobSpec job = deployedJob();
    return job != null && job.isSuspended();
  }

  /** Whether what is deployed should run, and no operation is open. */
  default boolean shouldRun() {
    return check().frozen() != null && !status().isBegun() && phase().isIdle() && !isSuspended();
  }

  /** Whether a job of the spec that is deployed should run, and no operation is open. */
  default boolean wantsJob() {
    return shouldRun() && deployedJob() != null;
  }

  @Override
  default boolean isJobUp() {
    return wantsJob() && job().filter(Job::isUp).isPresent();
  }

  /** Whether it is more than a session cluster. */
  default boolean hasJob() {
    return true;
  }

  /** How the job ended, where Flink does not know it any more and nothing runs it again. */
  Optional<EndedJob> end();

  /** Whether the end that was seen last still holds, although it is not recorded. */
  default boolean isStillEnded(JobStatus last) {
    return false;
  }

  /** The job that the cluster was made for, or was asked to run; null when there is none. */
  @Nullable String expectedJob();

  /** Whether what runs the job is gone, and nothing is under way to change that. */
  default boolean isMissing() {
    return false;
  }

  /** The cluster that it shares with others, as a sentence; empty where it has its own. */
  default String whereItRuns() {
    return "";
  }

  /** What the configuration says about bringing a lost job back. */
  RecoveryOptions recovery();

  /** The loss to recover from, also after the recovery was aborted; empty when there is none. */
  Optional<Loss> lost();

  /** Whether a deletion has something to do. */
  boolean hasMadeSomething();

  /** The run, other than a recovery, that a spec needs which is deployed; null for none. */
  @Nullable OperationType due();

  /** The run that a retry starts when nothing is lost or was given up; null for none. */
  @Nullable OperationType onRetry();

  /** Whether a Finish only records the end of the job. */
  default boolean keepsCluster() {
    return false;
  }

  /** Whether only the parallelism of a job that runs is to change. */
  default boolean isRescale() {
    return false;
  }

  /**
   * Whether no job is to run, and no operation is open or about to be: whatever the newest spec.
   */
  default boolean restsSuspended() {
    return isSuspended() && phase().isIdle();
  }

  /** The newest, unless it is not valid, or the open operation brings the same spec. */
  @Override
  default long goal() {
    if (!phase().isOpen()) {
      return generation();
    }
    Long frozen = frozenGeneration();
    boolean targetIsFrozen = frozen != null && frozen >= target();
    boolean nothingNew = !violations().isEmpty() || (targetIsFrozen && check().sameAsFrozen());
    return nothingNew ? target() : Math.max(generation(), target());
  }

  @Override
  default OperationType nextOperation() {
    JobSpec wanted = wantedJob();
    if (wanted != null && wanted.isSuspended()) {
      return OperationType.SUSPEND;
    }
    ReconciliationStatus reconciliation = status().reconciliationStatus();
    boolean begun = status().isBegun();
    if (begun ? isOpen(OperationType.RESUME) : isSuspended()) {
      return OperationType.RESUME;
    }
    boolean ranBefore =
        frozenGeneration() != null
            && (!begun || (reconciliation != null && reconciliation.lastStableSpec() != null));
    if (!ranBefore) {
      return OperationType.DEPLOY;
    }
    // whatever was begun and is not carried on by its own run is an upgrade
    return !begun && isRescale() ? OperationType.RESCALE : OperationType.UPGRADE;
  }
}
