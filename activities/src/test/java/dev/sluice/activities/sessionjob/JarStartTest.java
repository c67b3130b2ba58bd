package dev.sluice.activities.sessionjob;

import static dev.sluice.workflows.activity.FailureType.CLUSTER_NOT_READY;
import static dev.sluice.workflows.activity.FailureType.JOB_FAILED;
import static dev.sluice.workflows.activity.FailureType.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.activities.artifact.ArtifactUri;
import dev.sluice.activities.artifact.FetchedArtifact;
import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeJars;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.workflows.model.ClusterRef;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JarStartTest {

  private static final Endpoint SESSION = Endpoint.of(new ClusterRef("default", "session"));
  private static final String JAR = "https://repo.example.com/job.jar";
  private static final String HEADER = "kubernetes.operator.user.artifacts.http.header";
  private static final String RETENTION =
      "execution.checkpointing.externalized-checkpoint-retention";
  private static final String STARTED = "";
  private static final String NEVER = " for good";

  @TempDir Path folder;
  private final FakeFlink flink = new FakeFlink();
  private final FakeJars jars = new FakeJars(flink);
  private final JarStart starts = new JarStart(flink, jars, this::fetch);
  private final AtomicInteger startedNothing = new AtomicInteger();
  private @Nullable ArtifactUri fetched;
  private Map<String, String> fetchedWith = Map.of();

  private FetchedArtifact fetch(ArtifactUri from, Map<String, String> configuration) {
    fetched = from;
    fetchedWith = configuration;
    try {
      return new FetchedArtifact(Files.createTempFile(folder, "artifact", ".jar"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void noFileIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  private static JarSubmission.Run job(
      @Nullable String jar, @Nullable String entryClass, Map<String, String> more) {
    Map<String, String> configuration = new HashMap<>(more);
    configuration.put("pipeline.classpaths", "file:///lib/a.jar");
    configuration.put(HEADER, "A:b");
    configuration.put(RETENTION, "RETAIN_ON_CANCELLATION");
    JobSpec spec =
        JobSpec.of(jar, 4, UpgradeMode.SAVEPOINT)
            .withEntryClass(entryClass)
            .withArgs(List.of("--topic", "orders"))
            .withAllowNonRestoredState(true);
    FlinkSessionJobSpec whole =
        SessionJobs.SPEC
            .withJob(spec)
            .withFlinkConfiguration(FlinkConfiguration.of(configuration).toJson());
    return new JarSubmission.Run(
        FakeFlink.JOB,
        new SessionJobTarget(new FrozenSessionJob(whole, 7, false), new SessionPlace(null)),
        more.get("from"));
  }

  private String start() {
    return start(job(JAR, "Orders", Map.of()));
  }

  /** How the start failed: the type, whether permanently, and the message; empty if it did not. */
  private String start(JarSubmission.Run job) {
    Throwable thrown = catchThrowable(() -> starts.run(SESSION, job, new Counting()));
    if (thrown == null) {
      return STARTED;
    }
    ApplicationFailure failure = (ApplicationFailure) thrown;
    return failure.getType()
        + (failure.isNonRetryable() ? NEVER : "")
        + ": "
        + failure.getOriginalMessage();
  }

  private final class Counting implements JarSubmission.Lease {
    @Override
    public boolean mayAct() {
      return true;
    }

    @Override
    public void startedNothing() {
      startedNothing.incrementAndGet();
    }
  }

  /** Of an earlier attempt the main method may be at work, and of a later one. */
  @Test
  void onlyTheJarOfTheAttemptIsDeleted() {
    String ofAnotherAttempt = jars.having("sluice-" + FakeFlink.JOB + ".jar");

    assertThat(start()).isEqualTo(STARTED);

    assertThat(jars.ids()).containsExactly(ofAnotherAttempt);
  }

  @Test
  void everythingOfTheJobIsRunFromItsOwnJar() {
    String outcome = start(job(JAR, "Orders", Map.of("from", "s3://b/sp/1")));

    assertThat(outcome).isEqualTo(STARTED);
    assertThat(jars.lastRun())
        .isEqualTo(
            new JarRun(
                FlinkVersion.V2_2,
                FakeFlink.JOB,
                "Orders",
                List.of("--topic", "orders"),
                4,
                "s3://b/sp/1",
                true,
                "NO_CLAIM",
                Map.of(
                    "pipeline.classpaths",
                    "file:///lib/a.jar",
                    "from",
                    "s3://b/sp/1",
                    RETENTION,
                    "RETAIN_ON_CANCELLATION")));
    assertThat(fetchedWith).containsKey(HEADER);
  }

  /** Flink would take from there what the request does not say. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "execution.savepoint.path",
        "execution.state-recovery.path",
        "execution.savepoint-restore-mode",
        "execution.state-recovery.claim-mode",
        "execution.target",
        "$internal.pipeline.job-id",
      })
  void noKeyDecidesWhatTheJobStartsFromOrWhoOwnsThat(String key) {
    assertThat(start(job(JAR, "Orders", Map.of(key, "CLAIM")))).isEqualTo(STARTED);

    assertThat(jars.lastRun().savepointPath()).isNull();
    assertThat(jars.lastRun().configuration()).containsOnlyKeys("pipeline.classpaths", RETENTION);
  }

  @Test
  void aJobThatFlinkHasOrHasEndedIsNotStartedAgain() {
    for (FlinkJobState state : List.of(FlinkJobState.RUNNING, FlinkJobState.CANCELED)) {
      flink.job(state, 0);

      assertThat(start()).isEqualTo(STARTED);
    }
    assertThat(fetched).isNull();
    assertThat(jars.effects).isEmpty();
  }

  @Test
  void anEarlierAttemptThatComesThroughWhileTheJarIsUploadedIsNoticed() {
    jars.afterUpload(flink::running);

    assertThat(start()).isEqualTo(STARTED);
    assertThat(jars.effects).containsExactly("upload", "delete");
  }

  private static Arguments run(String what, BiConsumer<FakeJars, FakeFlink> world, String outcome) {
    return Arguments.of(what, world, outcome);
  }

  static Stream<Arguments> runs() {
    RunAnswer refused = new RunAnswer.Refused("no topic");
    String open = CLUSTER_NOT_READY + ": Whether default/session has started job ";
    return Stream.of(
        run(
            "an id that Flink knows",
            (jars, flink) -> jars.answering(new RunAnswer.KnownAlready("submitted before")),
            STARTED),
        run(
            "a lost answer of a job that runs",
            (jars, flink) -> jars.losingTheAnswer(flink::running),
            STARTED),
        run(
            "a lost answer of a job that is not there",
            (jars, flink) -> jars.losingTheAnswer(() -> {}),
            open),
        run(
            "a JobManager that is gone with the answer",
            (jars, flink) -> jars.losingTheAnswer(() -> flink.up(false)),
            open),
        run(
            "a JobManager that is gone with a refusal",
            (jars, flink) -> jars.answering(() -> flink.up(false), refused),
            open),
        run(
            "a program that is refused",
            (jars, flink) -> jars.answering(refused),
            JOB_FAILED + NEVER + ": default/session does not run job "),
        run(
            "a program that is refused after its job was taken",
            (jars, flink) -> jars.answering(flink::running, refused),
            STARTED),
        run(
            "a job that Flink has failed at once",
            (jars, flink) -> jars.answering(() -> flink.job(FlinkJobState.FAILED, 0), refused),
            JOB_FAILED + NEVER + ": default/session does not run job "),
        run(
            "a jar that is gone at the run",
            (jars, flink) -> jars.afterUpload(jars::forget),
            CLUSTER_NOT_READY + ": default/session does not run job "),
        run(
            "a JobManager that does not answer",
            (jars, flink) -> flink.up(false),
            CLUSTER_NOT_READY + ": Job " + FakeFlink.JOB + " was not started"),
        run(
            "an upload that breaks off",
            (jars, flink) ->
                jars.refusingUploads(new FlinkRestException.Unreachable("reset", null)),
            CLUSTER_NOT_READY + ": Job " + FakeFlink.JOB + " was not started"),
        run(
            "an upload that is forbidden",
            (jars, flink) -> jars.refusingUploads(new FlinkRestException.Rejected("no")),
            CLUSTER_NOT_READY + NEVER + ": Job " + FakeFlink.JOB + " was not started"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("runs")
  void theOutcomeSaysWhatIsKnownOfTheJob(
      String what, BiConsumer<FakeJars, FakeFlink> world, String outcome) {
    world.accept(jars, flink);

    String failure = start();

    assertThat(failure).isEqualTo(outcome.isEmpty() ? STARTED : failure).startsWith(outcome);
    boolean surely = failure.contains("does not run job");
    assertThat(startedNothing)
        .hasValue(surely && flink.jobsOverview(null).jobs().isEmpty() ? 1 : 0);
  }

  @Test
  void theAttemptAfterALostAnswerFindsTheJobThatCameLater() {
    jars.losingTheAnswer(() -> {});
    assertThat(start()).isNotEqualTo(STARTED);
    flink.running();

    assertThat(start()).isEqualTo(STARTED);
    assertThat(jars.effects).containsOnlyOnce("run");
  }

  @Test
  void aJarInTheImageOrNoneIsRunFromTheClassPathWithAnEmptyJar() {
    for (String jar : new String[] {null, "local:///opt/job.jar"}) {
      flink.noJob();
      assertThat(start(job(jar, "Orders", Map.of()))).isEqualTo(STARTED);
      assertThat(fetched).isEqualTo(new ArtifactUri.ClassPath());
    }
    assertThat(jars.lastRun().configuration())
        .containsEntry("pipeline.classpaths", "file:///lib/a.jar;file:///opt/job.jar");
  }

  @Test
  void whatCannotBeFetchedDoesNotPass() {
    assertThat(start(job("s3://b/job.jar", "Orders", Map.of())))
        .startsWith(REFUSED + NEVER)
        .contains("spec.job.jarURI");
    assertThat(start(job("local:///job.jar", null, Map.of())))
        .startsWith(REFUSED + NEVER)
        .contains("spec.job.entryClass");
    assertThat(jars.effects).isEmpty();
  }

  /** The first time the lease is gone after the upload, then after the last look before the run. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void anAttemptThatLostItsLeaseRunsNothing(int call) {
    AtomicInteger calls = new AtomicInteger();

    Throwable thrown =
        catchThrowable(
            () ->
                starts.run(
                    SESSION, job(JAR, "Orders", Map.of()), () -> calls.incrementAndGet() != call));

    assertThat(thrown).isInstanceOf(ActGuard.NotLeasedException.class);
    assertThat(jars.effects).containsExactly("upload", "delete");
  }
}
