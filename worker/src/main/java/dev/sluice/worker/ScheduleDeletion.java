package dev.sluice.worker;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowClient;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleException;
import java.util.function.Consumer;

/** Deletes a schedule of Temporal by its id; one that is gone already is as good. */
final class ScheduleDeletion implements Consumer<String> {

  private final ScheduleClient schedules;

  /**
   * @param client of the namespace that has the schedule
   */
  ScheduleDeletion(WorkflowClient client) {
    this.schedules =
        ScheduleClient.newInstance(
            client.getWorkflowServiceStubs(),
            ScheduleClientOptions.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .build());
  }

  @Override
  public void accept(String id) {
    try {
      schedules.getHandle(id).delete();
    } catch (ScheduleException failed) {
      boolean gone =
          failed.getCause() instanceof StatusRuntimeException grpc
              && grpc.getStatus().getCode() == Status.Code.NOT_FOUND;
      if (!gone) {
        throw failed;
      }
    }
  }
}
