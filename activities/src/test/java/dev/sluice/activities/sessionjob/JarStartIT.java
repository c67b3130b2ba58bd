package dev.sluice.activities.sessionjob;

import dev.sluice.activities.artifact.AddressRules;
import dev.sluice.activities.artifact.ArtifactFetcher;
import dev.sluice.activities.artifact.ArtifactOptions;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkCluster;
import dev.sluice.activities.flink.FlinkVersion;
import dev.sluice.activities.flink.OkHttpFlinkJars;
import dev.sluice.activities.flink.OnFlink;
import dev.sluice.activities.flink.SampleJob;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
      cluster.rest().cancel(at, jobId);
    }
    jars.close();
  }

  @Test
  void aJarInTheImageRunsFromTheClassPath() {
    JobSpec spec =
        JobSpec.of("local://" + JAR, 1, UpgradeMode.STATELESS)
            .withEntryClass("dev.sluice.sample.CounterJob");
    SessionJobTarget target =
        new SessionJobTarget(
            new FrozenSessionJob(SessionJobs.SPEC.withJob(spec), 1, true), new SessionPlace(null));
    new JarStart(cluster.rest(), jars, fetcher::fetch)
        .run(at, new JarSubmission.Run(jobId, target, null), () -> true);

    new SampleJob(cluster, jobId).running();
  }
}
