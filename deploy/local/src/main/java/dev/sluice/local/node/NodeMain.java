package dev.sluice.local.node;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
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
  public static void main(String[] args) throws Exception {
    NodeSettings settings;
    Config config;
    try {
      settings = NodeSettings.of(System.getenv());
      config = config(settings.kubeconfig());
    } catch (IllegalArgumentException | IOException e) {
      System.err.println("sluice local node: " + e.getMessage());
      System.exit(2);
      return;
    }
    FileLock lock = lock(settings.state());
    if (lock == null) {
      System.err.println(
          "sluice local node: another node uses " + settings.state().root() + "; end it first");
      System.exit(4);
    }
    System.exit(run(settings, config));
  }

  private static int run(NodeSettings settings, Config config) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        NodeProcess node = new NodeProcess(settings, client, Clock.systemUTC())) {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    end.countDown();
                    await(ended);
                  },
                  "sigterm"));
      node.start();
      end.await();
      return 0;
    } catch (IOException | GeneralSecurityException e) {
      System.err.println("sluice local node: cannot start: " + e.getMessage());
      ended.countDown();
      return 3;
    } finally {
      ended.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
