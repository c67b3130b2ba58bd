package dev.sluice.activities.jar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.artifact.AddressRules;
import dev.sluice.activities.artifact.ArtifactFetcher;
import dev.sluice.activities.artifact.ArtifactOptions;
import dev.sluice.activities.artifact.ArtifactUri;
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
import dev.sluice.activities.jar.StartOutcome.FailedAtOnce;
import dev.sluice.activities.jar.StartOutcome.NotStarted;
import dev.sluice.activities.jar.StartOutcome.Part;
import dev.sluice.activities.jar.StartOutcome.Started;
import dev.sluice.activities.jar.StartOutcome.Unknown;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Dns;
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

  private static final Dns LOOPBACK = host -> List.of(InetAddress.getLoopbackAddress());

  @TempDir Path folder;
  private final FlinkCluster cluster;
  private final Endpoint at;
  private final Losing jars =
      new Losing(new OkHttpFlinkJars(OkHttpFlinkJars.options(Duration.ofMinutes(2)), LOOPBACK));
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

  private StartOutcome start(JarRun.@Nullable Restore restore) {
    return start(
        cluster,
        ArtifactUri.parse("file://" + SampleJob.file().toPath().toAbsolutePath().normalize()),
        null,
        restore);
  }

  /** As a worker that was just started: it remembers nothing. */
  private StartOutcome start(
      FlinkCluster on,
      ArtifactUri jar,
      @Nullable String entryClass,
      JarRun.@Nullable Restore restore) {
    JarStart starts = new JarStart(on.rest(), jars, fetcher::fetch, Clock.systemUTC());
    return starts.start(
        new JarStart.Request(
            on.endpoint(),
            jar,
            Map.of(),
            new JarRun(
                on.version().api(),
                jobId,
                new JarRun.Program(entryClass, List.of(), 1),
                restore,
                Map.of())),
        () -> {});
  }

  private StartOutcome start() {
    return start(null);
  }

  private long jobsOfThisId() {
    return cluster.rest().jobsOverview(at).jobs().stream()
        .filter(job -> job.jobId().equals(jobId))
        .count();
  }

  @Test
  void aJobRunsOnceHoweverOftenItIsStarted() {
    assertThat(start()).isEqualTo(new Started());
    new SampleJob(cluster, jobId).running();
    assertThat(start()).isEqualTo(new Started());

    assertThat(jobsOfThisId()).isEqualTo(1);
    assertThat(jars.submitted).hasValue(1);
  }

  @Test
  void aLostAnswerIsFoundByTheIdOfTheJob() {
    jars.loseTheAnswer = true;

    StartOutcome first = start();
    jars.loseTheAnswer = false;
    StartOutcome second = start();

    assertThat(first).isInstanceOfAny(Started.class, Unknown.class);
    assertThat(second).isEqualTo(new Started());
    new SampleJob(cluster, jobId).running();
    assertThat(jobsOfThisId()).isEqualTo(1);
    assertThat(jars.submitted).hasValue(1);
  }

  @Test
  void aRunThatNeverArrivedIsOpenAndTheNextAttemptStartsTheJob() {
    jars.loseTheRequest = true;

    StartOutcome first = start();
    jars.loseTheRequest = false;

    assertThat(first).isInstanceOf(Unknown.class);
    assertThat(start()).isEqualTo(new Started());
    new SampleJob(cluster, jobId).running();
  }

  @Test
  void aStateThatIsNotThereStartsNothingThatRuns() {
    StartOutcome outcome = start(new JarRun.Restore("file:///no/such/savepoint", false, null));

    assertThat(outcome)
        .satisfiesAnyOf(
            it -> assertThat(it).isInstanceOf(FailedAtOnce.class),
            it ->
                assertThat(it)
                    .isInstanceOfSatisfying(
                        NotStarted.class, not -> assertThat(not.failed()).isEqualTo(Part.PROGRAM)));
    assertThat(outcome.toString()).contains("/no/such/savepoint");
  }

  @Test
  void aJobManagerThatIsReplacedBetweenUploadAndRunGetsTheJarAgain() {
    try (FlinkCluster own =
        FlinkCluster.startJobManagerOnly(
            cluster.version(), Map.of("web.upload.dir", folder.resolve("first").toString()))) {
      ArtifactUri jar =
          ArtifactUri.parse("file://" + SampleJob.file().toPath().toAbsolutePath().normalize());
      jars.afterUpload =
          () -> {
            jars.afterUpload = () -> {};
            own.loseUploads(folder.resolve("first"));
          };

      assertThat(start(own, jar, null, null)).isEqualTo(new Started());

      assertThat(own.rest().jobsOverview(own.endpoint()).jobs()).hasSize(1);
    }
  }

  @Test
  void aJarInTheImageRunsFromTheClassPath() {
    ArtifactUri inImage =
        ArtifactUri.parse("local://" + SampleJob.file().toPath().toAbsolutePath().normalize());

    assertThat(start(cluster, inImage, "dev.sluice.sample.CounterJob", null))
        .isEqualTo(new Started());

    new SampleJob(cluster, jobId).running();
  }

  @Test
  void aClassThatTheClusterDoesNotHaveIsRefusedWithoutAJarToo() {
    StartOutcome outcome = start(cluster, new ArtifactUri.ClassPath(), "no.such.Main", null);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            NotStarted.class,
            not -> {
              assertThat(not.failed()).isEqualTo(Part.PROGRAM);
              assertThat(not.why()).contains("no.such.Main");
            });
  }

  /** Calls whose requests or answers get lost. */
  private static final class Losing implements FlinkJars {
    private final FlinkJars flink;
    private boolean loseTheAnswer;
    private boolean loseTheRequest;
    private Runnable afterUpload = () -> {};

    /** A run whose jar another worker has deleted is no submission. */
    private final AtomicInteger submitted = new AtomicInteger();

    Losing(FlinkJars flink) {
      this.flink = flink;
    }

    private static FlinkRestException lost() {
      return new FlinkRestException.Unreachable("the answer got lost", null);
    }

    @Override
    public RunAnswer run(Endpoint cluster, String jarId, JarRun run) {
      if (loseTheRequest) {
        throw lost();
      }
      RunAnswer answer = flink.run(cluster, jarId, run);
      if (answer instanceof RunAnswer.Submitted) {
        submitted.incrementAndGet();
      }
      if (loseTheAnswer) {
        throw lost();
      }
      return answer;
    }

    @Override
    public String upload(Endpoint cluster, Path jar, String name) {
      String id = flink.upload(cluster, jar, name);
      afterUpload.run();
      return id;
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
    public void close() {
      flink.close();
    }
  }
}
