package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceRequest;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow asks of a snapshot and its job. Every method may be called again at any time with
 * the same arguments. What Flink or a job does is an answer; a failure means that nothing could be
 * found out, so it is never counted as an attempt.
 */
@ActivityInterface
public interface SnapshotActivities {

  /**
   * Looks at the resource.
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
   * Takes the savepoint or checkpoint: asks Flink for the trigger id, goes on with what is in
   * progress or done, waits for the end of an attempt that was given up, and only then triggers.
   */
  @ActivityMethod(name = "TakeSnapshot")
  Outcome take(TakeRequest request);

  /**
   * Writes what became of the snapshot, with its operation, in one write.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code Outdated} (the status does not stand as
   *     it was planned for), {@code ResourceGone}
   */
  @ActivityMethod(name = "RecordSnapshot")
  void record(RecordRequest request);

  /** Has Flink delete the files of a savepoint, and waits until it has. */
  @ActivityMethod(name = "DisposeSavepoint")
  Disposal dispose(DisposeRequest request);

  /**
   * Writes what became of a disposal, with its operation and event. The history in a status forgets
   * the savepoint, if it is still the one that goes next; of files that could not be deleted it
   * remembers that.
   */
  @ActivityMethod(name = "RecordDisposal")
  void disposed(DisposedRequest request);

  /**
   * Writes {@code status.operation} only, and an event when {@code report.event} is set. A status
   * that tells of another snapshot is left as it is.
   */
  @ActivityMethod(name = "ReportSnapshot")
  void report(ReportRequest request);

  /**
   * @param resource the snapshot
   * @param toDispose on a lane without a resource: of what goes next in the history, if anything
   *     does, and not of what is taken
   */
  record ObserveRequest(ResourceRef resource, boolean toDispose) implements ResourceRequest {}

  /**
   * @param resource the snapshot
   * @param pinned the job that it was triggered on; null while it may be of any that runs
   * @param deadlineMs when to answer {@link FoundJob.NotUp} or {@link FoundJob.Held}, ms since the
   *     epoch
   */
  record AwaitJobRequest(ResourceRef resource, @Nullable String pinned, long deadlineMs)
      implements ResourceRequest {}

  /**
   * @param resource the snapshot
   * @param trigger of this attempt
   * @param earlier trigger ids of what was given up before and may be in progress: their end is
   *     waited for
   * @param mayTrigger false: only look what became of what was triggered, and answer {@link
   *     Outcome.NoJob} where the request would be outdated
   * @param deadlineMs when to answer {@link Outcome.Unknown}, ms since the epoch; time spent
   *     waiting for one of the limited savepoint slots comes on top
   */
  record TakeRequest(
      ResourceRef resource,
      Trigger trigger,
      List<String> earlier,
      boolean mayTrigger,
      long deadlineMs)
      implements ResourceRequest {

    /** Copies the list. */
    public TakeRequest {
      earlier = earlier == null ? List.of() : List.copyOf(earlier);
    }
  }

  /**
   * What Flink was asked to do, or is about to be.
   *
   * @param id 32 hex digits
   * @param jobId the job
   * @param atMs when, ms since the epoch: what was taken before is not of this trigger
   */
  record Trigger(String id, String jobId, long atMs) {}

  /**
   * @param snapshot id of the snapshot, as it was seen
   * @param plannedFor how the status stood when this was planned
   * @param record what is to stand there
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
   * @param askedBefore whether an earlier attempt may have asked Flink to delete it
   * @param failedThrough other clusters than that of its job that have failed to, in that order
   * @param deadlineMs give up at this time, ms since the epoch
   */
  record DisposeRequest(
      ResourceRef resource,
      String path,
      boolean askedBefore,
      List<String> failedThrough,
      long deadlineMs)
      implements ResourceRequest {

    /** A run that was begun by an older worker names no clusters. */
    public DisposeRequest {
      failedThrough = failedThrough == null ? List.of() : List.copyOf(failedThrough);
    }
  }

  /**
   * @param snapshot id of the snapshot, as it was seen
   * @param keptAtMs when its files could not be deleted, ms since the epoch, so that a history
   *     remembers them; null when they are gone, or left for good
   * @param report what to write into {@code status.operation}, with an event
   */
  record DisposedRequest(String snapshot, @Nullable Long keptAtMs, OperationReport report)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return report.resource();
    }
  }

  /**
   * @param snapshot id of the snapshot, as it was seen; null when it was not seen yet
   * @param report what to write into {@code status.operation}
   */
  record ReportRequest(@Nullable String snapshot, OperationReport report)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return report.resource();
    }
  }
}
