package dev.sluice.e2e.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.e2e.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;

/** Namespaces in which Flink may run, with the account of Flink's pods as the chart makes it. */
public final class Namespaces {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private Namespaces() {}

  /** A new one. */
  public static String create(TestCluster cluster) {
    String name = "e2e-" + COUNT.incrementAndGet();
    try {
      String rendered =
          Files.readString(
              cluster.local().config().root().resolve("deploy/helm/rendered/laptop.yaml"));
      cluster
          .kubernetes()
          .namespaces()
          .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
          .create();
      String rights = rendered.replace("namespace: default\n", "namespace: " + name + "\n");
      cluster.kubernetes().load(new ByteArrayInputStream(rights.getBytes(UTF_8))).items().stream()
          .filter(it -> it.getMetadata().getName().equals("flink"))
          .forEach(it -> cluster.kubernetes().resource(it).create());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return name;
  }
}
