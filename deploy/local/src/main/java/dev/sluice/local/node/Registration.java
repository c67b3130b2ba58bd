package dev.sluice.local.node;

import dev.sluice.local.node.pod.PodStatuses;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers the node, and renews its Lease so that the control plane knows that it lives. */
final class Registration {
  private static final Logger LOG = LoggerFactory.getLogger(Registration.class);
  private static final String LEASES = "kube-node-lease";

  /** The kubelet's: the node is NotReady after 40 s. */
  private static final int LEASE_SECONDS = 40;

  private final KubernetesClient client;
  private final String name;
  private final int kubeletPort;
  private final Clock clock;
  private volatile boolean registered;

  /**
   * @param kubeletPort where the API server asks for logs
   */
  Registration(KubernetesClient client, String name, int kubeletPort, Clock clock) {
    this.client = client;
    this.name = name;
    this.kubeletPort = kubeletPort;
    this.clock = clock;
  }

  /** Whether the API server has the node, as far as is known. */
  boolean registered() {
    return registered;
  }

  /** Makes the Node if it is missing and says that it is ready. */
  void register() throws IOException {
    Node node = node();
    try {
      client.nodes().resource(node).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
    }
    client
        .nodes()
        .withName(name)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.STRATEGIC_MERGE),
            Serialization.asJson(Map.of("status", node.getStatus())));
    renew();
    registered = true;
    LOG.info("Node {} is registered, logs on 127.0.0.1:{}", name, kubeletPort);
  }

  /** Takes up a change of the Node: one that was deleted, or is held for lost, is made good. */
  void changed(Node seen, boolean deleted) {
    boolean ready =
        seen.getStatus() != null
            && seen.getStatus().getConditions() != null
            && seen.getStatus().getConditions().stream()
                .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    try {
      if (registered && (deleted || !ready)) {
        register();
      }
    } catch (IOException | KubernetesClientException e) {
      LOG.warn("The node could not be registered again: {}", e.getMessage());
    }
  }

  /** Renews the Lease. */
  void renew() {
    client
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(LEASES)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(name)
                .withLeaseDurationSeconds(LEASE_SECONDS)
                .withRenewTime(clock.instant().atZone(ZoneOffset.UTC))
                .endSpec()
                .build())
        .forceConflicts()
        .serverSideApply();
  }

  private Node node() throws IOException {
    String arch = System.getProperty("os.arch");
    try (InputStream yaml = Registration.class.getResourceAsStream("node.yaml")) {
      if (yaml == null) {
        throw new IOException("node.yaml is missing from the jar");
      }
      String text =
          new String(yaml.readAllBytes(), StandardCharsets.UTF_8)
              .replace("$NAME", name)
              .replace("$ARCH", arch.equals("aarch64") ? "arm64" : arch)
              .replace("$PORT", Integer.toString(kubeletPort))
              .replace("$CPUS", Integer.toString(Runtime.getRuntime().availableProcessors()))
              .replace("$MEMORY", memory())
              .replace("$NOW", PodStatuses.text(clock.instant()))
              .replace("$KERNEL", System.getProperty("os.version"));
      return Serialization.unmarshal(text, Node.class);
    }
  }

  private static String memory() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
      return lines
          .filter(line -> line.startsWith("MemTotal:"))
          .map(line -> line.replaceAll("\\D", "") + "Ki")
          .findFirst()
          .orElse("0");
    }
  }
}
