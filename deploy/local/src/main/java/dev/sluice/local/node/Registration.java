package dev.sluice.local.node;

import dev.sluice.local.os.Resources;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * Tells the control plane that the node is there and lives. A Node that was deleted, or that is
 * held for lost, is made good by the next time.
 */
final class Registration {
  static final Duration EVERY = Duration.ofSeconds(10);

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final KubernetesClient client;
  private final String yaml;
  private final Clock clock;

  /**
   * @param kubeletPort where the API server asks for logs
   */
  Registration(KubernetesClient client, String name, int kubeletPort, Clock clock)
      throws IOException {
    this.client = client;
    this.clock = clock;
    String arch = System.getProperty("os.arch");
    this.yaml =
        Resources.text(Registration.class, "node.yaml")
            .replace("$NAME", name)
            .replace("$ARCH", arch.equals("aarch64") ? "arm64" : arch)
            .replace("$PORT", Integer.toString(kubeletPort))
            .replace("$STARTED", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  /** Makes the Node if it is missing, says that it is ready, and renews its Lease. */
  void renew() {
    String now = yaml.replace("$NOW", MICROS.format(clock.instant()));
    var objects = client.load(new ByteArrayInputStream(now.getBytes(StandardCharsets.UTF_8)));
    objects.forceConflicts().serverSideApply();
    for (HasMetadata object : objects.items()) {
      if (object instanceof Node node) {
        client
            .resource(node)
            .subresource("status")
            .patch(
                PatchContext.of(PatchType.STRATEGIC_MERGE),
                Serialization.asJson(Map.of("status", node.getStatus())));
      }
    }
  }
}
