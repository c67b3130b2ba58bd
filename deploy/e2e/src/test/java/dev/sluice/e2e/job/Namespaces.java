package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;

/** Namespaces in which Flink may run, as the operator's manifests say to make them. */
public final class Namespaces {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private Namespaces() {}

  /** A new one. */
  public static String create(TestCluster cluster) {
    String name = "e2e-" + COUNT.incrementAndGet();
    try {
      String rights =
          Files.readString(
              cluster.local().config().root().resolve("deploy/operator/22-flink-rights.yaml"));
      cluster
          .kubernetes()
          .namespaces()
          .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
          .create();
      cluster
          .kubernetes()
          .resourceList(rights.replace("namespace: default", "namespace: " + name))
          .create();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return name;
  }
}
