package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.deployment.DeploymentProjection;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
  private final LaterTasks tasks = new LaterTasks();
  private HttpServer server;
  private KubernetesClient client;
  private EventRecorder events;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    client = UnreliableApiServer.clientOf(server);
    events = tasks.recorder(client, clock);
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
    DeploymentProjection fields = new DeploymentProjection(clock);
    StatusWriter<FlinkDeployment, FlinkDeploymentStatus> statuses =
        new StatusWriter<>(client, FlinkDeployment.class, fields, clock, Duration.ofSeconds(10));

    assertThatThrownBy(
            () -> statuses.apply(orders, FlinkDeploymentStatus.EMPTY.withObservedGeneration(1L)))
        .isInstanceOf(KubernetesClientException.class);

    assertThat(requests).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {NO_ANSWER, 429, 500, 503})
  void an_event_is_tried_three_times_and_given_up(int code) {
    given_an_API_server_that_answers(code);

    events.record(orders, StatusEvent.normal("Submit", "Deploying."));
    for (int second = 0; second < 100; second++) {
      forward(Duration.ofSeconds(1));
    }

    assertThat(requests).hasValue(3);
    assertThat(tasks.pauses(clock.instant())).isEmpty();
  }

  @Test
  void an_event_that_is_refused_is_not_tried_again_by_each_reconciliation() {
    given_an_API_server_that_answers(403);
    StatusEvent begun = StatusEvent.dated("SpecChanged", "Upgrading.", "run-1", clock.instant());

    for (int second = 0; second < 100; second++) {
      events.record(orders, begun);
      forward(Duration.ofSeconds(1));
    }

    assertThat(requests).hasValue(1);
  }

  @Test
  void an_event_that_is_written_later_has_the_times_at_which_it_was_recorded() {
    given_an_API_server_that_answers(503);
    events.record(orders, StatusEvent.normal("Submit", "Deploying."));
    clock.forward(Duration.ofSeconds(7));
    events.record(orders, StatusEvent.normal("Submit", "Deploying."));
    answer.set(201);

    forward(Duration.ofSeconds(3));

    assertThat(written)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.getCount()).isEqualTo(2);
              assertThat(it.getFirstTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
              assertThat(it.getLastTimestamp()).isEqualTo("2026-01-01T00:00:07Z");
            });
  }

  /** Also while Kubernetes does not answer at all. */
  @Test
  void who_records_an_event_waits_for_nothing() {
    List<Runnable> later = new ArrayList<>();
    EventRecorder recorder =
        new EventRecorder(client, clock, (task, after) -> later.add(task), () -> {});
    given_an_API_server_that_answers(503);

    recorder.record(orders, StatusEvent.normal("Submit", "Deploying."));
    recorder.record(orders, StatusEvent.normal("Submit", "Deploying."));

    assertThat(later).hasSize(1);
    assertThat(requests).hasValue(0);
  }

  private void forward(Duration by) {
    clock.forward(by);
    tasks.run(clock.instant());
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
