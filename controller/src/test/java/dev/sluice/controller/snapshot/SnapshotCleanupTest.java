package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.deployment.Deployed;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With an API server that refuses what it is told to refuse. */
class SnapshotCleanupTest {

  private static final String PATH =
      "/apis/flink.apache.org/v1beta1/namespaces/default/flinkstatesnapshots/";

  private final List<String> deleted = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> answers = new ConcurrentHashMap<>();
  private final AtomicInteger lists = new AtomicInteger();
  private HttpServer server;
  private String revisions = "{\"items\": []}";
  private KubernetesClient client;
  private SnapshotCleanup cleanup;
  private Optional<Duration> review = Optional.empty();

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          boolean get = exchange.getRequestMethod().equals("GET");
          String path = exchange.getRequestURI().getPath();
          String name = get ? path : path.substring(PATH.length());
          if (get) {
            lists.incrementAndGet();
          } else {
            deleted.add("DELETE " + name);
          }
          byte[] body = (get ? revisions : "{}").getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(answers.getOrDefault(name, 200), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                    .build())
            .build();
    cleanup = new SnapshotCleanup(client);
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  /** The newest may stay; the older the higher the number. */
  private List<StatusEvent> carryOut(Deployed given, int number) {
    List<FlinkStateSnapshot> made =
        IntStream.rangeClosed(1, number)
            .mapToObj(
                i ->
                    MadeSnapshots.periodic(
                        SnapshotType.SAVEPOINT, i, Duration.ofHours(i), SnapshotState.COMPLETED))
            .toList();
    List<StatusEvent> events = new ArrayList<>();
    review =
        cleanup.carryOut(
            given.configured("kubernetes.operator.savepoint.history.max.count", "1").snapshot(),
            made,
            () -> Stream.concat(Stream.of(given.resource()), made.stream()),
            FlinkConfiguration.empty(),
            events);
    return events;
  }

  @Test
  void whileTheJobIsNotUpNothingIsDeletedBecauseNobodyCouldDisposeOfTheFiles() {
    assertThat(carryOut(Deployed.running().job(FlinkJobState.RESTARTING, false), 3)).isEmpty();
    assertThat(deleted).isEmpty();

    carryOut(Deployed.running(), 3);
    assertThat(deleted)
        .containsExactly(
            "DELETE orders-savepoint-periodic-00000000000002",
            "DELETE orders-savepoint-periodic-00000000000003");
  }

  @Test
  void afterARefusalTheHistoryIsLookedAtAMinuteLater() {
    answers.put("orders-savepoint-periodic-00000000000003", 403);

    List<StatusEvent> events = carryOut(Deployed.running(), 3);

    assertThat(deleted).hasSize(2);
    assertThat(events)
        .extracting(StatusEvent::reason)
        .containsExactly("SnapshotRemoved", "SnapshotError");
    assertThat(events.get(1).message())
        .contains("cannot delete FlinkStateSnapshot orders-savepoint-periodic-00000000000003");
    assertThat(review).contains(Duration.ofMinutes(1));
  }

  /** A webhook may refuse the deletion of one for good. */
  @Test
  void oneThatIsRefusedIsNotInTheWayOfTheOthers() {
    answers.put("orders-savepoint-periodic-00000000000002", 403);
    answers.put("orders-savepoint-periodic-00000000000003", 403);

    List<StatusEvent> events = carryOut(Deployed.running(), 4);

    assertThat(deleted).hasSize(3);
    assertThat(events)
        .extracting(StatusEvent::reason)
        .containsExactly("SnapshotRemoved", "SnapshotError");
    assertThat(events.get(1).message()).contains("00000000000002");
    assertThat(lists).as("reads of what a rollback starts from").hasValue(1);
  }

  @Test
  void anApiServerThatIsNotAvailableIsAskedOnce() {
    answers.put("orders-savepoint-periodic-00000000000002", 503);

    assertThat(carryOut(Deployed.running(), 5))
        .extracting(StatusEvent::reason)
        .containsExactly("SnapshotError");
    assertThat(deleted).hasSize(1);
  }

  /** FLINK-38033: a clean-up disposed of what an upgrade needed. */
  @Test
  void whatAResourceNamesStays() {
    carryOut(
        Deployed.running()
            .jobStatus(JobStatus.EMPTY.withUpgradeSavepointPath("s3://b/savepoint-2")),
        3);

    assertThat(deleted).containsExactly("DELETE orders-savepoint-periodic-00000000000003");
  }

  @Test
  void whatARollbackToAnEarlierSpecWouldStartFromStays() {
    revisions =
        """
        {"items": [{"metadata": {"name": "orders-1", "ownerReferences": [{"uid": "%s"}],
          "annotations": {"sluice.dev/state-left":
            "{\\"type\\": \\"Savepoint\\", \\"path\\": \\"s3://b/savepoint-2\\"}"}}}]}
        """
            .formatted(Deployed.UID);

    carryOut(Deployed.running(), 3);

    assertThat(deleted).containsExactly("DELETE orders-savepoint-periodic-00000000000003");
  }
}
