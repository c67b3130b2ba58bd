package dev.sluice.local.node;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the local node until SIGTERM; the pods' processes run on after it. Its settings are
 * environment variables, see {@link NodeSettings#of}.
 *
 * <p>Exit codes: 143 after SIGTERM, 2 for a wrong setting, 3 when it cannot start (a port is taken,
 * so another node may run, or the folder cannot be written).
 */
public final class NodeMain {
  private NodeMain() {}

  public static void main(String[] args) throws InterruptedException {
    try {
      NodeSettings settings = NodeSettings.of(System.getenv());
      Config config = config(settings.kubeconfig());
      KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
      LocalNode node = new LocalNode(settings, client, Clock.systemUTC());
      Runtime.getRuntime().addShutdownHook(new Thread(node::close, "sigterm"));
      node.start();
    } catch (IllegalArgumentException e) {
      fail(2, e.getMessage());
    } catch (IOException | GeneralSecurityException e) {
      fail(3, "cannot start: " + e.getMessage());
    }
  }

  private static void fail(int exitCode, @Nullable String why) {
    System.err.println("sluice local node: " + why);
    System.exit(exitCode);
  }

  private static Config config(Path kubeconfig) {
    if (!Files.isRegularFile(kubeconfig)) {
      throw new IllegalArgumentException("KUBECONFIG is " + kubeconfig + ", which is not a file");
    }
    return new ConfigBuilder(Config.fromKubeconfig(kubeconfig.toFile()))
        .withRequestTimeout(10_000)
        // the node looks again by itself, and must not keep a thread meanwhile
        .withRequestRetryBackoffLimit(0)
        .build();
  }
}
