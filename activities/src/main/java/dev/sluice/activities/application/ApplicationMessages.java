package dev.sluice.activities.application;

import dev.sluice.activities.async.WaitReporter;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;

/**
 * Writes what a step waits for into {@code status.operation.message} of a FlinkApplication; what is
 * of another kind goes on to who knows that.
 */
public final class ApplicationMessages implements WaitReporter {

  private final ApplicationStatusWriter writer;
  private final WaitReporter others;

  /**
   * @param others reports for resources of other kinds
   */
  public ApplicationMessages(KubernetesClient client, Clock clock, WaitReporter others) {
    this.writer = new ApplicationStatusWriter(client, new FlinkApplicationStore(client), clock);
    this.others = others;
  }

  @Override
  public void report(ResourceRef ref, Waiting waiting, String text) {
    if (ref.kind().equals(FlinkApplication.KIND)) {
      writer.message(ref, waiting, text);
    } else {
      others.report(ref, waiting, text);
    }
  }
}
