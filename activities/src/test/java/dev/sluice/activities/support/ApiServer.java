package dev.sluice.activities.support;

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
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A real kube-apiserver with etcd and the committed definition of FlinkDeployment, one for all test
 * classes that ask for it. Nothing else runs in it: no garbage collection, no pods of Deployments.
 */
public final class ApiServer implements AutoCloseable {

  private final KubeAPIServer server;
  private final KubernetesClient client;
  private final AtomicInteger namespaces = new AtomicInteger();

  private ApiServer() {
    Path folder = folder();
    Assumptions.assumeTrue(
        Files.isDirectory(folder.resolve("k8s")),
        "no kube-apiserver in " + folder + ": get it with ./sluice parts");
    server =
        new KubeAPIServer(
            KubeAPIServerConfigBuilder.anAPIServerConfig()
                .withTestDir(folder.toString())
                .withOfflineMode(true)
                .withUpdateKubeConfig(false)
                .withStartupTimeout(120_000)
                .withApiServerFlag("--bind-address", "127.0.0.1")
                .build());
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(server.getKubeConfigYaml()))
            .build();
    define();
  }

  private static Path folder() {
    Map<String, String> env = System.getenv();
    if (env.containsKey("KUBE_API_TEST_DIR")) {
      return Path.of(env.get("KUBE_API_TEST_DIR"));
    }
    Path home = Path.of(System.getProperty("user.home"), ".cache");
    Path caches = Path.of(env.getOrDefault("XDG_CACHE_HOME", home.toString()));
    return Path.of(env.getOrDefault("SLUICE_CACHE", caches.resolve("sluice").toString()))
        .resolve("kubeapitest");
  }

  private void define() {
    Path definition = Path.of("..", "deploy", "crds", "flinkdeployments.flink.apache.org-v1.yml");
    try (InputStream yaml = Files.newInputStream(definition)) {
      var crd = client.apiextensions().v1().customResourceDefinitions().load(yaml).item();
      client.resource(crd).serverSideApply();
      client
          .resource(crd)
          .waitUntilCondition(
              there ->
                  there != null
                      && there.getStatus() != null
                      && there.getStatus().getConditions().stream()
                          .anyMatch(c -> c.getType().equals("Established")),
              30,
              TimeUnit.SECONDS);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** A client that may do everything. */
  public KubernetesClient client() {
    return client;
  }

  /** A namespace of its own for a test. */
  public String namespace() {
    String name = "test-" + namespaces.incrementAndGet();
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    // pods need one, and nobody makes it here
    client
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

  /** A FlinkDeployment named {@code orders}, just created. */
  public FlinkDeployment orders(String namespace) {
    return client.resource(Deployed.orders(namespace)).create();
  }

  @Override
  public void close() {
    client.close();
    server.stop();
  }

  /** Hands the one server to every test method that has a parameter for it. */
  public static final class Extension implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == ApiServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.create(ApiServer.class))
          .computeIfAbsent(ApiServer.class, key -> new ApiServer(), ApiServer.class);
    }
  }
}
