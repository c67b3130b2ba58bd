package dev.sluice.activities.application;

import dev.sluice.activities.async.WaitReporter;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;

/** Writes what a step waits for into {@code status.operation.message} of a FlinkApplication. */
public final class ApplicationMessages implements WaitReporter {

  private final ApplicationStatusWriter writer;

  public ApplicationMessages(KubernetesClient client, Clock clock) {
    this.writer = new ApplicationStatusWriter(client, new FlinkApplicationStore(client), clock);
  }

  @Override
  public void report(ResourceRef ref, Waiting waiting, String text) {
    writer.message(ref, waiting, text);
  }
}
