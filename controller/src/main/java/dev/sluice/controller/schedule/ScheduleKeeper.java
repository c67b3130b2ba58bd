package dev.sluice.controller.schedule;

import dev.sluice.controller.operation.TemporalCalls;
import dev.sluice.controller.schedule.ScheduleCalls.Recurrence;
import dev.sluice.workflows.operation.OperationAttributes;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleDescription;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.client.schedules.ScheduleOptions;
import io.temporal.client.schedules.SchedulePolicy;
import io.temporal.client.schedules.ScheduleState;
import io.temporal.client.schedules.ScheduleUpdate;
import io.temporal.common.converter.DataConverterException;
import io.temporal.common.converter.EncodedValues;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Keeps schedules in Temporal. */
public final class ScheduleKeeper implements ScheduleCalls {

  /** What was due while Temporal was down is made up for when it was down for no longer than so. */
  static final Duration CATCH_UP = Duration.ofMinutes(1);

  /** In the memo of what is started: the interval as the spec says it. */
  private static final String INTERVAL = "interval";

  private final ScheduleClient client;
  private final String taskQueue;
  private final TemporalCalls calls;

  /**
   * @param taskQueue that the workers poll
   * @param calls stay the caller's to close
   */
  public ScheduleKeeper(WorkflowClient client, String taskQueue, TemporalCalls calls) {
    this.client =
        ScheduleClient.newInstance(
            client.getWorkflowServiceStubs(),
            ScheduleClientOptions.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setDataConverter(client.getOptions().getDataConverter())
                .setIdentity(client.getOptions().getIdentity())
                .build());
    this.taskQueue = taskQueue;
    this.calls = calls;
  }

  @Override
  public void keep(Recurrence wanted) {
    Optional<ScheduleDescription> there = found(() -> client.getHandle(wanted.id()).describe());
    if (there.isEmpty()) {
      var unused =
          calls.within(
              () ->
                  client.createSchedule(
                      wanted.id(),
                      schedule(
                          wanted, ScheduleState.newBuilder().setNote(wanted.summary()).build()),
                      ScheduleOptions.newBuilder().build()));
    } else if (!isSame(there.get().getSchedule(), wanted)) {
      boolean unused =
          calls.within(
              () -> {
                client
                    .getHandle(wanted.id())
                    .update(
                        input ->
                            new ScheduleUpdate(
                                schedule(wanted, input.getDescription().getSchedule().getState())));
                return true;
              });
    }
  }

  @Override
  public void end(String id) {
    Optional<Boolean> unused =
        found(
            () -> {
              client.getHandle(id).delete();
              return true;
            });
  }

  /**
   * Temporal writes specs in its own way, so they cannot be compared: the memo of what is started
   * says which it is. The note is left to people, who give the reason of a pause there.
   */
  private boolean isSame(Schedule there, Recurrence wanted) {
    return there.getAction() instanceof ScheduleActionStartWorkflow start
        && taskQueue.equals(start.getOptions().getTaskQueue())
        && wanted.interval().text().equals(interval(start.getOptions().getMemo()));
  }

  /** Null when it says none that can be read. */
  private static @Nullable String interval(@Nullable Map<String, Object> memo) {
    Object there = memo == null ? null : memo.get(INTERVAL);
    try {
      return there instanceof EncodedValues encoded ? encoded.get(String.class) : null;
    } catch (DataConverterException unreadable) {
      return null; // written by somebody else
    }
  }

  private Schedule schedule(Recurrence wanted, ScheduleState state) {
    return Schedule.newBuilder()
        .setSpec(ScheduleTimes.of(wanted.interval(), wanted.id()))
        .setAction(
            ScheduleActionStartWorkflow.newBuilder()
                .setWorkflowType(wanted.workflowType())
                .setArguments(wanted.input())
                .setOptions(
                    WorkflowOptions.newBuilder()
                        .setWorkflowId(wanted.id())
                        .setTaskQueue(taskQueue)
                        .setTypedSearchAttributes(
                            OperationAttributes.of(wanted.resource(), wanted.workflowType()))
                        .setMemo(Map.of(INTERVAL, wanted.interval().text()))
                        .build())
                .build())
        .setPolicy(
            SchedulePolicy.newBuilder()
                .setOverlap(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP)
                .setCatchupWindow(CATCH_UP)
                .build())
        .setState(state)
        .build();
  }

  /** Empty when there is no such schedule. */
  private <T> Optional<T> found(Callable<T> call) {
    return calls.within(
        () -> {
          try {
            return Optional.of(call.call());
          } catch (ScheduleException failed) {
            if (failed.getCause() instanceof StatusRuntimeException grpc
                && grpc.getStatus().getCode() == Status.Code.NOT_FOUND) {
              return Optional.empty();
            }
            throw failed;
          }
        });
  }
}
