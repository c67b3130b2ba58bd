package dev.sluice.workflows.activity;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/**
 * Reads a resource and writes the part of its status that belongs to the workflow: {@code
 * operation}, {@code reconciliationStatus}, {@code recordedState}, {@code endedJob} and {@code
 * jobStatus.upgradeSavepointPath}, always together, by server-side apply with the field manager
 * {@code sluice-workflow}. Every method may be called again at any time with the same arguments.
 */
@ActivityInterface
public interface ResourceActivities {

  /**
   * Looks at the resource, its cluster and its job. Waits (at most {@code request.patienceMs})
   * while the state of the job cannot be determined: JobManager starting, job restarting. A kind
   * without a cluster of its own answers for the one that its job runs on.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ResourceGone}
   */
  @ActivityMethod(name = "Observe")
  Observation observe(ObserveRequest request);

  /**
   * Makes the newest spec the target: validates it, renders it completely, sends it as a
   * server-side dry run, and writes it into {@code reconciliationStatus.lastReconciledSpec} with
   * the state UPGRADING. Nothing is written unless the newest spec is of {@code request.generation}
   * and all of that succeeds. Clears {@code recordedState} unless {@code request.keepRecorded}.
   * Frozen already: answers the same again. An operation that another run has begun for that
   * generation goes on as this run's, without a check: what it has given up stays given up.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ResourceGone}, {@code Refused}
   *     (retryable), {@code Outdated} (the status does not stand as it was planned for)
   */
  @ActivityMethod(name = "FreezeTarget")
  FreezeResult freezeTarget(FreezeRequest request);

  /**
   * Makes {@code lastStableSpec} the target again: before a rollback (state ROLLING_BACK), or, with
   * {@code report.state} ABORTED or SUCCEEDED, because the job was never touched (state DEPLOYED;
   * {@code recordedState} is cleared).
   *
   * @return the last stable spec; {@link FreezeResult.Invalid} when there is none
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (the status does not stand as
   *     it was planned for)
   */
  @ActivityMethod(name = "FreezeStable")
  FreezeResult freezeStable(FreezeStableRequest request);

  /**
   * Makes an earlier spec the target, as a rollback request asks: that of the annotation {@code
   * sluice.dev/rollback-to}, or the one before the spec that is deployed. Records the state that it
   * left, unless {@code sluice.dev/rollback-state} says that the newest is wanted, and removes both
   * annotations. Frozen already: answers the same again.
   *
   * @return the spec to go back to; {@link FreezeResult.Invalid} when there is none, or its state
   *     is not known: then nothing is written
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (the status does not stand as
   *     it was planned for)
   */
  @ActivityMethod(name = "FreezeRevision")
  FreezeResult freezeRevision(FreezeRevisionRequest request);

  /**
   * Answers a rollback request that was carried out as an abort: its annotations are removed,
   * unless another generation than the deployed one is named, to which a rollback follows. What is
   * asked for next to it and cannot be had is told in an event.
   *
   * @param report its message ends the sentence that says why something is ignored
   * @param mayFollow whether the run can go on with a rollback
   * @return whether a rollback is to follow, which answers the request
   */
  @ActivityMethod(name = "AnswerRollback")
  boolean answerRollback(OperationReport report, boolean mayFollow);

  /**
   * Makes the spec that is deployed the target again (state UPGRADING), because its job is lost,
   * and counts the attempt. With {@code request.begins} false it only writes why that is not done
   * yet. Begun already: answers the same again.
   *
   * @return the spec that is deployed; {@link FreezeResult.Invalid} when it cannot be read
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (the status, or the cluster, is
   *     not as it was when this was planned)
   */
  @ActivityMethod(name = "FreezeDeployed")
  FreezeResult freezeDeployed(FreezeDeployedRequest request);

  /**
   * Writes that a stop of the job is begun, before Flink is asked for it; or that it has failed and
   * the job runs on.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (no operation is begun, or the
   *     status does not stand as it was planned for)
   */
  @ActivityMethod(name = "RecordStop")
  void recordStop(RecordStopRequest request);

  /**
   * Writes the state that was taken, and the job that will be started from it. From now on it is
   * safe to destroy the old cluster. Removes the annotation {@code sluice.dev/restore-from} when
   * that was what decided.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (no operation is begun, or the
   *     status does not stand as it was planned for)
   */
  @ActivityMethod(name = "RecordState")
  void recordState(RecordStateRequest request);

  /**
   * Writes how the job ended and what it left, so that {@code Observe} answers {@code Ended} also
   * once nobody can be asked: its cluster is gone, or with high availability its JobManager was
   * restarted. Flink is asked first, unless it is written already.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (Flink does not say any more
   *     that the job has ended so, or the status does not stand as it was planned for)
   */
  @ActivityMethod(name = "RecordEnd")
  void recordEnd(RecordEndRequest request);

  /**
   * The frozen target runs, or nothing does because it is suspended: {@code lastStableSpec} =
   * {@code lastReconciledSpec}, state DEPLOYED (or ROLLED_BACK), operation Succeeded (or Aborted).
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (another generation is frozen,
   *     or another job is recorded to be started, for one in place any; without a job: the frozen
   *     target is not suspended)
   */
  @ActivityMethod(name = "MarkStable")
  void markStable(StableRequest request);

  /**
   * Writes {@code status.operation}, unless a Finish reports, and an event when {@code
   * report.event} is set. With {@code report.upJob} also that this job was up, as long as it is
   * recorded to be started by an operation that is begun.
   */
  @ActivityMethod(name = "Report")
  void report(OperationReport report);

  /**
   * @param resource what to look at
   * @param patienceMs how long to wait while it cannot be determined, in ms; 0 to answer at once
   */
  record ObserveRequest(ResourceRef resource, long patienceMs) implements ResourceRequest {}

  /**
   * @param resource whose spec to freeze
   * @param run who freezes it
   * @param generation the generation that was planned for
   * @param fromGeneration the generation that ran before; null when none did
   * @param keepRecorded keep {@code recordedState}: the old job is stopped already, and that state
   *     is all there is
   * @param stop the stop of the job that follows at once, or is pending; null for none
   * @param step title of the step to show in the status
   * @param message what is about to be done and why, in one sentence each; stays in {@code
   *     status.operation.plan}
   * @param deadlineMs when that step is given up, ms since the epoch; null when it is short
   * @param plannedFor how the status stood when this was planned
   */
  record FreezeRequest(
      ResourceRef resource,
      RunRef run,
      long generation,
      @Nullable Long fromGeneration,
      boolean keepRecorded,
      @Nullable PendingStop stop,
      String step,
      String message,
      @Nullable Long deadlineMs,
      Standing plannedFor)
      implements ResourceRequest {}

  /**
   * @param report what to write into {@code status.operation}
   * @param recorded the state to go back to, and the job that will be started from it; null when
   *     the job was never touched
   * @param plannedFor how the status stood when this was planned
   */
  record FreezeStableRequest(
      OperationReport report, @Nullable RestorePoint recorded, Standing plannedFor)
      implements ReportRequest {}

  /**
   * @param report what to write into {@code status.operation}; its message is completed with the
   *     spec and the state that were found
   * @param runningJob job id of the job that is given up; null when none is known
   * @param startedJob job id of the job that will be started from the state
   * @param plannedFor how the status stood when this was planned
   */
  record FreezeRevisionRequest(
      OperationReport report, @Nullable String runningJob, String startedJob, Standing plannedFor)
      implements ReportRequest {}

  /**
   * @param report what to write into {@code status.operation}
   * @param begins false: nothing is begun yet
   * @param givenUp the newest generation, if it differs and was given up; null otherwise
   * @param jobId the job that the Deployment was made for; null when there is no Deployment
   * @param before how often the job was brought back when this was planned
   * @param after the same with this attempt
   * @param keeps what is recorded and stays so, because it is proved that the lost job had nothing
   *     newer; null where it may be old by now
   * @param plannedFor how the status stood when this was planned
   */
  record FreezeDeployedRequest(
      OperationReport report,
      boolean begins,
      @Nullable Long givenUp,
      @Nullable String jobId,
      @Nullable RecoveryStatus before,
      RecoveryStatus after,
      @Nullable RestorePoint keeps,
      Standing plannedFor)
      implements ReportRequest {

    /** How the status stands afterwards. */
    @JsonIgnore
    public Standing leaves() {
      Long frozen = plannedFor.frozen();
      if (!begins || frozen == null) {
        return plannedFor;
      }
      Standing begun = plannedFor.freezing(frozen, false, null);
      return keeps == null ? begun : begun.starting(keeps.startedJob());
    }
  }

  /**
   * @param resource whose job it is
   * @param stop the stop that is begun; null when none is pending any more
   * @param report what to write into {@code status.operation}; null to leave it as it is
   * @param plannedFor how the status stood when this was planned
   */
  record RecordStopRequest(
      ResourceRef resource,
      @Nullable PendingStop stop,
      @Nullable OperationReport report,
      Standing plannedFor)
      implements ResourceRequest {}

  /**
   * @param resource whose state it is
   * @param recorded the state, and the job that will be started from it
   * @param step title of the step to show in the status
   * @param message for the status
   * @param deadlineMs when that step is given up, ms since the epoch; null when it is short
   * @param usedRestoreFrom the value of {@code sluice.dev/restore-from} that decided, to be
   *     removed; null when it did not
   * @param plannedFor how the status stood when this was planned
   * @param plan what is being done and why, as {@link FreezeRequest#message}; null to leave what is
   *     said already
   */
  record RecordStateRequest(
      ResourceRef resource,
      RestorePoint recorded,
      String step,
      String message,
      @Nullable Long deadlineMs,
      @Nullable String usedRestoreFrom,
      Standing plannedFor,
      @Nullable String plan)
      implements ResourceRequest {}

  /**
   * @param resource whose job it is
   * @param job how it ended and what it left; its {@code newest} may be unknown
   * @param plannedFor how the status stood when this was planned
   */
  record RecordEndRequest(ResourceRef resource, Ended job, Standing plannedFor)
      implements ResourceRequest {}

  /**
   * The run that acts.
   *
   * @param operation its workflow type, e.g. {@code Upgrade}
   * @param workflowId Temporal's workflow id
   * @param runId Temporal's run id
   */
  record RunRef(String operation, String workflowId, String runId) {}
}
