package dev.sluice.workflows.resource;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * Reads the FlinkDeployment and writes the part of its status that belongs to the workflow: {@code
 * operation}, {@code reconciliationStatus} and {@code jobStatus.upgradeSavepointPath}, always
 * together, by server-side apply with the field manager {@code sluice-workflow}. Every method may
 * be called again at any time with the same arguments.
 */
@ActivityInterface
public interface ResourceActivities {

  /**
   * Looks at the resource, its cluster and its job. Waits (without a thread, at most {@code
   * request.patienceMs}) while the job's state cannot be told: JobManager starting, job restarting.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ResourceGone}
   */
  @ActivityMethod(name = "Observe")
  Observation observe(ObserveRequest request);

  /**
   * Validates the newest spec of the resource and freezes it into {@code
   * reconciliationStatus.lastReconciledSpec} with the state UPGRADING. Clears {@code
   * upgradeSavepointPath} unless {@code request.keepState}. FrozenTarget already: answers the same
   * again.
   *
   * @return what was frozen; {@link FrozenTarget#valid} is false, and nothing was written, when the
   *     newest spec is not valid
   * @throws io.temporal.failure.ApplicationFailure {@code ResourceGone}
   */
  @ActivityMethod(name = "FreezeTarget")
  FrozenTarget freezeTarget(FreezeRequest request);

  /**
   * Writes the path of the state that was taken to {@code jobStatus.upgradeSavepointPath} and
   * {@code operation.savepoint}. From now on it is safe to destroy the old cluster.
   */
  @ActivityMethod(name = "RecordState")
  void recordState(RecordStateRequest request);

  /**
   * The frozen target runs: {@code lastStableSpec} = {@code lastReconciledSpec}, state DEPLOYED (or
   * ROLLED_BACK), operation Succeeded (or Aborted).
   */
  @ActivityMethod(name = "MarkStable")
  void markStable(OperationReport report);

  /**
   * Makes {@code lastStableSpec} the frozen target again: before a rollback (state ROLLING_BACK),
   * or, with {@code report.state} Aborted, because the job was never touched (state DEPLOYED).
   *
   * @return the generation of the last stable spec and how it is restored; {@link
   *     FrozenTarget#valid} is false when there is no stable spec
   */
  @ActivityMethod(name = "FreezeStable")
  FrozenTarget freezeStable(OperationReport report);

  /** Writes {@code status.operation} only, and an event when {@code report.event} is set. */
  @ActivityMethod(name = "Report")
  void report(OperationReport report);
}
