package dev.sluice.activities.status;

import dev.sluice.activities.async.WaitReporter;
import dev.sluice.activities.async.WaitReporter.Waiting;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * Writes what a step waits for into {@code status.operation.message}. Only into the operation of
 * its own run, only while that is at work, and only onto the version that was looked at: a run that
 * has gone on in the meantime wins.
 */
public final class OperationMessages implements WaitReporter {

  private final ResourceStores stores;
  private final WorkflowStatusWriter writer;

  public OperationMessages(KubernetesClient client, ResourceStores stores) {
    this.stores = stores;
    this.writer = new WorkflowStatusWriter(client);
  }

  @Override
  public void report(ResourceRef ref, Waiting waiting, String text) {
    ResourceStore store = stores.of(ref);
    StoredResource resource = store.read(ref);
    OwnedStatus unused = writer.write(store.type(), ref, resource, now -> with(now, waiting, text));
  }

  /** The same when it is not that run's to say. */
  static OwnedStatus with(OwnedStatus now, Waiting waiting, String text) {
    OperationStatus operation = now.operation();
    return operation == null ? now : now.withOperation(WaitMessage.in(operation, waiting, text));
  }
}
