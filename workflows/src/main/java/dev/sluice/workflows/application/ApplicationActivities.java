package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceRequest;
import dev.sluice.workflows.application.ApplicationDecision.Kind;
import dev.sluice.workflows.application.ApplicationSeen.PromotionGates;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * What a workflow asks of an application, its clusters and their jobs. Every method may be called
 * again at any time with the same arguments. What Flink or a cluster does is an answer; a failure
 * means that nothing could be found out, or that Kubernetes refuses.
 *
 * <p>Every effect looks first whether the status stands as it was planned for, and whether the
 * cluster is the one of the version of the request (by name, full hash and owner), and else fails
 * as {@code Outdated} without doing anything. All may fail as {@code ResourceGone}.
 */
@ActivityInterface
public interface ApplicationActivities {

  /**
   * Looks at the resource, its versions and their jobs. Waits, at most {@code request.patienceMs},
   * while the state of a job cannot be determined.
   */
  @ActivityMethod(name = "ObserveApplication")
  ApplicationSeen observe(ObserveRequest request);

  /**
   * Makes the newest spec the target: validates it, chooses hash and colour, renders it completely,
   * sends it as a server-side dry run, and writes it into {@code status.deployment.target} with the
   * phase Updating, or Rescaling in place. Nothing is written unless the newest spec is of {@code
   * request.generation} and all of that succeeds. Frozen already: answers the same again. Another
   * target is replaced: what is recorded to be started from stays, without the job.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Refused} (retryable), {@code NameTaken}
   *     (an object of such a name is somebody else's), {@code Outdated}
   */
  @ActivityMethod(name = "FreezeVersion")
  FreezeVersionResult freeze(FreezeVersionRequest request);

  /**
   * Makes the running cluster of Lyft's operator the deployed version: writes the newest spec as
   * that which it was made from, with the hash, the job and the colour that Lyft's status has, and
   * the phase that it has. Changes no object but the status.
   *
   * @return {@link FreezeVersionResult.Frozen}, or {@code Changed}
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (something is deployed already,
   *     or the Deployments of that hash are not there)
   */
  @ActivityMethod(name = "AdoptVersion")
  FreezeVersionResult adopt(FreezeVersionRequest request);

  /**
   * Applies the Deployments, the Service and, where it is configured, the Ingress of a version. The
   * Service of the application is made if there is none, and is otherwise left as it is. A cluster
   * with the full hash of the version is left as it is.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code NameTaken} (also: the full hash of what
   *     is there is another one), {@code Refused} (retryable), {@code Outdated}
   */
  @ActivityMethod(name = "CreateVersion")
  void create(VersionRequest request);

  /**
   * Waits until the cluster of a version has its JobManager, its TaskManagers and the slots that
   * its job needs. Changes nothing.
   */
  @ActivityMethod(name = "AwaitVersion")
  VersionReady awaitCluster(VersionRequest request);

  /**
   * Gives the cluster as many TaskManagers as the spec of the version needs, and labels it with the
   * hash of the version. Forwards the version is the target, backwards the deployed one, which is
   * on the same cluster. Where a Deployment is missing it is left to {@link #create}.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Refused} (retryable), {@code Outdated}
   */
  @ActivityMethod(name = "ScaleVersion")
  void scale(VersionRequest request);

  /**
   * Takes a savepoint of the job under the trigger id that is recorded in the status, and, where
   * {@code trigger.stops}, stops the job with it. Asks Flink for the trigger first, and goes on
   * with what is in progress or done. A failed attempt is repeated, under an id derived from the
   * first, while there is time and the job runs.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (also: another trigger is
   *     recorded)
   */
  @ActivityMethod(name = "TakeVersionSavepoint")
  SavepointOutcome takeSavepoint(SavepointRequest request);

  /**
   * Cancels the job, and waits until it has ended by Flink's own word. One that has ended is left.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated}
   */
  @ActivityMethod(name = "CancelVersionJob")
  CancelOutcome cancel(CancelVersionRequest request);

  /**
   * Looks for the newest state of a job of which no savepoint can be taken: asks Flink, its
   * high-availability metadata, the status ({@code jobStatus.lastCheckpoint}) and the storage.
   * Changes nothing.
   */
  @ActivityMethod(name = "FindVersionState")
  FoundState findState(FindStateRequest request);

  /**
   * Writes how far the application has come, with its operation, in one write. The spec of a
   * version that was the target or the deployed one goes with it where that is so no more.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (the status does not say what
   *     this was planned for, nor what is to stand there)
   */
  @ActivityMethod(name = "RecordVersions")
  void record(RecordVersionsRequest request);

  /**
   * Has the cluster of the version run its recorded job, from the recorded state, under the
   * recorded id. A job that Flink knows by that id is left as it is, also after an answer was lost.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code OtherJobs} (other live jobs are on the
   *     cluster), {@code Outdated} (also: another job, or none, is recorded to be started)
   */
  @ActivityMethod(name = "SubmitVersionJob")
  SubmitOutcome submit(SubmitRequest request);

  /**
   * Waits until every task of the job of the version is up, and checks what it was restored from.
   * Changes nothing. {@code restoreFrom} is what it must say.
   */
  @ActivityMethod(name = "AwaitVersionJob")
  VersionJob awaitJob(SubmitRequest request);

  /**
   * Points the Service of the application (in mode BlueGreen that of the colour) at the JobManager
   * of the version. Done already: nothing is written.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Refused} (retryable), {@code Outdated}
   */
  @ActivityMethod(name = "CutOver")
  void cutOver(VersionRequest request);

  /** Waits until the job of the version has done what the gates ask for. Changes nothing. */
  @ActivityMethod(name = "AwaitPromotion")
  PromotionOutcome awaitPromotion(PromotionRequest request);

  /**
   * Deletes the Deployments, Services, Ingress and high-availability metadata of a version's
   * cluster, and waits until no pod is left. Leaves the Service of the application, except where
   * {@code everything}. Not there: done.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ClusterNotGone} (pods are left at the
   *     deadline), {@code NameTaken} (it is somebody else's, and stays), {@code Outdated} (also:
   *     the version is the deployed one, and neither is it being torn down nor the resource
   *     deleted)
   */
  @ActivityMethod(name = "DeleteVersion")
  void delete(DeleteVersionRequest request);

  /**
   * Writes {@code status.operation} and {@code status.lastSeenError} only, and an event when {@code
   * report.event} is set.
   */
  @ActivityMethod(name = "ReportApplication")
  void report(OperationReport report);

  /**
   * @param resource what to look at
   * @param patienceMs how long to wait while it cannot be determined, in ms; 0 to answer at once
   */
  record ObserveRequest(ResourceRef resource, long patienceMs) implements ResourceRequest {}

  /**
   * @param report what to write into {@code status.operation}
   * @param generation the generation that was planned for
   * @param kind how it is to be deployed
   * @param plannedFor what the status said when this was planned
   */
  record FreezeVersionRequest(
      OperationReport report, long generation, Kind kind, ApplicationRecord plannedFor)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return report.resource();
    }
  }

  /**
   * @param resource whose version
   * @param plannedFor how the status must stand
   * @param version the version, with the job that is meant
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record VersionRequest(
      ResourceRef resource, ApplicationStanding plannedFor, VersionRef version, long deadlineMs)
      implements ResourceRequest {}

  /**
   * @param on the version whose job it is; its deadline is that of all attempts, and time spent
   *     waiting for one of the limited savepoint slots comes on top
   * @param trigger as it is recorded in the status
   * @param last whether the job is given up permanently
   */
  record SavepointRequest(VersionRequest on, ApplicationRecord.Trigger trigger, boolean last)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return on.resource();
    }
  }

  /**
   * @param on the version whose job it is
   * @param onlyIf what must be so when it is cancelled
   * @param maxCheckpointAgeMs how old the checkpoint may be that is kept, in ms
   */
  record CancelVersionRequest(VersionRequest on, OnlyIf onlyIf, long maxCheckpointAgeMs)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return on.resource();
    }

    /** When a job may be cancelled. */
    public enum OnlyIf {
      /** Always: its state is not wanted, or is recorded. */
      ANY_CASE,
      /** Flink keeps its newest checkpoint, and that is young enough. */
      STATE_IS_KEPT
    }
  }

  /**
   * @param on the version whose job it is
   * @param maxAgeMs how old the state may be, in ms
   */
  record FindStateRequest(VersionRequest on, long maxAgeMs) implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return on.resource();
    }
  }

  /**
   * @param plannedFor what the status said when this was planned
   * @param record what is to stand there
   * @param report what to write into {@code status.operation}
   */
  record RecordVersionsRequest(
      ApplicationRecord plannedFor, ApplicationRecord record, OperationReport report)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return report.resource();
    }
  }

  /**
   * @param on the version, with the recorded job
   * @param restoreFrom what the job starts from; never {@link StateRef.Unknown}
   */
  record SubmitRequest(VersionRequest on, StateRef restoreFrom) implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return on.resource();
    }
  }

  /**
   * @param on the version, with its job
   * @param gates what it has to do
   */
  record PromotionRequest(VersionRequest on, PromotionGates gates) implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return on.resource();
    }
  }

  /**
   * @param on the version
   * @param everything also what belongs to no version: the resource is being deleted
   */
  record DeleteVersionRequest(VersionRequest on, boolean everything) implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return on.resource();
    }
  }
}
