package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.artifact.AddressRules;
import dev.sluice.activities.artifact.ArtifactFetcher;
import dev.sluice.activities.artifact.ArtifactOptions;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkCluster;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkVersion;
import dev.sluice.activities.flink.OkHttpFlinkJars;
import dev.sluice.activities.flink.OnFlink;
import dev.sluice.activities.flink.SampleJob;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.activity.FailureType;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a real Flink makes of a start. */
@OnFlink(FlinkVersion.V2_2)
@Execution(ExecutionMode.CONCURRENT)
class JarStartIT {

  private static final String JAR = SampleJob.file().toPath().toAbsolutePath().normalize() + "";

  @TempDir Path folder;
  private final FlinkCluster cluster;
  private final Endpoint at;
  private final OkHttpFlinkJars jars =
      new OkHttpFlinkJars(
          OkHttpFlinkJars.options(Duration.ofMinutes(2)),
          host -> List.of(InetAddress.getLoopbackAddress()));
  private final String jobId = SampleJob.newId();
  private ArtifactFetcher fetcher;

  JarStartIT(FlinkCluster cluster) {
    this.cluster = cluster;
    this.at = cluster.endpoint();
  }

  @BeforeEach
  void aWorkerThatTakesFiles() throws IOException {
    fetcher =
        new ArtifactFetcher(
            new ArtifactOptions(
                new ArtifactOptions.Limits(1L << 30, Duration.ofMinutes(2), 0, 2),
                new ArtifactOptions.Sources(
                    false,
                    new AddressRules(List.of()),
                    List.of(SampleJob.file().toPath().toRealPath().getParent()),
                    null),
                folder));
  }

  @AfterEach
  void nothingOfThisTestIsLeft() {
    fetcher.close();
    if (cluster.rest().jobsOverview(at).job(jobId).isPresent()) {
      var unused = FlinkRest.orNull(() -> cluster.rest().cancel(at, jobId));
    }
    jars.close();
  }

  private void start(@Nullable String jar, @Nullable String main, @Nullable String savepoint) {
    new JarStart(cluster.rest(), jars, fetcher::fetch, Clock.systemUTC())
        .run(
            at,
            new JarSubmission.Run(
                jobId,
                jar,
                main,
                List.of(),
                1,
                savepoint,
                false,
                FlinkConfiguration.empty(),
                cluster.version().api()),
            () -> {});
  }

  @Test
  void aStateThatIsNotThereIsAFailureOfTheJob() {
    assertThatThrownBy(() -> start("file://" + JAR, null, "file:///no/such/savepoint"))
        .hasMessageContaining("/no/such/savepoint")
        .hasMessageContaining(FailureType.JOB_FAILED);
  }

  @Test
  void aClassThatIsNotThereIsAFailureOfTheJob() {
    assertThatThrownBy(() -> start(null, "no.such.Main", null))
        .hasMessageContaining("no.such.Main")
        .hasMessageContaining(FailureType.JOB_FAILED);
  }

  @Test
  void aJarInTheImageRunsFromTheClassPath() {
    start("local://" + JAR, "dev.sluice.sample.CounterJob", null);

    new SampleJob(cluster, jobId).running();
  }
}
