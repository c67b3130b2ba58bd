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
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Laptop.class)
class ServicesIT {
  private final Cluster cluster;

  ServicesIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @AfterEach
  void noFaults() throws Exception {
    cluster.node().faults().clear();
  }

  @Test
  void aServiceKeepsItsAddressWhileItsPodsComeAndGo() throws Exception {
    service("front", "front", false);
    String address = address("front");
    assertThatThrownBy(() -> get(address, "/")).isInstanceOf(ConnectException.class);

    answering("front-1", "front");
    awaitAnswer(address, "front-1");
    delete("front-1");
    cluster.awaitGone("front-1");
    assertThatThrownBy(() -> get(address, "/")).isInstanceOf(ConnectException.class);
    answering("front-2", "front");

    awaitAnswer(address, "front-2");
    assertThat(address("front")).isEqualTo(address);
  }

  @Test
  void processesResolveServicesByAllTheirNames() throws Exception {
    service("named", "named", false);
    service("headless", "named", true);
    answering("named-1", "named");
    String ip = cluster.pod("named-1").getStatus().getPodIP();
    String front = address("named");
    awaitAnswer(front, "named-1");
    cluster.awaiting("headless").until(() -> hosts("headless").isPresent());

    for (String name :
        new String[] {
          "named",
          "named." + cluster.namespace(),
          "named." + cluster.namespace() + ".svc",
          "named." + cluster.namespace() + ".svc.cluster.local"
        }) {
      assertThat(get(ip, "/resolve/" + name)).as(name).isEqualTo(front);
    }
    assertThat(get(ip, "/resolve/headless." + cluster.namespace())).isEqualTo(ip);
    assertThat(get(ip, "/resolve/localhost")).as("each pod is its own localhost").isEqualTo(ip);
    assertThat(get(ip, "/resolve/nobody")).isEqualTo("unknown");
  }

  @Test
  void aStalledServiceTakesRequestsAndAnswersThemOnlyWhenTheFaultIsOver() throws Exception {
    service("stalls", "stalls", false);
    answering("stalls-1", "stalls");
    String address = address("stalls");
    awaitAnswer(address, "stalls-1");

    cluster.node().faults().stall(cluster.namespace(), "stalls");
    assertThatThrownBy(() -> get(address, "/")).isInstanceOf(SocketTimeoutException.class);
    cluster.node().faults().clear();

    assertThat(get(address, "/")).isEqualTo("stalls-1");
  }

  @Test
  void aDroppedServiceRefusesConnectionsAndCutsOpenOnes() throws Exception {
    service("drops", "drops", false);
    answering("drops-1", "drops");
    String address = address("drops");
    awaitAnswer(address, "drops-1");
    try (var open = new java.net.Socket(address, 8081)) {
      cluster.node().faults().drop(cluster.namespace(), "drops");

      assertThatThrownBy(() -> get(address, "/")).isInstanceOf(ConnectException.class);
      assertThatThrownBy(() -> open.getInputStream().read()).hasMessageContaining("reset");
    }
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
                .withPort(8081)
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

  private void awaitAnswer(String address, String answer) {
    cluster
        .awaiting("answer of " + answer)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> get(address, "/").equals(answer));
  }

  private String address(String service) {
    return hosts(service).orElseThrow();
  }

  private Optional<String> hosts(String service) {
    try {
      String name = service + "." + cluster.namespace();
      return java.nio.file.Files.readAllLines(hostsFile()).stream()
          .filter(line -> (line + " ").contains(" " + name + " "))
          .map(line -> line.substring(0, line.indexOf(' ')))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Path hostsFile() {
    return new StateFolder(cluster.node().home()).hosts();
  }

  private static String get(String address, String path) throws IOException {
    int port = address.startsWith("127.22.6") ? 8081 : 8080;
    var connection =
        (HttpURLConnection)
            URI.create("http://" + address + ":" + port + path).toURL().openConnection();
    connection.setConnectTimeout(2000);
    connection.setReadTimeout(2000);
    connection.setRequestProperty("Connection", "close");
    try (var in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
