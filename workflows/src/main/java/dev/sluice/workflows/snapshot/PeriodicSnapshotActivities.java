package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.SnapshotType;
import dev.sluice.workflows.activity.ResourceRequest;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/** What a schedule's run asks for. */
@ActivityInterface
public interface PeriodicSnapshotActivities {

  /**
   * Makes the FlinkStateSnapshot that is due, or asks for it in the status where resources are
   * switched off, unless it is there. It is skipped while an operation is at work, the job is
   * suspended or not up, or the one before is still being taken. Deletes the schedule when the spec
   * no longer has an interval, or the resource is gone.
   *
   * @return in words: what was made, or why not
   */
  @ActivityMethod(name = "CreateSnapshot")
  String create(CreateRequest request);

  /**
   * @param resource that runs the job
   * @param type what to take
   * @param dueMs when it is due, ms since the epoch
   * @param schedule id of the schedule that asks for it; null when somebody else does
   */
  record CreateRequest(
      ResourceRef resource, SnapshotType type, long dueMs, @Nullable String schedule)
      implements ResourceRequest {}
}
