package dev.sluice.controller.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.bootstrap.Settings;
import dev.sluice.controller.ControllerSettings;
import dev.sluice.controller.Controllers;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.operation.OperationClient;
import dev.sluice.controller.operation.TemporalCalls;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * The whole controller, wired as its process wires it, with the rights that the chart gives in one
 * namespace, but impatient.
 */
public final class ControllerUnderTest implements AutoCloseable {

  private static final String ACCOUNT = "system:serviceaccount:sluice-system:sluice-controller";
  private static final Path RIGHTS = Path.of("../deploy/helm/rendered/namespaces.yaml");

  private final Queue<String> writes = new ConcurrentLinkedQueue<>();
  private final KubernetesClient client;
  private final Controllers controllers;
  private final Operator operator;
  private final AtomicReference<DefaultConfiguration> defaults =
      new AtomicReference<>(DefaultConfiguration.NONE);

  private ControllerUnderTest(
      Config config, String watched, String which, TemporalUnderTest temporal, FakeFlink flink) {
    client =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientBuilderConsumer(
                http -> http.addOrReplaceInterceptor("writes", new Writes()))
            .build();
    ControllerSettings settings =
        ControllerSettings.from(
            new Settings(
                Map.of(
                    watched,
                    which,
                    "SLUICE_LEADER_ELECTION",
                    "false",
                    "SLUICE_POLL_INTERVAL",
                    "100ms",
                    "SLUICE_RESYNC",
                    "1s",
                    "SLUICE_TEMPORAL_RETRY",
                    "300ms",
                    "SLUICE_FLINK_APPLICATIONS",
                    "true")));
    KubernetesCluster cluster = KubernetesCluster.of(client);
    TemporalCalls calls = new TemporalCalls("test:7233", 4);
    controllers =
        new Controllers(
            client,
            flink.client(),
            new OperationClient(temporal.client(), cluster.taskQueue(null), calls),
            cluster,
            settings,
            defaults::get);
    operator = controllers.operator(Metrics.NOOP, () -> {});
  }

  /** Starts one for this namespace. */
  public static ControllerUnderTest start(
      ApiServer api, String namespace, TemporalUnderTest temporal, FakeFlink flink) {
    Config rights =
        new ConfigBuilder(api.config()).withImpersonateUsername(account(api, namespace)).build();
    ControllerUnderTest controller =
        new ControllerUnderTest(rights, "SLUICE_WATCH_NAMESPACES", namespace, temporal, flink);
    controller.operator.start();
    return controller;
  }

  /** Starts one for the namespaces with these labels, which may do everything. */
  public static ControllerUnderTest startByLabels(
      ApiServer api, String selector, TemporalUnderTest temporal, FakeFlink flink) {
    ControllerUnderTest controller =
        new ControllerUnderTest(
            api.config(), "SLUICE_WATCH_NAMESPACE_SELECTOR", selector, temporal, flink);
    controller.operator.start();
    return controller;
  }

  /** With the rights in these namespaces, separated by commas, and in no other one. */
  private static String account(ApiServer api, String namespaces) {
    KubernetesClient admin = api.client();
    ObjectMeta system = new ObjectMetaBuilder().withName("sluice-system").build();
    admin.resource(new NamespaceBuilder().withMetadata(system).build()).serverSideApply();
    for (String namespace : namespaces.split(", *", -1)) {
      rights(admin, namespace).forEach(it -> admin.resource(it).serverSideApply());
      api.awaitRights(ACCOUNT, namespace);
    }
    return ACCOUNT;
  }

  private static Stream<HasMetadata> rights(KubernetesClient admin, String namespace) {
    try {
      String rights =
          Files.readString(RIGHTS)
              .replace("namespace: streams\n", "namespace: " + namespace + "\n");
      return admin.load(new ByteArrayInputStream(rights.getBytes(UTF_8))).items().stream()
          .filter(it -> it instanceof Role || it instanceof RoleBinding)
          .filter(it -> it.getMetadata().getName().contains("sluice-controller"))
          .filter(it -> !it.getMetadata().getNamespace().equals("streams-test"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The file with default configuration changes. */
  public void useDefaults(String yaml) {
    defaults.set(DefaultConfiguration.parse(yaml));
    controllers.defaultsChanged();
  }

  /** Whether it knows that this namespace has the labels. */
  public boolean watches(String namespace) {
    return controllers.watches(namespace);
  }

  /** Everything it wrote to Kubernetes: {@code PATCH flinkdeployments/orders/status}. */
  public List<String> writes() {
    return List.copyOf(writes);
  }

  /** Forgets what was written. */
  public void forgetWrites() {
    writes.clear();
  }

  @Override
  public void close() {
    operator.stop();
    controllers.close();
    client.close();
  }

  private final class Writes implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      if (!request.method().equals("GET")) {
        String path = request.uri().getPath();
        writes.add(request.method() + " " + path.replaceFirst(".*/namespaces/[^/]+/", ""));
      }
    }
  }
}
