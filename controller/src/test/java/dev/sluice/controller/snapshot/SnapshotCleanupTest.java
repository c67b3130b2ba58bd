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
import dev.sluice.controller.support.MovableClock;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With an API server that refuses what it is told to refuse. */
class SnapshotCleanupTest {

  private static final String PATH =
      "/apis/flink.apache.org/v1beta1/namespaces/default/flinkstatesnapshots/";

  private final MovableClock clock = new MovableClock(Deployed.NOW);
  private final List<String> deleted = new CopyOnWriteArrayList<>();
  private final Map<String, Integer> answers = new ConcurrentHashMap<>();
  private HttpServer server;
  private KubernetesClient client;
  private Set<String> left = Set.of();
  private SnapshotCleanup cleanup;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String name = exchange.getRequestURI().getPath().substring(PATH.length());
          deleted.add(exchange.getRequestMethod() + " " + name);
          byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
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
    cleanup = new SnapshotCleanup(client, clock, new RevisionStates(ref -> left));
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  /** The newest may stay; the older the higher the number. */
  private SnapshotCleanup.Cleaned carryOut(Deployed given, int number) {
    List<FlinkStateSnapshot> made =
        IntStream.rangeClosed(1, number)
            .mapToObj(
                i ->
                    MadeSnapshots.periodic(
                        SnapshotType.SAVEPOINT, i, Duration.ofHours(i), SnapshotState.COMPLETED))
            .toList();
    return cleanup.carryOut(
        given.configured("kubernetes.operator.savepoint.history.max.count", "1").snapshot(),
        made,
        () -> Stream.concat(Stream.of(given.resource()), made.stream()),
        FlinkConfiguration.empty());
  }

  @Test
  void whileTheJobIsNotUpNothingIsDeletedBecauseNobodyCouldDisposeOfTheFiles() {
    assertThat(carryOut(Deployed.running().job(FlinkJobState.RESTARTING, false), 3).events())
        .isEmpty();
    assertThat(deleted).isEmpty();

    carryOut(Deployed.running(), 3);
    assertThat(deleted)
        .containsExactly(
            "DELETE orders-savepoint-periodic-00000000000002",
            "DELETE orders-savepoint-periodic-00000000000003");
  }

  @Test
  void oneThatIsRefusedIsToldAndTheOthersAreDeleted() {
    answers.put("orders-savepoint-periodic-00000000000002", 403);

    SnapshotCleanup.Cleaned cleaned = carryOut(Deployed.running(), 3);

    assertThat(deleted).hasSize(2);
    assertThat(cleaned.events())
        .extracting(StatusEvent::reason)
        .containsExactly("SnapshotRemoved", "SnapshotError");
    assertThat(cleaned.events().get(1).message())
        .contains("cannot delete FlinkStateSnapshot orders-savepoint-periodic-00000000000002");
    assertThat(cleaned.review()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(61));

    // and not before the pause is over
    assertThat(carryOut(Deployed.running(), 3).events()).isEmpty();
    assertThat(deleted).hasSize(2);
    clock.forward(Duration.ofSeconds(61));
    carryOut(Deployed.running(), 3);
    assertThat(deleted).hasSize(4);
  }

  @Test
  void anApiServerThatIsNotAvailableIsAskedOnce() {
    answers.put("orders-savepoint-periodic-00000000000002", 503);

    assertThat(carryOut(Deployed.running(), 5).events())
        .extracting(StatusEvent::reason)
        .containsExactly("SnapshotError");
    assertThat(deleted).hasSize(1);
  }

  @Test
  void whatARollbackToAnEarlierSpecWouldStartFromStays() {
    left = Set.of("s3://b/savepoint-2");

    carryOut(Deployed.running(), 3);

    assertThat(deleted).containsExactly("DELETE orders-savepoint-periodic-00000000000003");
  }

  /** With a thousand resources each reconciliation of each of them would look at them all. */
  @Test
  void whatItsOwnResourceNeedsIsKeptWithoutALookAtAnyOther() {
    Deployed given =
        Deployed.running()
            .configured("kubernetes.operator.savepoint.history.max.count", "1")
            .jobStatus(JobStatus.EMPTY.withUpgradeSavepointPath("s3://b/savepoint-2"));
    List<FlinkStateSnapshot> made = List.of(savepoint(1), savepoint(2));
    List<String> listed = new CopyOnWriteArrayList<>();

    SnapshotCleanup.Cleaned cleaned =
        cleanup.carryOut(
            given.snapshot(),
            made,
            () -> {
              listed.add("resources");
              return Stream.concat(Stream.of(given.resource()), made.stream());
            },
            FlinkConfiguration.empty());

    assertThat(cleaned.events()).isEmpty();
    assertThat(deleted).isEmpty();
    assertThat(listed).isEmpty();

    // and what it does not need is deleted only after a look at the others
    carryOut(Deployed.running(), 2);
    assertThat(deleted).hasSize(1);
  }

  private static FlinkStateSnapshot savepoint(int number) {
    return MadeSnapshots.periodic(
        SnapshotType.SAVEPOINT, number, Duration.ofHours(number), SnapshotState.COMPLETED);
  }
}
