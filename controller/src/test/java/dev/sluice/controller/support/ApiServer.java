package dev.sluice.controller.support;

import dev.sluice.api.deployment.FlinkDeployment;
import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/** A real kube-apiserver with etcd and the committed definition of FlinkDeployment. */
public final class ApiServer implements AutoCloseable {

  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  private final KubeAPIServer server;
  private final KubernetesClient admin;

  private ApiServer(KubeAPIServer server) {
    this.server = server;
    this.admin = new KubernetesClientBuilder().withConfig(config()).build();
  }

  /** Starts one on 127.0.0.1; skips the test when its binaries are not in Sluice's cache. */
  public static ApiServer start() {
    Path folder = folder();
    Assumptions.assumeTrue(
        Files.isDirectory(folder.resolve("k8s")),
        "no kube-apiserver in " + folder + ": get it with ./sluice parts");
    KubeAPIServer server =
        new KubeAPIServer(
            KubeAPIServerConfigBuilder.anAPIServerConfig()
                .withTestDir(folder.toString())
                .withOfflineMode(true)
                .withUpdateKubeConfig(false)
                .withStartupTimeout(120_000)
                .withApiServerFlag("--bind-address", "127.0.0.1")
                .build());
    server.start();
    ApiServer started = new ApiServer(server);
    started.define();
    return started;
  }

  private static Path folder() {
    Map<String, String> env = System.getenv();
    if (env.containsKey("KUBE_API_TEST_DIR")) {
      return Path.of(env.get("KUBE_API_TEST_DIR"));
    }
    Path cache =
        env.containsKey("SLUICE_CACHE")
            ? Path.of(env.get("SLUICE_CACHE"))
            : Path.of(System.getProperty("user.home"), ".cache", "sluice");
    return cache.resolve("kubeapitest");
  }

  private void define() {
    Path definition = Path.of("..", "deploy", "crds", "flinkdeployments.flink.apache.org-v1.yml");
    try (InputStream yaml = Files.newInputStream(definition)) {
      var crd = admin.apiextensions().v1().customResourceDefinitions().load(yaml).item();
      admin.resource(crd).serverSideApply();
      admin
          .resource(crd)
          .waitUntilCondition(
              there ->
                  there != null
                      && there.getStatus() != null
                      && there.getStatus().getConditions().stream()
                          .anyMatch(
                              c ->
                                  c.getType().equals("Established")
                                      && c.getStatus().equals("True")),
              30,
              TimeUnit.SECONDS);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** How to reach it. */
  public Config config() {
    return Config.fromKubeconfig(server.getKubeConfigYaml());
  }

  /** A client that may do everything. */
  public KubernetesClient admin() {
    return admin;
  }

  /** A namespace of its own for a test. */
  public String namespace() {
    String name = "test-" + NAMESPACES.incrementAndGet();
    admin
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    // pods need one, and nobody makes it here
    admin
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(name)
                .withName("default")
                .endMetadata()
                .build())
        .create();
    return name;
  }

  /** The resource as it is now; null when there is none. */
  public FlinkDeployment get(String namespace, String name) {
    return admin.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get();
  }

  @Override
  public void close() {
    admin.close();
    server.stop();
  }
}
