package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.MoreExecutors;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.controller.support.UnreliableApiServer;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statuses and events that cannot be written must not keep the threads that reconcile. */
class UnavailableKubernetesTest {

  /** It closes the connection. */
  private static final int NO_ANSWER = 0;

  private final MovableClock clock = new MovableClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger answer = new AtomicInteger();
  private final List<Event> written = new CopyOnWriteArrayList<>();
  private final FlinkDeployment orders = resource("orders");
  private HttpServer server;
  private KubernetesClient client;
  private EventRecorder events;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    client = UnreliableApiServer.clientOf(server);
    events = new EventRecorder(client, clock, MoreExecutors.newDirectExecutorService());
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 503})
  void a_status_is_tried_once(int code) {
    given_an_API_server_that_answers(code);
    StatusWriter<FlinkDeployment, FlinkDeploymentStatus> statuses =
        new StatusWriter<>(client, FlinkDeployment.class);

    assertThatThrownBy(
            () -> statuses.apply(orders, FlinkDeploymentStatus.EMPTY.withObservedGeneration(1L)))
        .isInstanceOf(KubernetesClientException.class);

    assertThat(requests).hasValue(1);
  }

  /** As when the process ends while the event is on its way. */
  @Test
  void an_event_is_lost_with_the_client_and_nothing_else_is() {
    given_an_API_server_that_answers(503);
    client.close();

    assertThatCode(() -> events.record(orders, StatusEvent.normal("Submit", "Deploying.")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {NO_ANSWER, 429, 500, 503})
  void a_dated_event_is_tried_again_by_the_next_reconciliation_until_it_is_written(int code) {
    given_an_API_server_that_answers(code);
    StatusEvent begun =
        new StatusEvent(false, "SpecChanged", "Upgrading.", "run-1", clock.instant());

    events.record(orders, begun);
    events.record(orders, begun);
    answer.set(201);
    events.record(orders, begun);
    events.record(orders, begun);

    assertThat(requests).as("two of four tries each, and the one that is taken").hasValue(9);
    assertThat(written).hasSize(1);
  }

  @Test
  void an_event_that_is_refused_is_not_tried_again_by_each_reconciliation() {
    given_an_API_server_that_answers(403);
    StatusEvent begun =
        new StatusEvent(false, "SpecChanged", "Upgrading.", "run-1", clock.instant());

    for (int second = 0; second < 100; second++) {
      events.record(orders, begun);
    }

    assertThat(requests).hasValue(1);
  }

  private void given_an_API_server_that_answers(int code) {
    answer.set(code);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          byte[] body = exchange.getRequestBody().readAllBytes();
          int now = answer.get();
          boolean created = now == 201;
          if (created) {
            written.add(Serialization.unmarshal(new ByteArrayInputStream(body), Event.class));
          }
          if (now == NO_ANSWER) {
            exchange.close();
            return;
          }
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(now, created ? body.length : -1);
          if (created) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
  }

  private static FlinkDeployment resource(String name) {
    FlinkDeployment resource = new FlinkDeployment();
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName(name)
            .withUid("uid-" + name)
            .build());
    return resource;
  }
}
