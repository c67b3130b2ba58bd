package dev.sluice.activities.jar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.activities.artifact.ArtifactUri;
import dev.sluice.activities.artifact.FetchedArtifact;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JarRun;
import dev.sluice.activities.jar.StartOutcome.FailedAtOnce;
import dev.sluice.activities.jar.StartOutcome.NotStarted;
import dev.sluice.activities.jar.StartOutcome.Part;
import dev.sluice.activities.jar.StartOutcome.Started;
import dev.sluice.activities.jar.StartOutcome.Unknown;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeJars;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.workflows.model.ClusterRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarStartTest {

  private static final String SHA = "0123456789abcdef".repeat(4);
  private static final String NAME = "sluice-" + SHA + ".jar";

  @TempDir Path folder;
  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeJars jars = new FakeJars(flink, clock);
  private final JarStart starts = new JarStart(flink, jars, this::fetch, clock);
  private int fetches;
  private @Nullable ArtifactUri fetched;

  private FetchedArtifact fetch(ArtifactUri from, Map<String, String> configuration) {
    fetches++;
    fetched = from;
    try {
      Path file = Files.createTempFile(folder, "artifact", ".jar");
      return new FetchedArtifact(file, SHA, 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private StartOutcome start() {
    return start(() -> {});
  }

  private StartOutcome start(JarStart.Lease alive) {
    return start("https://repo.example.com/job.jar", FlinkVersion.V2_2, null, alive);
  }

  private StartOutcome start(
      String jar, FlinkVersion version, @Nullable String entryClass, JarStart.Lease alive) {
    return starts.start(
        new JarStart.Request(
            Endpoint.of(new ClusterRef("default", "session")),
            ArtifactUri.parse(jar),
            Map.of(),
            new JarRun(
                version,
                FakeFlink.JOB,
                new JarRun.Program(entryClass, List.of(), 1),
                null,
                Map.of("pipeline.classpaths", "file:///lib/a.jar"))),
        alive);
  }

  private void assertNoFileIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  private static FlinkRestException unreachable() {
    return new FlinkRestException.Unreachable("default/session: no answer", null);
  }

  @Test
  void aJobIsFetchedUploadedAndRun() throws IOException {
    assertThat(start()).isEqualTo(new Started());

    assertThat(jars.effects).containsExactly("upload", "run", "delete");
    assertNoFileIsLeft();
  }

  @Test
  void aJobThatFlinkHasIsNotTouched() {
    flink.running();

    assertThat(start()).isEqualTo(new Started());

    assertThat(fetches).isZero();
    assertThat(jars.effects).isEmpty();
  }

  @Test
  void aJobThatFlinkHasEndedIsNotStartedAgain() {
    flink.job(FlinkJobState.CANCELED, 0);

    assertThat(start()).isEqualTo(new Started());

    assertThat(jars.effects).isEmpty();
  }

  @Test
  void anEarlierAttemptThatComesThroughWhileTheJarIsUploadedIsNoticed() {
    jars.afterUpload(flink::running);

    assertThat(start()).isEqualTo(new Started());

    assertThat(jars.effects).containsExactly("upload", "delete");
  }

  @Test
  void aJarThatIsThereIsUsedAgain() {
    jars.having(NAME);

    assertThat(start()).isEqualTo(new Started());

    assertThat(jars.effects).containsExactly("run", "delete");
  }

  @Test
  void aJarThatAnotherStartUsesStays() {
    jars.losingTheAnswer(
        () -> {
          // meanwhile, another start of the same jar
          start();
          assertThat(jars.names()).containsExactly(NAME);
        });

    start();

    assertThat(jars.names()).isEmpty();
  }

  @Test
  void jarsThatAKilledWorkerLeftAreDeletedAndThoseOfOthersAreNot() {
    jars.having("sluice-" + "f".repeat(64) + ".jar");
    jars.having("somebodys.jar");
    clock.advance(Duration.ofHours(2));
    jars.having("sluice-" + "e".repeat(64) + ".jar");

    start();

    assertThat(jars.names()).containsExactly("somebodys.jar", "sluice-" + "e".repeat(64) + ".jar");
  }

  @Test
  void aJarThatIsGoneAtTheRunIsUploadedAgain() {
    jars.answering(jars::forget, new RunAnswer.JarMissing("gone"));

    assertThat(start()).isEqualTo(new Started());

    assertThat(jars.effects).containsExactly("upload", "run", "delete", "upload", "run", "delete");
  }

  /** Another worker needs it no more while the program of this one still reads it. */
  @Test
  void aJarThatIsDeletedWhileItsProgramRunsIsUploadedAgain() {
    jars.answering(jars::forget, new RunAnswer.Refused("FileNotFoundException: /x/job.jar"));

    assertThat(start()).isEqualTo(new Started());

    assertThat(jars.effects).containsExactly("upload", "run", "delete", "upload", "run", "delete");
  }

  @Test
  void aFileThatTheProgramItselfMissesIsNotTheJar() {
    jars.answering(new RunAnswer.JarMissing("File file:/in does not exist"));

    assertThat(start())
        .isEqualTo(new NotStarted(Part.PROGRAM, "File file:/in does not exist", false));
    assertThat(jars.effects).containsExactly("upload", "run", "delete");
  }

  @Test
  void aJobManagerThatIsRestartedAfterTheUploadGetsTheJarAgain() {
    jars.afterUpload(
        () -> {
          if (jars.effects.size() == 1) {
            jars.forget();
          }
        });

    assertThat(start()).isEqualTo(new Started());
  }

  @Test
  void aJarThatIsAlwaysGoneEndsTheAttempt() {
    jars.afterUpload(jars::forget);

    assertThat(start())
        .isInstanceOfSatisfying(
            NotStarted.class,
            it -> {
              assertThat(it.failed()).isEqualTo(Part.JOB_MANAGER);
              assertThat(it.mayPass()).isTrue();
            });
  }

  @Test
  void anIdThatFlinkKnowsIsAStartedJob() {
    jars.answering(new RunAnswer.KnownAlready("Job has already been submitted"));

    assertThat(start()).isEqualTo(new Started());
  }

  @Test
  void aLostAnswerOfAJobThatRunsIsAStart() {
    jars.losingTheAnswer(flink::running);

    assertThat(start()).isEqualTo(new Started());
  }

  @Test
  void aLostAnswerOfAJobThatIsNotThereLeavesItOpen() {
    jars.losingTheAnswer(() -> {});

    assertThat(start()).isEqualTo(new Unknown("orders: POST run got no answer"));
  }

  @Test
  void aJobManagerThatIsGoneWithTheAnswerLeavesItOpen() {
    jars.losingTheAnswer(() -> flink.up(false));

    assertThat(start()).isInstanceOf(Unknown.class);
  }

  @Test
  void theAttemptAfterALostAnswerFindsTheJobThatCameLater() {
    jars.losingTheAnswer(() -> {});
    start();
    flink.running();

    assertThat(start()).isEqualTo(new Started());
    assertThat(jars.effects).containsOnlyOnce("run");
  }

  @Test
  void aProgramThatIsRefusedIsNotStarted() {
    jars.answering(new RunAnswer.Refused("no topic"));

    assertThat(start()).isEqualTo(new NotStarted(Part.PROGRAM, "no topic", false));
  }

  @Test
  void aProgramThatIsRefusedAfterItsJobWasTakenIsAStart() {
    jars.answering(flink::running, new RunAnswer.Refused("main failed after execute"));

    assertThat(start()).isEqualTo(new Started());
  }

  @Test
  void aJobThatFlinkFailedAtOnceIsToldApart() {
    jars.answering(
        () -> flink.job(FlinkJobState.FAILED, 0), new RunAnswer.Refused("no savepoint there"));

    assertThat(start()).isEqualTo(new FailedAtOnce("no savepoint there"));
  }

  @Test
  void aJobThatFailedAtOnceIsToldApartAlsoWhenItsJarIsGoneMeanwhile() {
    jars.answering(
        () -> {
          flink.job(FlinkJobState.FAILED, 0);
          jars.forget();
        },
        new RunAnswer.Refused("no savepoint there"));

    assertThat(start()).isEqualTo(new FailedAtOnce("no savepoint there"));
  }

  @Test
  void aJobManagerThatDoesNotAnswerStartsNothingAndMayPass() {
    flink.up(false);

    assertThat(start())
        .isInstanceOfSatisfying(
            NotStarted.class,
            it -> {
              assertThat(it.failed()).isEqualTo(Part.JOB_MANAGER);
              assertThat(it.mayPass()).isTrue();
            });
    assertThat(fetches).isZero();
  }

  @Test
  void anUploadThatBreaksOffStartsNothingAndMayPass() throws IOException {
    jars.refusingUploads(unreachable());

    assertThat(start())
        .isEqualTo(new NotStarted(Part.JOB_MANAGER, "default/session: no answer", true));
    assertThat(jars.effects).isEmpty();
    assertNoFileIsLeft();
  }

  @Test
  void anUploadThatIsForbiddenDoesNotPass() {
    jars.refusingUploads(new FlinkRestException.Rejected(403, "web.submit.enable is false"));

    assertThat(start())
        .isEqualTo(new NotStarted(Part.JOB_MANAGER, "web.submit.enable is false", false));
  }

  @Test
  void aJarInTheImageIsPutOnTheClassPath() {
    start("local:///opt/flink/usrlib/job.jar", FlinkVersion.V2_2, "com.example.Orders", () -> {});

    assertThat(fetched).isEqualTo(new ArtifactUri.ClassPath());
    assertThat(jars.lastRun().configuration())
        .containsEntry("pipeline.classpaths", "file:///lib/a.jar;file:///opt/flink/usrlib/job.jar");
  }

  @Test
  void aJarInTheImageNeedsTheNameOfItsMainClass() {
    assertThat(start("local:///job.jar", FlinkVersion.V2_2, null, () -> {}))
        .isInstanceOfSatisfying(
            NotStarted.class, it -> assertThat(it.why()).contains("spec.job.entryClass"));
    assertThat(jars.effects).isEmpty();
  }

  @Test
  void aJarInTheImageOfAnOldFlinkIsRefused() {
    assertThat(start("local:///job.jar", FlinkVersion.V1_16, "com.example.Orders", () -> {}))
        .isInstanceOfSatisfying(
            NotStarted.class, it -> assertThat(it.why()).contains("from 1.17 on"));
    assertThat(jars.effects).isEmpty();
  }

  @Test
  void anAttemptThatLostItsLeaseRunsNothing() throws IOException {
    Throwable thrown =
        catchThrowable(
            () ->
                start(
                    () -> {
                      if (jars.effects.contains("upload")) {
                        throw new CancellationException("not alive");
                      }
                    }));

    assertThat(thrown).isInstanceOf(CancellationException.class);
    assertThat(jars.effects).doesNotContain("run");
    assertNoFileIsLeft();
  }

  @Test
  void anAttemptThatLostItsLeaseAfterItsLastLookRunsNothing() {
    AtomicInteger asked = new AtomicInteger();
    Throwable thrown =
        catchThrowable(
            () ->
                start(
                    () -> {
                      if (flink.requests == 2 && asked.incrementAndGet() == 1) {
                        throw new CancellationException("not alive");
                      }
                    }));

    assertThat(thrown).isInstanceOf(CancellationException.class);
    assertThat(jars.effects).contains("upload").doesNotContain("run");
  }

  @Test
  void aWorkerThatWasPausedLooksAgainBeforeItRunsTheJob() {
    flink.afterJobs(
        () -> {
          if (flink.requests == 2) {
            clock.advance(Duration.ofMinutes(10));
            jars.run(FakeFlink.JOB);
          }
        });

    assertThat(start()).isEqualTo(new Started());

    assertThat(jars.effects).doesNotContain("run");
  }
}
