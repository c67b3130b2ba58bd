package dev.sluice.local.node.register;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers the node, and renews its Lease so that the control plane knows that it lives. */
public final class Registration {
  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LEASES = "kube-node-lease";

  /** The kubelet's: the node is NotReady after 40 s, and is given a new one every 10 s. */
  private static final int LEASE_SECONDS = 40;

  private final KubernetesClient client;
  private final NodeObject node;
  private final Clock clock;
  private volatile boolean registered;

  public Registration(KubernetesClient client, NodeObject node, Clock clock) {
    this.client = client;
    this.node = node;
    this.clock = clock;
  }

  /** Whether the API server has the node, as far as is known. */
  public boolean registered() {
    return registered;
  }

  /** Makes the Node if it is missing and says that it is ready. */
  public void register() throws IOException {
    try {
      client.nodes().resource(node.node()).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
    }
    ObjectNode patch = JSON.createObjectNode();
    patch.set("status", JSON.readTree(Serialization.asJson(node.status(clock.instant()))));
    client
        .nodes()
        .withName(node.name())
        .subresource("status")
        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch.toString());
    renew();
    registered = true;
    LOG.info("Node {} is registered, logs on 127.0.0.1:{}", node.name(), node.kubeletPort());
  }

  /** Takes up a change of the Node: one that was deleted, or is held for lost, is made good. */
  public void changed(Node seen, boolean deleted) throws IOException {
    if (registered && (deleted || !NodeObject.isReady(seen))) {
      register();
    }
  }

  /** Renews the Lease. */
  public void renew() {
    ZonedDateTime now = clock.instant().atZone(ZoneOffset.UTC);
    Lease lease =
        new LeaseBuilder()
            .withNewMetadata()
            .withName(node.name())
            .withNamespace(LEASES)
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity(node.name())
            .withLeaseDurationSeconds(LEASE_SECONDS)
            .withRenewTime(now)
            .endSpec()
            .build();
    var leases = client.leases().inNamespace(LEASES);
    if (leases.withName(node.name()).get() == null) {
      leases.resource(lease).create();
    } else {
      leases
          .withName(node.name())
          .patch(PatchContext.of(PatchType.JSON_MERGE), Serialization.asJson(lease));
    }
  }
}
