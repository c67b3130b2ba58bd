package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.WaitReporter;
import dev.sluice.activities.status.WaitMessage;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;

/**
 * Writes what a step waits for into {@code status.operation.message} of a FlinkBlueGreenDeployment.
 */
public final class BlueGreenMessages implements WaitReporter {

  private final BlueGreenStatusWriter writer;

  public BlueGreenMessages(KubernetesClient client, Clock clock) {
    this.writer = new BlueGreenStatusWriter(client, new BlueGreenStore(client), clock);
  }

  @Override
  public void report(ResourceRef ref, Waiting waiting, String text) {
    FlinkBlueGreenDeploymentStatus unused =
        writer.write(ref, parent -> with(BlueGreenStatus.owned(parent.getStatus()), waiting, text));
  }

  private static FlinkBlueGreenDeploymentStatus with(
      FlinkBlueGreenDeploymentStatus now, Waiting waiting, String text) {
    OperationStatus operation = now.operation();
    return operation == null ? now : now.withOperation(WaitMessage.in(operation, waiting, text));
  }
}
