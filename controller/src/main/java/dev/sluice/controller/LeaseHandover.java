package dev.sluice.controller;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * Gives the Lease back at an orderly stop, so that the next controller need not wait until it
 * expires. JOSDK 5.2 leaves it held.
 */
final class LeaseHandover implements AutoCloseable {

  private static final int ATTEMPTS = 3;

  private final KubernetesClient client;
  private final ControllerSettings.Lease settings;

  /**
   * @param client must still be open at {@link #close}
   */
  LeaseHandover(KubernetesClient client, ControllerSettings.Lease settings) {
    this.client = client;
    this.settings = settings;
  }

  /**
   * Leaves it alone when another one holds it. Call it when nothing renews it any more; a renewal
   * that was sent before may still come first.
   */
  @Override
  public void close() {
    giveBack(ATTEMPTS);
  }

  private void giveBack(int attempts) {
    Lease lease = client.leases().inNamespace(settings.namespace()).withName(settings.name()).get();
    if (!isOurs(lease)) {
      return;
    }
    lease.getSpec().setHolderIdentity("");
    try {
      Lease unused = client.resource(lease).lockResourceVersion().update();
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT || attempts == 1) {
        throw refused;
      }
      giveBack(attempts - 1);
    }
  }

  private boolean isOurs(@Nullable Lease lease) {
    return lease != null && settings.identity().equals(lease.getSpec().getHolderIdentity());
  }
}
