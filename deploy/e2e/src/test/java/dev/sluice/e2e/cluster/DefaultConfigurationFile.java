package dev.sluice.e2e.cluster;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The default configuration of the operator, a ConfigMap. The laptop's node copies it when a pod
 * starts, so that this also does what a kubelet does later: brings a change into the pods.
 */
public final class DefaultConfigurationFile implements AutoCloseable {

  private static final String NAME = "sluice-default-configuration";
  private static final Path MOUNTED = Path.of("etc", "sluice", "config.yaml");
  private static final String KEY = "config.yaml";

  private final TestCluster cluster;
  private final String before;

  private DefaultConfigurationFile(TestCluster cluster) {
    this.cluster = cluster;
    this.before = read();
  }

  /** As it is now; what is added is taken away again when it is closed. */
  public static DefaultConfigurationFile of(TestCluster cluster) {
    return new DefaultConfigurationFile(cluster);
  }

  /** Adds a line, and waits until controller and worker use it. */
  public void add(String line) {
    List<Long> told = told();
    write(before + "\n" + line + "\n");
    await()
        .pollInterval(Duration.ofMillis(200))
        .until(() -> told().get(0) > told.get(0) && told().get(1) > told.get(1));
  }

  @Override
  public void close() {
    write(before);
  }

  private List<Long> told() {
    return Stream.of("controller", "worker").map(this::told).toList();
  }

  private long told(String component) {
    String pod = OperatorPod.of(cluster.kubernetes(), component).pod().getMetadata().getName();
    return cluster
        .kubectl()
        .run("logs", "-n", OperatorPod.NAMESPACE, pod)
        .lines()
        .filter(line -> line.contains("has changed and is used from now on"))
        .count();
  }

  private String read() {
    return cluster
        .kubernetes()
        .configMaps()
        .inNamespace(OperatorPod.NAMESPACE)
        .withName(NAME)
        .get()
        .getData()
        .get(KEY);
  }

  private void write(String text) {
    cluster
        .kubernetes()
        .configMaps()
        .inNamespace(OperatorPod.NAMESPACE)
        .withName(NAME)
        .edit(it -> new ConfigMapBuilder(it).addToData(KEY, text).build());
    try (Stream<Path> files =
        Files.find(
            cluster.home().resolve("node"),
            12,
            (file, attributes) -> attributes.isRegularFile() && file.endsWith(MOUNTED))) {
      for (Path mounted : files.toList()) {
        Files.writeString(mounted, text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
