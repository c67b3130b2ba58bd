package dev.sluice.controller.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.inplace.IngressManifest.Backend;
import dev.sluice.controller.support.UnreliableApiServer;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A webhook that does not work, or an API server that does not, must not keep the threads that
 * reconcile all resources.
 */
class UnavailableKubernetesTest {

  private final AtomicInteger requests = new AtomicInteger();
  private final FlinkDeployment resource = orders();
  private final ResourceRef ref = new KubernetesCluster("kubernetes-1").ref(resource);
  private final Ingress ingress =
      IngressManifest.of(ref, resource.getSpec().ingress(), Backend.rest("orders", 8081));
  private HttpServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    client = UnreliableApiServer.clientOf(server);
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @Test
  void anIngressIsTriedOncePerReconciliationAndAgainInFiveSeconds() {
    given_an_API_server_that_answers(500);

    isTriedOnce(() -> new IngressWriter(client).bring(ref, ingress, List.of()));
  }

  @Test
  void aServiceIsTriedOncePerReconciliationAndAgainInFiveSeconds() {
    given_an_API_server_that_answers(500);

    isTriedOnce(() -> change(new ServiceWriter(client)));
  }

  @Test
  void aScaleIsTriedOncePerReconciliationAndAgainInFiveSeconds() {
    given_an_API_server_that_answers(409);

    isTriedOnce(() -> new TaskManagerScale(client).bring(ref, taskManagers(), 2));
  }

  @Test
  @Tag("timing")
  void anAnswerThatDoesNotComeIsNotAwaitedForLong() {
    server.createContext("/", exchange -> requests.incrementAndGet());
    server.start();
    Instant begin = Instant.now();

    isTriedOnce(() -> new IngressWriter(client).bring(ref, ingress, List.of()));

    assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(9));
  }

  private void isTriedOnce(Supplier<InPlaceOutcome> reconciliation) {
    InPlaceOutcome outcome = reconciliation.get();

    assertThat(outcome.problem()).isNull();
    assertThat(outcome.events()).isEmpty();
    assertThat(outcome.review()).isEqualTo(Duration.ofSeconds(5));
    assertThat(requests).hasValue(1);
  }

  private void given_an_API_server_that_answers(int code) {
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          exchange.sendResponseHeaders(code, -1);
          exchange.close();
        });
    server.start();
  }

  private InPlaceOutcome change(ServiceWriter writer) {
    return writer.bring(
        ref,
        FlinkConfiguration.empty(),
        FlinkConfiguration.of(Map.of("kubernetes.rest-service.labels", "team:a")),
        List.of(service()));
  }

  private Deployment taskManagers() {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(ref.namespace())
        .withName(ref.name() + "-taskmanager")
        .withUid("0a1b2c3d-0000-4000-8000-00000000000f")
        .withResourceVersion("1")
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  private Service service() {
    return new ServiceBuilder()
        .withNewMetadata()
        .withNamespace(ref.namespace())
        .withName(ref.name() + "-rest")
        .withUid("0a1b2c3d-0000-4000-8000-00000000000e")
        .withLabels(ingress.getMetadata().getLabels())
        .withOwnerReferences(ingress.getMetadata().getOwnerReferences())
        .endMetadata()
        .build();
  }

  private static FlinkDeployment orders() {
    try {
      return new KubernetesSerialization()
          .unmarshal(
              Files.readString(Path.of("src/test/resources/ingress/host/in.yaml")),
              FlinkDeployment.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
