package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.artifact.AddressRules;
import dev.sluice.activities.artifact.ArtifactFetcher;
import dev.sluice.activities.artifact.ArtifactOptions;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.ProbeResult.Failed;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.workflows.activity.FailureType;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarCheckTest {

  @TempDir Path folder;
  private final MockWebServer server = new MockWebServer();
  private ArtifactFetcher fetcher;

  @BeforeEach
  void aServerOfJars() throws IOException {
    server.start(InetAddress.getLoopbackAddress(), 0);
    fetcher =
        new ArtifactFetcher(
            new ArtifactOptions(
                new ArtifactOptions.Limits(1 << 16, Duration.ofMinutes(2), 3, 2),
                new ArtifactOptions.Sources(
                    true,
                    new AddressRules(List.of(AddressRules.Network.parse("127.0.0.1"))),
                    List.of(),
                    null),
                folder));
  }

  @AfterEach
  void close() {
    fetcher.close();
    server.close();
  }

  private JarCheck check(String jarUri) {
    return begin(jarUri).orElseThrow();
  }

  private Optional<JarCheck> begin(String jarUri) {
    JobSpec job = JobSpec.of(jarUri, 1, UpgradeMode.SAVEPOINT);
    SessionJobTarget target =
        new SessionJobTarget(
            new FrozenSessionJob(SessionJobs.SPEC.withJob(job), 7, false), new SessionPlace(null));
    return JarCheck.of(target, fetcher::fetch);
  }

  private String served() {
    return "http://127.0.0.1:%d/job.jar".formatted(server.getPort());
  }

  private ProbeResult<Void> outcome(JarCheck check) {
    assertThat(check.look()).isEqualTo(ProbeResult.notYet("its jar is being fetched"));
    return check.look();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.toList();
    }
  }

  @Test
  void aJarThatIsThereIsFetchedAndNotKept() throws Exception {
    List<Path> before = files();
    server.enqueue(new MockResponse.Builder().body("PK\u0003\u0004").build());

    assertThat(outcome(check(served()))).isEqualTo(ProbeResult.done(null));
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void aJarThatIsNotThereIsRefusedWithTheFieldAndWhatBecomesOfTheJob() throws Exception {
    server.enqueue(new MockResponse.Builder().code(404).build());

    assertThat(outcome(check(served())))
        .isInstanceOfSatisfying(
            Failed.class,
            it -> {
              assertThat(it.type()).isEqualTo(FailureType.REFUSED);
              assertThat(it.message())
                  .contains("generation 7", "spec.job.jarURI", "404", "was not stopped");
            });
  }

  @Test
  void aJarWithAnotherChecksumIsRefused() throws Exception {
    server.enqueue(new MockResponse.Builder().body("PK\u0003\u0004").build());

    assertThat(outcome(check(served() + "#sha256=" + "0".repeat(64)))).isInstanceOf(Failed.class);
  }

  @Test
  void aJarInTheImageIsNotFetched() {
    assertThat(begin("local:///opt/flink/usrlib/job.jar")).isEmpty();
  }
}
