package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.node.Laptop.Cluster;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("node")
@ExtendWith(Laptop.class)
class ServicesIT {
  private static final int TIMEOUT_MS = 10_000;

  private final Cluster cluster;

  ServicesIT(Cluster cluster) {
    this.cluster = cluster;
  }

  /** A pod whose file of names the tests read. */
  @BeforeEach
  void reader() {
    if (cluster.pod("reader") == null) {
      cluster.create(cluster.bash("reader", "exec sleep 1000"));
    }
    cluster.awaitPhase("reader", "Running");
  }

  @Test
  void aServiceNameLeadsToItsPodsWhileTheyComeAndGo() throws Exception {
    service("front", "front", false);
    String nobody = address("front");
    assertThatThrownBy(() -> get(nobody, "/")).isInstanceOf(ConnectException.class);

    answering("front-1", "front");
    awaitAnswer("front", "front-1");
    delete("front-1");
    cluster.awaitGone("front-1");
    cluster.awaiting("nobody").until(() -> address("front").equals(nobody));
    answering("front-2", "front");

    awaitAnswer("front", "front-2");
  }

  @Test
  void processesResolveServicesByAllTheirNames() throws Exception {
    service("named", "named", false);
    service("headless", "named", true);
    answering("named-1", "named");
    String ip = cluster.pod("named-1").getStatus().getPodIP();
    awaitAnswer("named", "named-1");
    cluster.awaiting("headless").until(() -> hosts("headless").isPresent());

    for (String name :
        new String[] {
          "named",
          "named." + cluster.namespace(),
          "named." + cluster.namespace() + ".svc",
          "named." + cluster.namespace() + ".svc.cluster.local"
        }) {
      assertThat(get(ip, "/resolve/" + name)).as(name).isEqualTo(ip);
    }
    assertThat(get(ip, "/resolve/headless." + cluster.namespace())).isEqualTo(ip);
    assertThat(get(ip, "/resolve/localhost")).as("each pod is its own localhost").isEqualTo(ip);
    assertThat(get(ip, "/resolve/nobody")).isEqualTo("unknown");
  }

  private void service(String name, String app, boolean headless) {
    cluster
        .client()
        .services()
        .inNamespace(cluster.namespace())
        .resource(
            new ServiceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withClusterIP(headless ? "None" : null)
                .addToSelector("app", app)
                .addNewPort()
                .withPort(8080)
                .withTargetPort(new IntOrString("web"))
                .endPort()
                .endSpec()
                .build())
        .create();
    if (!headless) {
      cluster.awaiting("address of " + name).until(() -> hosts(name).isPresent());
    }
  }

  private void answering(String name, String app) {
    PodBuilder pod = cluster.bash(name, "");
    pod.editMetadata()
        .addToLabels("app", app)
        .endMetadata()
        .editSpec()
        .editContainer(0)
        .withImage("answers")
        .withArgs()
        .addNewPort()
        .withName("web")
        .withContainerPort(8080)
        .endPort()
        .withNewReadinessProbe()
        .withPeriodSeconds(1)
        .withTimeoutSeconds(5)
        .withNewTcpSocket()
        .withPort(new IntOrString("web"))
        .endTcpSocket()
        .endReadinessProbe()
        .endContainer()
        .endSpec();
    cluster.create(pod);
    cluster.awaitStatus(name, ContainerStatus::getReady);
  }

  private void delete(String pod) {
    cluster.client().pods().inNamespace(cluster.namespace()).withName(pod).delete();
  }

  private void awaitAnswer(String service, String answer) {
    cluster
        .awaiting("answer of " + answer)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> get(address(service), "/").equals(answer));
  }

  private String address(String service) {
    return hosts(service).orElseThrow();
  }

  private Optional<String> hosts(String service) {
    try {
      String name = service + "." + cluster.namespace();
      return Files.readAllLines(hostsFile()).stream()
          .filter(line -> (line + " ").contains(" " + name + " "))
          .map(line -> line.substring(0, line.indexOf(' ')))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Path hostsFile() {
    return ContainerFolder.container(cluster, "reader").dir().resolveSibling("pod.hosts");
  }

  private static String get(String address, String path) throws IOException {
    var connection =
        (HttpURLConnection)
            URI.create("http://" + address + ":8080" + path).toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    connection.setRequestProperty("Connection", "close");
    try (var in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
