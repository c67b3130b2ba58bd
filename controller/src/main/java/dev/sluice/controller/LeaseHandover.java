package dev.sluice.controller;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import org.slf4j.LoggerFactory;

/**
 * Gives the Lease back at an orderly stop, so that the next controller need not wait until it
 * expires. JOSDK 5.2 leaves it held.
 */
final class LeaseHandover implements AutoCloseable {

  private static final String HOLDER = "/spec/holderIdentity";

  /** 422: it is held by another one. */
  private static final int TEST_FAILED = 422;

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
    var patch = JsonNodeFactory.instance.arrayNode();
    patch.addObject().put("op", "test").put("path", HOLDER).put("value", settings.identity());
    patch.addObject().put("op", "replace").put("path", HOLDER).put("value", "");
    try {
      Lease unused =
          client
              .leases()
              .inNamespace(settings.namespace())
              .withName(settings.name())
              .patch(PatchContext.of(PatchType.JSON), patch.toString());
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != TEST_FAILED
          && refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw refused;
      }
      LoggerFactory.getLogger(LeaseHandover.class).debug("The Lease is another one's", refused);
    }
  }
}
