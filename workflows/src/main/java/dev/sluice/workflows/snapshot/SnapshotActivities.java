package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceRequest;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/**
 * The activities of the snapshot workflows. Every method may be called again at any time with the
 * same arguments. What Flink or a job does is a result; a failure means that nothing could be found
 * out, so it is never counted as an attempt.
 */
@ActivityInterface
public interface SnapshotActivities {

  /**
   * Reads the snapshot.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ResourceGone}
   */
  @ActivityMethod(name = "ObserveSnapshot")
  SnapshotSeen observe(ObserveRequest request);

  /**
   * Waits until no operation is at work on the resource that runs the job, and every task of the
   * job is up. Changes nothing.
   */
  @ActivityMethod(name = "AwaitJob")
  FoundJob awaitJob(AwaitJobRequest request);

  /**
   * Takes the savepoint or checkpoint: asks Flink for the trigger id, waits for what is in progress
   * or done, and triggers what was certainly not triggered before.
   */
  @ActivityMethod(name = "TakeSnapshot")
  Outcome take(TakeRequest request);

  /**
   * Writes the status of the snapshot, with its operation, in one write.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (the status does not stand as
   *     it was planned for), {@code ResourceGone}
   */
  @ActivityMethod(name = "RecordSnapshot")
  void record(RecordRequest request);

  /**
   * Has Flink delete the files of a savepoint, and waits until it has. On the lane of a status it
   * also leaves the history there, and an event reports the result.
   */
  @ActivityMethod(name = "DisposeSavepoint")
  Disposal dispose(DisposeRequest request);

  /**
   * Writes {@code status.operation} only, and an event when {@code report.event} is set. Also where
   * the status is that of a job.
   */
  @ActivityMethod(name = "ReportSnapshot")
  void report(OperationReport report);

  /**
   * @param resource the snapshot
   */
  record ObserveRequest(ResourceRef resource) implements ResourceRequest {}

  /**
   * @param resource the snapshot
   * @param deadlineMs when the activity fails as timed out, ms since the epoch
   */
  record AwaitJobRequest(ResourceRef resource, long deadlineMs) implements ResourceRequest {}

  /**
   * @param resource the snapshot
   * @param trigger of this attempt, as the status has it
   * @param mayTrigger false: nothing is triggered, only the outcome is asked for
   * @param deadlineMs when the activity fails as timed out, ms since the epoch; time spent waiting
   *     for one of the limited savepoint slots comes on top
   */
  record TakeRequest(ResourceRef resource, Trigger trigger, boolean mayTrigger, long deadlineMs)
      implements ResourceRequest {}

  /**
   * A call to Flink that was made, or is about to be.
   *
   * @param id 32 hex digits
   * @param jobId the job
   * @param atMs when, ms since the epoch
   */
  record Trigger(String id, String jobId, long atMs) {}

  /**
   * @param snapshot id of the snapshot, as it was seen
   * @param plannedFor the status for which this was planned
   * @param record the status to be written
   * @param report what to write into {@code status.operation}
   */
  record RecordRequest(
      String snapshot, SnapshotRecord plannedFor, SnapshotRecord record, OperationReport report)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return report.resource();
    }
  }

  /**
   * @param resource the snapshot
   * @param path of the savepoint
   * @param deadlineMs when the activity fails as timed out, ms since the epoch
   */
  record DisposeRequest(ResourceRef resource, String path, long deadlineMs)
      implements ResourceRequest {}
}
