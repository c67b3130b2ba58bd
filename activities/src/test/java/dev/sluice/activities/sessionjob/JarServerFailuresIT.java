package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.artifact.AddressRules;
import dev.sluice.activities.artifact.ArtifactFetcher;
import dev.sluice.activities.artifact.ArtifactOptions;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeJars;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.SessionJobActivities.StartJobRequest;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okio.Buffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a job whose jar cannot be fetched fails with, and that Flink is not bothered with it. */
@ExtendWith(ApiServer.Extension.class)
class JarServerFailuresIT {

  private static final int MOST = 1 << 16;

  @TempDir Path folder;
  private final MockWebServer server = new MockWebServer();
  private SessionRig rig;
  private ResourceRef ref;
  private FakeJars jars;
  private ArtifactFetcher fetcher;
  private JobStarts starts;
  private JobStartOnSession start;

  @BeforeEach
  void aJobAndAServerOfJars(ApiServer api) throws IOException {
    server.start(InetAddress.getLoopbackAddress(), 0);
    rig = new SessionRig(api).session(Map.of());
    jars = new FakeJars(rig.flink, rig.clock);
    String uri = "http://127.0.0.1:%d/job.jar".formatted(server.getPort());
    ref =
        rig.job(
            "totals", Refs.JOB_ID, spec -> spec.withJob(JobSpec.of(uri, 1, UpgradeMode.STATELESS)));
    begin(Duration.ofMinutes(1));
  }

  /** On a worker that waits for a jar for so long. */
  private void begin(Duration patience) {
    fetcher =
        new ArtifactFetcher(
            new ArtifactOptions(
                new ArtifactOptions.Limits(MOST, patience, 3, 2),
                new ArtifactOptions.Sources(
                    true,
                    new AddressRules(List.of(AddressRules.Network.parse("127.0.0.1"))),
                    List.of(),
                    null),
                folder));
    starts = new JobStarts(new JarStart(rig.flink, jars, fetcher::fetch, rig.clock), 1, 1);
    start =
        new JobStartOnSession(
            new StartJobRequest(
                ref,
                rig.job(Refs.JOB_ID),
                1,
                new StateRef.Savepoint("file:/s"),
                rig.clock.in(Duration.ofMinutes(5))),
            rig.clusters(),
            rig.writer(),
            starts);
  }

  private void end() {
    fetcher.close();
  }

  @AfterEach
  void stop() {
    end();
    server.close();
    assertThat(jars.effects).isEmpty();
  }

  private void isRefused(String... words) {
    assertThat(SessionRig.decided(start::look))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            it -> {
              assertThat(it.type()).isEqualTo(FailureType.REFUSED);
              assertThat(it.message()).contains("spec.job.jarURI").contains(words);
            });
  }

  private void isTriedAgain(String words) {
    String told =
        await()
            .until(
                () ->
                    start.look(() -> true) instanceof ProbeResult.NotYet<Void> not
                        ? not.progress()
                        : "decided",
                it -> !it.contains("is being fetched"));
    assertThat(told).contains(words).contains("It is tried again");
  }

  @Test
  void aJarThatIsNotThere() {
    server.enqueue(new MockResponse.Builder().code(404).build());

    isRefused("404");
  }

  @Test
  void aServerThatLeadsToTheMetadataOfTheCloud() {
    server.enqueue(
        new MockResponse.Builder()
            .code(302)
            .setHeader("Location", "http://169.254.169.254/latest/meta-data/")
            .build());

    isRefused("169.254.169.254");
  }

  @Test
  void aJarWithoutEnd() {
    server.enqueue(
        new MockResponse.Builder()
            .chunkedBody(new Buffer().writeUtf8("PK").write(new byte[MOST]), 4096)
            .build());

    isRefused("SLUICE_ARTIFACT_MAX_MIB");
  }

  @Test
  void aServerThatIsSlowIsTriedAgainUntilTheDeadline() {
    end();
    begin(Duration.ofSeconds(1));
    for (int i = 0; i < 2; i++) {
      server.enqueue(
          new MockResponse.Builder()
              .body(new Buffer().writeUtf8("PK").write(new byte[MOST / 2]))
              .throttleBody(1, 1, TimeUnit.SECONDS)
              .build());
    }

    isTriedAgain("spec.job.jarURI");
    rig.clock.advance(Duration.ofMinutes(5));
    isRefused("job.jar");
  }
}
