package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.activities.artifact.AddressRules;
import dev.sluice.activities.artifact.ArtifactFetcher;
import dev.sluice.activities.artifact.ArtifactOptions;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkCluster;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.FlinkVersion;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.activities.flink.OkHttpFlinkJars;
import dev.sluice.activities.flink.OnFlink;
import dev.sluice.activities.flink.SampleJob;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.failure.ApplicationFailure;
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

/** Jobs that are started from a file of the worker, on a real Flink. */
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

  private void start(
      FlinkJars through, @Nullable String jar, @Nullable String main, @Nullable String savepoint) {
    new JarStart(cluster.rest(), through, fetcher::fetch, Clock.systemUTC())
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

  private void start(FlinkJars through) {
    start(through, "file://" + JAR, null, null);
  }

  private ApplicationFailure failure(
      FlinkJars through, @Nullable String jar, @Nullable String main, @Nullable String savepoint) {
    return catchThrowableOfType(
        ApplicationFailure.class, () -> start(through, jar, main, savepoint));
  }

  private void runsOnce() {
    new SampleJob(cluster, jobId).running();
    assertThat(cluster.rest().jobsOverview(at).jobs().stream().map(job -> job.jobId()))
        .containsOnlyOnce(jobId);
  }

  @Test
  void aJobRunsOnceHoweverOftenItIsStartedAlsoWhenTheAnswerIsLost() {
    try {
      start(new Losing(jars, true));
    } catch (ApplicationFailure open) {
      assertThat(open.getType()).isEqualTo(FailureType.CLUSTER_NOT_READY);
    }
    start(jars);
    runsOnce();
    start(jars);
    runsOnce();
  }

  @Test
  void aRunThatNeverArrivedIsOpenAndTheNextAttemptStartsTheJob() {
    assertThat(failure(new Losing(jars, false), "file://" + JAR, null, null))
        .hasMessageContaining("is not known");

    start(jars);

    runsOnce();
  }

  @Test
  void aStateThatIsNotThereIsAFailureOfTheJob() {
    assertThat(failure(jars, "file://" + JAR, null, "file:///no/such/savepoint"))
        .hasMessageContaining("/no/such/savepoint")
        .hasMessageContaining(FailureType.JOB_FAILED);
  }

  @Test
  void aClassThatIsNotThereIsAFailureOfTheJob() {
    assertThat(failure(jars, null, "no.such.Main", null))
        .hasMessageContaining("no.such.Main")
        .hasMessageContaining(FailureType.JOB_FAILED);
  }

  @Test
  void aJarInTheImageRunsFromTheClassPath() {
    start(jars, "local://" + JAR, "dev.sluice.sample.CounterJob", null);

    runsOnce();
  }

  /**
   * Calls of which a run gets lost.
   *
   * @param arrives whether Flink gets it, and only its answer does not come
   */
  private record Losing(FlinkJars flink, boolean arrives) implements FlinkJars {

    @Override
    public RunAnswer run(Endpoint cluster, String jarId, JarRun run) {
      if (arrives) {
        RunAnswer unused = flink.run(cluster, jarId, run);
      }
      throw new FlinkRestException.Unreachable("the answer got lost", null);
    }

    @Override
    public String upload(Endpoint cluster, Path jar, String name) {
      return flink.upload(cluster, jar, name);
    }

    @Override
    public List<UploadedJar> list(Endpoint cluster) {
      return flink.list(cluster);
    }

    @Override
    public void delete(Endpoint cluster, String jarId) {
      flink.delete(cluster, jarId);
    }

    @Override
    public void close() {}
  }
}
