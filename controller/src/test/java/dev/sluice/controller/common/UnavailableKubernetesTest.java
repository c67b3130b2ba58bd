package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.deployment.DeploymentStatusFields;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
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
  private volatile String unavailableNamespace = "none";
  private volatile String unavailableReason = "none";
  private HttpServer server;
  private KubernetesClient client;
  private EventWriter events;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    client = UnreliableApiServer.clientOf(server);
    events = new EventWriter(client, clock);
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
    DeploymentStatusFields fields = new DeploymentStatusFields(clock);
    StatusWriter<FlinkDeployment, FlinkDeploymentStatus> statuses =
        new StatusWriter<>(
            client,
            FlinkDeployment.class,
            fields,
            new StatusThrottle<>(fields, clock, Duration.ofSeconds(10)));

    assertThatThrownBy(
            () -> statuses.apply(orders, FlinkDeploymentStatus.EMPTY.withObservedGeneration(1L)))
        .isInstanceOf(KubernetesClientException.class);

    assertThat(requests).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {NO_ANSWER, 429, 500, 503})
  void an_event_is_tried_once_and_none_of_any_resource_for_half_a_minute(int code) {
    given_an_API_server_that_answers(code);

    events.write(orders, StatusEvent.normal("Submit", "Deploying."));
    events.write(resource("payments"), StatusEvent.normal("Submit", "Deploying."));
    clock.forward(Duration.ofSeconds(29));
    events.write(orders, StatusEvent.normal("Submit", "Deploying again."));
    assertThat(requests).hasValue(1);

    clock.forward(Duration.ofSeconds(1));
    events.write(orders, StatusEvent.normal("Submit", "Deploying again."));
    assertThat(requests).hasValue(2);
  }

  @Test
  void an_event_that_is_refused_holds_no_other_one() {
    given_an_API_server_that_answers(403);

    events.write(orders, StatusEvent.normal("Submit", "Deploying."));
    events.write(resource("payments"), StatusEvent.normal("Submit", "Deploying."));

    assertThat(requests).hasValue(2);
    assertThat(events.writeRest(orders)).isEmpty();
  }

  /** Most events are told once, by what has changed in the status. */
  @ParameterizedTest
  @ValueSource(ints = {NO_ANSWER, 503})
  void what_could_not_be_written_of_any_resource_is_written_after_the_pause(int code) {
    FlinkDeployment payments = resource("payments");
    given_an_API_server_that_answers(code);
    events.write(orders, StatusEvent.normal("Submit", "Deploying orders."));
    events.write(payments, StatusEvent.normal("Submit", "Deploying payments."));
    events.write(payments, StatusEvent.warning("Parked", "No savepoint."));

    assertThat(events.writeRest(orders)).contains(Duration.ofSeconds(30));
    assertThat(events.writeRest(payments)).contains(Duration.ofSeconds(30));
    clock.forward(Duration.ofSeconds(30));
    answer.set(201);

    assertThat(events.writeRest(orders)).isEmpty();
    assertThat(events.writeRest(payments)).isEmpty();
    assertThat(written)
        .extracting(Event::getMessage)
        .containsExactly("Deploying orders.", "Deploying payments.", "No savepoint.");

    // and when
    events.writeRest(orders);
    events.writeRest(payments);

    assertThat(written).hasSize(3);
  }

  @Test
  void while_Kubernetes_stays_away_one_event_of_all_resources_finds_out() {
    FlinkDeployment payments = resource("payments");
    given_an_API_server_that_answers(503);
    events.write(orders, StatusEvent.normal("Submit", "Deploying orders."));
    events.write(payments, StatusEvent.normal("Submit", "Deploying payments."));
    clock.forward(Duration.ofSeconds(30));

    assertThat(events.writeRest(orders)).contains(Duration.ofSeconds(30));
    assertThat(events.writeRest(payments)).contains(Duration.ofSeconds(30));

    assertThat(requests).hasValue(2);
  }

  @Test
  void the_newest_of_a_resource_are_kept_and_no_more() {
    given_an_API_server_that_answers(503);
    IntStream.rangeClosed(1, 50)
        .forEach(i -> events.write(orders, StatusEvent.normal("Submit", "Deploying " + i + ".")));
    clock.forward(Duration.ofSeconds(30));
    answer.set(201);

    events.writeRest(orders);

    assertThat(written)
        .hasSize(20)
        .last()
        .satisfies(it -> assertThat(it.getMessage()).isEqualTo("Deploying 50."));
  }

  @Test
  void of_a_resource_that_is_gone_nothing_is_kept() {
    given_an_API_server_that_answers(503);
    events.write(orders, StatusEvent.normal("Submit", "Deploying."));

    events.forget(orders.getMetadata().getUid());

    assertThat(events.writeRest(orders)).isEmpty();
  }

  /** As with a webhook of that namespace which does not work. */
  @Test
  void a_namespace_that_takes_no_events_holds_those_of_the_others_for_one_pause_at_most() {
    FlinkDeployment strict = resource("strict", "orders");
    unavailableNamespace = "strict";
    given_an_API_server_that_answers(201);
    events.write(strict, StatusEvent.normal("Submit", "Deploying."));

    for (int minute = 1; minute <= 8; minute++) {
      events.write(orders, StatusEvent.normal("Submit", "Deploying " + minute + "."));
      for (int i = 0; i < 12; i++) {
        clock.forward(Duration.ofSeconds(5));
        events.writeRest(strict); // first, which is the worst that can be
        events.writeRest(orders);
        if (i == 5) {
          assertThat(written).hasSize(minute);
        }
      }
    }

    assertThat(events.writeRest(strict)).as("it still waits").isPresent();
  }

  @Test
  void where_others_are_answered_it_is_paused_alone() {
    FlinkDeployment strict = resource("strict", "orders");
    unavailableNamespace = "strict";
    given_an_API_server_that_answers(201);
    events.write(strict, StatusEvent.normal("Submit", "Deploying."));
    clock.forward(Duration.ofSeconds(26));
    events.write(orders, StatusEvent.normal("Submit", "Deploying orders."));
    clock.forward(Duration.ofSeconds(4));

    assertThat(events.writeRest(strict)).contains(Duration.ofSeconds(30));
    events.write(orders, StatusEvent.normal("Submit", "Deploying orders again."));

    assertThat(written).hasSize(2);
  }

  @Test
  void an_event_that_is_never_taken_is_given_up_after_ten_minutes() {
    given_an_API_server_that_answers(500);
    events.write(orders, StatusEvent.normal("Submit", "Deploying."));
    int seconds = 0;
    while (events.writeRest(orders).isPresent()) {
      clock.forward(Duration.ofSeconds(30));
      seconds += 30;
      assertThat(seconds).isLessThan(3_600);
    }

    assertThat(seconds).isBetween(540, 660);
    assertThat(requests).hasValue(20);
  }

  /** What is dated is told by each reconciliation, as long as it is so. */
  @Test
  void one_that_is_told_again_all_the_time_is_given_up_for_an_hour() {
    given_an_API_server_that_answers(500);
    StatusEvent begun = begun(clock.instant());

    for (int i = 0; i < 240; i++) {
      events.write(orders, begun);
      events.writeRest(orders);
      clock.forward(Duration.ofSeconds(15));
    }
    assertThat(requests).hasValue(20);

    clock.forward(Duration.ofMinutes(15));
    events.write(orders, begun);
    assertThat(requests).hasValue(21);
  }

  /** As without the right to write events. */
  @Test
  void one_that_is_refused_is_not_tried_again_by_each_reconciliation() {
    given_an_API_server_that_answers(403);
    StatusEvent begun = begun(clock.instant());

    for (int i = 0; i < 100; i++) {
      events.write(orders, begun);
      events.writeRest(orders);
      clock.forward(Duration.ofSeconds(15));
    }
    assertThat(requests).hasValue(1);

    // and when it has happened again
    events.write(orders, begun(clock.instant()));
    assertThat(requests).hasValue(2);
  }

  /** As with a webhook that fails for one event only. */
  @Test
  void one_that_is_never_taken_holds_no_other_namespace_while_others_are() {
    FlinkDeployment strict = resource("strict", "orders");
    unavailableReason = "SpecChanged";
    given_an_API_server_that_answers(201);
    StatusEvent begun = begun(clock.instant());
    events.write(strict, begun);
    clock.forward(Duration.ofSeconds(25));

    for (int i = 0; i < 60; i++) {
      events.write(orders, StatusEvent.normal("Submit", "Deploying " + i + "."));
      assertThat(messages()).contains("Deploying " + i + ".");
      events.write(strict, StatusEvent.normal("Submit", "Taken " + i + "."));
      events.write(strict, begun);
      events.writeRest(strict);
      clock.forward(Duration.ofSeconds(5));
    }

    assertThat(messages()).contains("Taken 0.", "Taken 50.").doesNotContain(begun.message());
  }

  private static StatusEvent begun(Instant at) {
    return StatusEvent.dated("SpecChanged", "Upgrading.", "run-1", at);
  }

  private List<String> messages() {
    return written.stream().map(Event::getMessage).toList();
  }

  @Test
  void what_is_written_after_the_pause_has_the_time_at_which_it_was_told() {
    given_an_API_server_that_answers(503);
    events.write(orders, StatusEvent.normal("Submit", "Deploying."));
    clock.forward(Duration.ofSeconds(10));
    events.write(orders, StatusEvent.normal("Submit", "Deploying."));
    clock.forward(Duration.ofSeconds(20));
    answer.set(201);

    events.writeRest(orders);

    assertThat(written)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.getFirstTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
              assertThat(it.getLastTimestamp()).isEqualTo("2026-01-01T00:00:10Z");
            });
  }

  private void given_an_API_server_that_answers(int code) {
    answer.set(code);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          byte[] body = exchange.getRequestBody().readAllBytes();
          boolean strict =
              exchange
                  .getRequestURI()
                  .getPath()
                  .contains("/namespaces/" + unavailableNamespace + "/");
          boolean wrongReason =
              new String(body, StandardCharsets.UTF_8)
                  .contains("\"reason\":\"" + unavailableReason + "\"");
          int now = strict || wrongReason ? 500 : answer.get();
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
    return resource("default", name);
  }

  private static FlinkDeployment resource(String namespace, String name) {
    FlinkDeployment resource = new FlinkDeployment();
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(namespace)
            .withName(name)
            .withUid("uid-" + namespace + "-" + name)
            .build());
    return resource;
  }
}
