package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceRequest;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
  Seen observe(ObserveRequest request);

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
   * A snapshot as it was observed: what follows from its spec, and its status.
   *
   * @param id unique; also between the snapshots that the status of one resource has one after the
   *     other
   * @param deleting whether it is being deleted
   * @param type what to take
   * @param of what runs the job, such as {@code FlinkDeployment default/orders}
   * @param failuresAllowed how many attempts may fail; -1 for any number
   * @param disposes whether its files go with the resource
   * @param excess savepoints that the history in a status has no place for, oldest first
   * @param status the workflow's part, without its operation
   */
  record Seen(
      String id,
      boolean deleting,
      SnapshotType type,
      String of,
      int failuresAllowed,
      boolean disposes,
      List<String> excess,
      FlinkStateSnapshotStatus status) {

    public Seen {
      excess = List.copyOf(excess);
    }

    /** {@code savepoint of FlinkDeployment default/orders}. */
    String what() {
      return type.word() + " of " + of;
    }

    /** {@code Attempt 2 of 4}; {@code Attempt 2} where any number may fail. */
    String attempt(int number) {
      return failuresAllowed < 0
          ? "Attempt " + number
          : "Attempt %d of %d".formatted(number, failuresAllowed + 1);
    }

    /** Whether another attempt is allowed after that many failures. */
    boolean allows(int failures) {
      return failuresAllowed < 0 || failures <= failuresAllowed;
    }
  }

  /**
   * A call to Flink that was made, or is about to be.
   *
   * @param id 32 hex digits
   * @param jobId the job
   * @param atMs when, ms since the epoch
   */
  record Trigger(String id, String jobId, long atMs) {

    /** That of a snapshot in flight. */
    static Trigger of(FlinkStateSnapshotStatus status) {
      return new Trigger(
          Objects.requireNonNull(status.triggerId()),
          Objects.requireNonNull(status.jobId()),
          status.triggeredAt().toEpochMilli());
    }
  }

  /**
   * @param snapshot id of the snapshot, as it was seen
   * @param plannedFor the status for which this was planned
   * @param status to be written, without its operation
   * @param report what to write into {@code status.operation}
   */
  record RecordRequest(
      String snapshot,
      FlinkStateSnapshotStatus plannedFor,
      FlinkStateSnapshotStatus status,
      OperationReport report)
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

  /** The job to take a snapshot of. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = FoundJob.Up.class, name = "Up"),
    @JsonSubTypes.Type(value = FoundJob.None.class, name = "None")
  })
  sealed interface FoundJob {

    /**
     * Every task of it is up, and no operation is at work on it.
     *
     * @param jobId its id, 32 hex digits
     * @param timeoutMs how long Flink lets a savepoint or checkpoint of it take, in ms
     */
    record Up(String jobId, long timeoutMs) implements FoundJob {}

    /**
     * There is none that such a snapshot can be taken of: what runs it is gone, suspended or too
     * old, or the job has ended.
     *
     * @param why in words
     */
    record None(String why) implements FoundJob {}
  }

  /** The end of one attempt to take a snapshot. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Outcome.Taken.class, name = "Taken"),
    @JsonSubTypes.Type(value = Outcome.Failed.class, name = "Failed"),
    @JsonSubTypes.Type(value = Outcome.Lost.class, name = "Lost")
  })
  sealed interface Outcome {

    /** In words, why there is no path. */
    String why();

    /**
     * Flink has completed it.
     *
     * @param path where it is; null for a checkpoint whose path Flink does not return
     * @param how one line: {@code savepoint in 0.4 s}
     */
    record Taken(@Nullable String path, String how) implements Outcome {
      @Override
      @JsonIgnore
      public String why() {
        return "its path is not known";
      }
    }

    /**
     * It was not taken.
     *
     * @param why in words
     * @param counts false where an operation stopped the job: the attempt is no failure
     */
    record Failed(String why, boolean counts) implements Outcome {}

    /**
     * Flink has forgotten the trigger, as after a restart of the JobManager: it may have been
     * completed. Counts as a failed attempt.
     *
     * @param why in words, with the directory in which files may be left
     */
    record Lost(String why) implements Outcome {}
  }

  /** What became of the files of a savepoint. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Disposal.Done.class, name = "Done"),
    @JsonSubTypes.Type(value = Disposal.Left.class, name = "Left")
  })
  sealed interface Disposal {

    /**
     * They are gone.
     *
     * @param how one line
     */
    record Done(String how) implements Disposal {}

    /**
     * Some or all of them stay: they are needed, or nothing can delete them.
     *
     * @param why in words
     */
    record Left(String why) implements Disposal {}
  }
}
