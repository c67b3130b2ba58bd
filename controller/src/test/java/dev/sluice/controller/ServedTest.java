package dev.sluice.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.bootstrap.Settings;
import dev.sluice.controller.ControllerMain.Served;
import dev.sluice.controller.support.UnreliableApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which kinds the controller serves, by the definitions that the API server has. */
class ServedTest {

  private static final String EMPTY_LIST =
      "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{},\"items\":[]}";

  private HttpServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    client = UnreliableApiServer.clientOf(server);
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @Test
  void allKindsAreServedButFlinkApplications() {
    given_an_API_server_without("none");

    assertThat(served(Map.of())).isEqualTo(new Served(true, true, true, false));
  }

  @Test
  void flinkApplicationsAreServedWhereTheSettingSaysSo() {
    given_an_API_server_without("none");

    assertThat(served(Map.of("SLUICE_FLINK_APPLICATIONS", "true")))
        .isEqualTo(new Served(true, true, true, true));
  }

  @Test
  void blueGreenIsNotServedWithoutFlinkSessionJobs() {
    given_an_API_server_without("flinksessionjobs");

    assertThat(served(Map.of())).isEqualTo(new Served(true, false, false, false));
  }

  @Test
  void flinkSessionJobsAreServedWithoutBlueGreen() {
    given_an_API_server_without("flinkbluegreendeployments");

    assertThat(served(Map.of())).isEqualTo(new Served(true, true, false, false));
  }

  private Served served(Map<String, String> settings) {
    return Served.of(client, ControllerSettings.from(new Settings(settings)));
  }

  private void given_an_API_server_without(String plural) {
    server.createContext(
        "/", exchange -> answer(exchange, exchange.getRequestURI().getPath().endsWith(plural)));
    server.start();
  }

  private static void answer(HttpExchange exchange, boolean missing) throws IOException {
    byte[] body = EMPTY_LIST.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      if (missing) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }
}
