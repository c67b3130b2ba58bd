package dev.sluice.local.flink;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.local.demo.Counts;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sample job, one jar, on real clusters of both generations of Flink. */
@Tag("node")
class SampleJobIT {

  @RegisterExtension static final FlinkGenerations FLINK = new FlinkGenerations();
  private final SessionCluster newer = FLINK.of("2.2");

  @ParameterizedTest
  @CsvSource({"1.20, 1.20, 1, 2", "2.2, 2.2, 2, 1", "1.20, 2.2, 2, 1"})
  void countsGoOnExactlyAfterASavepointWithAnotherParallelism(
      String fromVersion, String toVersion, int parallelism, int then) throws Exception {
    // given a job that has counted
    String first = cluster(fromVersion).run(parallelism, "", "--rate", "500", "--keys", "37");
    Counts before = cluster(fromVersion).awaitCounts(first, 300);
    String savepoint = cluster(fromVersion).stopWithSavepoint(first);

    // when it is restored with another parallelism
    String second = cluster(toVersion).run(then, savepoint, "--rate", "500", "--keys", "37");
    Counts after = cluster(toVersion).awaitCounts(second, before.total() + 200);
    cluster(toVersion).cancel(second);

    // then no element is missing, none is counted twice, and the count goes on from the savepoint
    assertThat(before.exact()).as(before.toString()).isTrue();
    assertThat(after.exact()).as(after.toString()).isTrue();
    assertThat(after.restored()).isBetween(before.total(), after.total());
    assertThat(after.keys()).isEqualTo(37);
  }

  @ParameterizedTest
  @CsvSource({"1.20", "2.2"})
  void flinkLoadsItsRpcSystemFromTheClassPath(String version) {
    Path folder = cluster(version).folder();

    // its own loader works on a copy, which it deletes when it ends
    assertThat(folder.resolve("jm/tmp")).isDirectoryNotContaining("glob:**rpc-akka*");
    assertThat(folder.resolve("tm/tmp")).isDirectoryNotContaining("glob:**rpc-akka*");
  }

  @Test
  void aJobThatFailsInMainIsNeverSubmitted() throws Exception {
    HttpResponse<String> response = newer.tryToRun(Map.of(), 1, "", "--fail-at-start", "main");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("Told to fail at start, in main");
  }

  @ParameterizedTest
  @CsvSource({
    "--fail-at-start open, 'Told to fail at start, in open'",
    "--fail-after 20 --rate 1000, Told to fail after 20 records"
  })
  void aJobFailsAsTold(String flags, String message) throws Exception {
    String job = newer.run(1, "", flags.split(" "));

    await().atMost(60, SECONDS).until(() -> newer.state(job).equals("FAILED"));
    await()
        .atMost(10, SECONDS)
        .untilAsserted(() -> assertThat(newer.exceptions(job)).contains(message));
  }

  @Test
  void aJobRunsUntilItsFileAppears() throws Exception {
    Path file = newer.folder().resolve("fail-now");
    String job = newer.run(1, "", "--fail-while-file", file.toString());
    newer.awaitCounts(job, 0);

    Files.createFile(file);

    await().atMost(60, SECONDS).until(() -> newer.state(job).equals("FAILED"));
  }

  @Test
  void aSavepointIsStuckAsLongAsTold() throws Exception {
    Path hold = Files.createFile(newer.folder().resolve("hold"));
    String job =
        newer.run(1, "", "--slow-snapshot", "-1", "--slow-snapshot-while-file", hold.toString());
    newer.awaitCounts(job, 0);

    String trigger = newer.triggerSavepoint(job);

    await()
        .during(1, SECONDS)
        .until(() -> newer.savepointStatus(job, trigger).equals("IN_PROGRESS"));
    Files.delete(hold);
    await()
        .atMost(60, SECONDS)
        .until(() -> newer.savepointStatus(job, trigger).equals("COMPLETED"));
    newer.cancel(job);
  }

  @Test
  void stateWithAnotherNumberOfKeysIsRefused() throws Exception {
    String first = newer.run(1, "", "--rate", "500", "--keys", "10");
    newer.awaitCounts(first, 10);
    String savepoint = newer.stopWithSavepoint(first);

    String second = newer.run(1, savepoint, "--keys", "20");

    await().atMost(60, SECONDS).until(() -> newer.state(second).equals("FAILED"));
    await()
        .atMost(10, SECONDS)
        .untilAsserted(() -> assertThat(newer.exceptions(second)).contains("made with --keys 10"));
  }

  private static SessionCluster cluster(String version) {
    return FLINK.of(version);
  }
}
