package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.WaitReporter;
import dev.sluice.activities.status.OperationMessages;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;

/**
 * Writes what a step waits for into {@code status.operation.message} of a FlinkBlueGreenDeployment;
 * what is of another kind goes on to who knows that.
 */
public final class BlueGreenMessages implements WaitReporter {

  private final BlueGreenStatusWriter writer;
  private final WaitReporter others;

  /**
   * @param others reports for resources of other kinds
   */
  public BlueGreenMessages(KubernetesClient client, Clock clock, WaitReporter others) {
    this.writer = new BlueGreenStatusWriter(client, new BlueGreenStore(client), clock);
    this.others = others;
  }

  @Override
  public void report(ResourceRef ref, Waiting waiting, String text) {
    if (!ref.kind().equals(FlinkBlueGreenDeployment.KIND)) {
      others.report(ref, waiting, text);
      return;
    }
    FlinkBlueGreenDeploymentStatus unused =
        writer.write(ref, parent -> with(BlueGreenStatus.owned(parent.getStatus()), waiting, text));
  }

  private static FlinkBlueGreenDeploymentStatus with(
      FlinkBlueGreenDeploymentStatus now, Waiting waiting, String text) {
    OperationStatus operation = now.operation();
    return operation == null
        ? now
        : now.withOperation(OperationMessages.with(operation, waiting, text));
  }
}
