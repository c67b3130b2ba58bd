package dev.sluice.controller;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.jspecify.annotations.Nullable;

/**
 * Gives the Lease back at an orderly stop, so that the next controller need not wait until it
 * expires. JOSDK 5.2 leaves it held.
 */
final class LeaseHandover implements AutoCloseable {

  private final KubernetesClient client;
  private final ControllerSettings.Lease settings;

  /**
   * @param client must still be open at {@link #close}
   */
  LeaseHandover(KubernetesClient client, ControllerSettings.Lease settings) {
    this.client = client;
    this.settings = settings;
  }

  /** Leaves it alone when another one holds it. Call it when nothing renews it any more. */
  @Override
  public void close() {
    Lease lease = client.leases().inNamespace(settings.namespace()).withName(settings.name()).get();
    if (isOurs(lease)) {
      lease.getSpec().setHolderIdentity("");
      Lease unused = client.resource(lease).lockResourceVersion().update();
    }
  }

  private boolean isOurs(@Nullable Lease lease) {
    return lease != null && settings.identity().equals(lease.getSpec().getHolderIdentity());
  }
}
