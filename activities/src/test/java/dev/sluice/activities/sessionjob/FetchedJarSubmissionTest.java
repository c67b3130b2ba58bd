package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.activities.artifact.ArtifactUri;
import dev.sluice.activities.artifact.FetchedArtifact;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.activities.jar.JarStart;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeJars;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterRef;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a start is asked for, and which failure its outcome is. */
class FetchedJarSubmissionTest {

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeJars jars = new FakeJars(flink, clock);
  private final FetchedJarSubmission submission =
      new FetchedJarSubmission(new JarStart(flink, jars, this::fetch, clock));
  private @Nullable ArtifactUri fetched;
  private Map<String, String> fetchedWith = Map.of();

  private FetchedArtifact fetch(ArtifactUri from, Map<String, String> configuration) {
    fetched = from;
    fetchedWith = configuration;
    return new FetchedArtifact(Path.of("/no/such/file"), "0".repeat(64), 1);
  }

  private static JarSubmission.Run job(@Nullable String jarUri, @Nullable String savepoint) {
    return job(jarUri, savepoint, Map.of());
  }

  private static JarSubmission.Run job(
      @Nullable String jarUri, @Nullable String savepoint, Map<String, String> more) {
    return new JarSubmission.Run(
        FakeFlink.JOB,
        jarUri,
        "com.example.Orders",
        List.of("--topic", "orders"),
        4,
        savepoint,
        true,
        FlinkConfiguration.of(
                Map.of(
                    "pipeline.name",
                    "orders",
                    "kubernetes.operator.user.artifacts.http.header",
                    "A:b"))
            .withAll(more),
        FlinkVersion.V1_20);
  }

  private void run() {
    run("https://repo.example.com/job.jar");
  }

  private void run(@Nullable String jarUri) {
    submission.run(Endpoint.of(new ClusterRef("default", "session")), job(jarUri, null), () -> {});
  }

  private ApplicationFailure failure() {
    return catchThrowableOfType(ApplicationFailure.class, this::run);
  }

  private static void assertFailure(
      ApplicationFailure failure, String type, boolean mayPass, String words) {
    assertThat(failure.getType()).isEqualTo(type);
    assertThat(failure.isNonRetryable()).isEqualTo(!mayPass);
    assertThat(failure.getOriginalMessage()).contains(words);
  }

  @Test
  void everythingOfTheJobIsRun() {
    submission.run(
        Endpoint.of(new ClusterRef("default", "session")),
        job("https://repo.example.com/job.jar", "s3://b/sp/1"),
        () -> {});

    assertThat(jars.lastRun())
        .isEqualTo(
            new JarRun(
                FlinkVersion.V1_20,
                FakeFlink.JOB,
                new JarRun.Program("com.example.Orders", List.of("--topic", "orders"), 4),
                new JarRun.Restore("s3://b/sp/1", true, "NO_CLAIM"),
                Map.of("pipeline.name", "orders")));
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
    submission.run(
        Endpoint.of(new ClusterRef("default", "session")),
        job("https://repo.example.com/job.jar", null, Map.of(key, "CLAIM")),
        () -> {});

    assertThat(jars.lastRun().restore()).isNull();
    assertThat(jars.lastRun().configuration()).containsOnlyKeys("pipeline.name");
  }

  @Test
  void theHeadersOfTheResourceAreForTheFetchAlone() {
    run();

    assertThat(fetchedWith).containsKey("kubernetes.operator.user.artifacts.http.header");
    assertThat(jars.lastRun().configuration()).containsOnlyKeys("pipeline.name");
  }

  @Test
  void withoutAJarTheClassIsOnTheClassPath() {
    run(null);

    assertThat(fetched).isEqualTo(new ArtifactUri.ClassPath());
  }

  @Test
  void aJobThatFlinkHasIsNoFailure() {
    flink.running();

    assertThatCode(this::run).doesNotThrowAnyException();
  }

  @Test
  void aUriThatCannotBeFetchedDoesNotPass() {
    ApplicationFailure failure =
        catchThrowableOfType(ApplicationFailure.class, () -> run("s3://b/job.jar"));

    assertFailure(failure, FailureType.REFUSED, false, "spec.job.jarURI");
  }

  @Test
  void aJobManagerThatDoesNotAnswerMayPass() {
    flink.up(false);

    assertFailure(failure(), FailureType.CLUSTER_NOT_READY, true, "was not started");
  }

  @Test
  void aJobManagerThatTakesNoJarsDoesNotPass() {
    jars.refusingUploads(new FlinkRestException.Rejected(403, "web.submit.enable is false"));

    assertFailure(failure(), FailureType.CLUSTER_NOT_READY, false, "web.submit.enable");
  }

  @Test
  void aLostAnswerMayPassAndSaysThatTheJobMayRun() {
    jars.losingTheAnswer(() -> {});

    assertFailure(failure(), FailureType.CLUSTER_NOT_READY, true, "is not known");
  }

  @Test
  void aProgramThatIsRefusedDoesNotPass() {
    jars.answering(new RunAnswer.Refused("no topic"));

    assertFailure(failure(), FailureType.JOB_FAILED, false, "no topic");
  }

  @Test
  void aJobThatFailedAtOnceDoesNotPass() {
    jars.answering(
        () -> flink.job(FlinkJobState.FAILED, 0), new RunAnswer.Refused("no savepoint there"));

    assertFailure(failure(), FailureType.JOB_FAILED, false, "failed at once: no savepoint there");
  }
}
