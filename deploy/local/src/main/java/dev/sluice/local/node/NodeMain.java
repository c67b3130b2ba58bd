package dev.sluice.local.node;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Runs the local node until SIGTERM; the pods' processes run on after it. Its settings are
 * environment variables, see {@link NodeSettings#of}.
 *
 * <p>Exit codes: 143 after SIGTERM, 2 for a wrong setting, 3 when it cannot start (a port is taken,
 * the folder cannot be written), 4 when another node uses the folder.
 */
public final class NodeMain {
  private NodeMain() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws InterruptedException {
    try {
      NodeSettings settings = NodeSettings.of(System.getenv());
      start(settings, config(settings.kubeconfig()));
    } catch (IllegalArgumentException | IOException e) {
      fail(2, e.getMessage());
    }
  }

  private static void start(NodeSettings settings, Config config) throws InterruptedException {
    try {
      FileLock lock = lock(settings.state());
      if (lock == null) {
        fail(4, "another node uses " + settings.state().root() + "; end it first");
        return;
      }
      KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
      NodeProcess node = new NodeProcess(settings, client, Clock.systemUTC());
      Runnable end =
          () -> {
            node.close();
            Reference.reachabilityFence(lock); // with no reference to it, it would be given back
          };
      Runtime.getRuntime().addShutdownHook(new Thread(end, "sigterm"));
      node.start();
    } catch (IOException | GeneralSecurityException e) {
      fail(3, "cannot start: " + e.getMessage());
    }
  }

  private static void fail(int exitCode, @Nullable String why) {
    System.err.println("sluice local node: " + why);
    System.exit(exitCode);
  }

  private static Config config(Path kubeconfig) throws IOException {
    if (!Files.isRegularFile(kubeconfig)) {
      throw new IOException("KUBECONFIG is " + kubeconfig + ", which is not a file");
    }
    return new ConfigBuilder(Config.fromKubeconfig(kubeconfig.toFile()))
        .withRequestTimeout(10_000)
        // the node looks again by itself, and must not keep a thread meanwhile
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  @SuppressWarnings("resource") // held as long as the process lives
  private static @Nullable FileLock lock(StateFolder state) throws IOException {
    Files.createDirectories(state.root());
    FileChannel channel =
        FileChannel.open(state.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    return channel.tryLock();
  }
}
