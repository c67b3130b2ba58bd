package dev.sluice.activities.application;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.activities.support.Stats;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.ApplicationActivities.FindStateRequest;
import dev.sluice.workflows.application.FoundState;
import dev.sluice.workflows.application.FoundState.Alive;
import dev.sluice.workflows.application.FoundState.Found;
import dev.sluice.workflows.application.FoundState.None;
import dev.sluice.workflows.application.FoundState.TooOld;
import dev.sluice.workflows.application.FoundState.Unknown;
import dev.sluice.workflows.model.StateRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateSearchTest extends VersionJobScenario {

  private static final String CHECKPOINT = "s3://bucket/chk-7";
  private static final String SAVEPOINT = "s3://bucket/savepoint-ab12cd-1";

  @TempDir Path folder;
  private ApplicationJobStatus known = ApplicationJobStatus.EMPTY;
  private @Nullable Long stopSinceMs;
  private OptionalLong inMetadata = OptionalLong.empty();

  private FoundState found() {
    StateSearch search =
        new StateSearch(
            new FindStateRequest(
                Applications.request(clock.in(Duration.ofMinutes(2))),
                Duration.ofHours(1).toMillis()),
            version,
            JOB,
            new StateSearch.Known(known, stopSinceMs),
            job(),
            new StateSearch.Sources(flink, presence(), files(), () -> inMetadata, clock));
    return outcome(search::look);
  }

  private void lastSeen(Duration age) {
    known =
        ApplicationJobStatus.EMPTY
            .withJobID(JOB)
            .withLastCheckpoint(CHECKPOINT)
            .withLastCheckpointTime(clock.instant().minus(age).toString());
  }

  private void configured(String key, String value) {
    version =
        new FrozenVersion(
            version.application(),
            version.ref(),
            version.spec().withFlinkConfig(JsonNodeFactory.instance.objectNode().put(key, value)));
  }

  @Test
  void whatAFailedJobHasLeftIsFlinksOwnWord() {
    flink
        .job(FlinkJobState.FAILED, 0)
        .checkpoints(Applications.checkpoint(CHECKPOINT, clock.instant(), Duration.ofMinutes(5)));

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class,
            found -> {
              assertThat(found.state()).isEqualTo(new StateRef.Checkpoint(CHECKPOINT));
              assertThat(found.ageMs()).isBetween(300_000L, 310_000L);
            });
  }

  /** W3: Lyft's operator accepts one of ten days. */
  @Test
  void aCheckpointThatIsOlderThanAllowedIsNotTaken() {
    flink
        .job(FlinkJobState.FAILED, 0)
        .checkpoints(Applications.checkpoint(CHECKPOINT, clock.instant(), Duration.ofDays(10)));

    assertThat(found()).isInstanceOf(TooOld.class);
  }

  @Test
  void ofAJobThatIsAliveNothingWasLost() {
    assertThat(found()).isInstanceOf(Alive.class);
  }

  /** Flink deletes its checkpoints. */
  @Test
  void aJobThatFinishedByItselfHasNoStateLeft() {
    flink
        .job(FlinkJobState.FINISHED, 0)
        .checkpoints(Applications.checkpoint(CHECKPOINT, clock.instant(), Duration.ZERO));

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class, found -> assertThat(found.state()).isInstanceOf(StateRef.Empty.class));
  }

  @Test
  void aSavepointOfAJobThatFinishedByItselfStays() {
    flink
        .job(FlinkJobState.FINISHED, 0)
        .checkpoints(Stats.none().savepoint(7, SAVEPOINT).checkpoint(8, CHECKPOINT).build());

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class,
            found -> assertThat(found.state()).isEqualTo(new StateRef.Savepoint(SAVEPOINT)));
  }

  @Test
  void aJobThatWasForgottenAfterItHadFinishedHasNoStateLeft() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));
    known = known.withState(FlinkJobState.FINISHED);

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class, found -> assertThat(found.state()).isInstanceOf(StateRef.Empty.class));
  }

  /** {@code flink stop} by hand, and Flink has forgotten it since. */
  @Test
  void aSavepointOfAJobThatWasForgottenAfterItHadFinishedIsItsState() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));
    known = known.withState(FlinkJobState.FINISHED);
    savepointsInDirectory = Optional.of(List.of("file:/savepoints/savepoint-ab12cd-77"));

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class,
            found ->
                assertThat(found.state())
                    .isEqualTo(new StateRef.Savepoint("file:/savepoints/savepoint-ab12cd-77")));
  }

  @Test
  void aJobThatHadFinishedMayHaveBeenStoppedWithASavepointThatNobodyCanSee() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));
    known = known.withState(FlinkJobState.FINISHED);
    savepointsInDirectory = Optional.empty();

    assertThat(found())
        .isInstanceOfSatisfying(Unknown.class, unknown -> assertThat(unknown.forGood()).isTrue());
  }

  /** W7: the JobManager was restarted, without high availability. */
  @Test
  void ofAJobThatWasLostTheLastCheckpointInTheStatusCounts() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class,
            found -> {
              assertThat(found.state()).isEqualTo(new StateRef.Checkpoint(CHECKPOINT));
              assertThat(found.how()).contains("status");
            });
  }

  @Test
  void theLastCheckpointInTheStatusMayBeTooOld() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(61));

    assertThat(found()).isInstanceOf(TooOld.class);
  }

  @Test
  void theCheckpointOfAnotherJobIsNotTaken() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));
    known = known.withJobID("another");

    assertThat(found()).isInstanceOf(None.class);
  }

  @Test
  void aStateOfUnknownAgeIsNotKnownToBeYoungEnough() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));
    known = known.withLastCheckpointTime(null);

    assertThat(found())
        .isInstanceOfSatisfying(TooOld.class, tooOld -> assertThat(tooOld.ageMs()).isEqualTo(-1));
  }

  private void stored(int id, Duration age) throws IOException {
    Path checkpoint = Files.createDirectories(folder.resolve(JOB).resolve("chk-" + id));
    Files.writeString(checkpoint.resolve("_metadata"), "x");
    Files.setLastModifiedTime(
        checkpoint.resolve("_metadata"), FileTime.from(clock.instant().minus(age)));
    configured("state.checkpoints.dir", folder.toUri().toString());
  }

  @Test
  void aNewerCheckpointInTheStorageIsTakenBeforeTheOneOfTheStatus() throws IOException {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));
    stored(9, Duration.ofMinutes(1));

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class, found -> assertThat(found.state().pathOrNull()).endsWith("chk-9"));
  }

  @Test
  void aNewerSavepointOfTheStatusIsTakenBeforeTheCheckpointInTheStorage() throws IOException {
    flink.noJob();
    lastSeen(Duration.ofMinutes(1));
    known = known.withLastCheckpoint(SAVEPOINT);
    stored(9, Duration.ofMinutes(5));

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class,
            found -> assertThat(found.state()).isEqualTo(new StateRef.Savepoint(SAVEPOINT)));
  }

  @Test
  void anOlderCheckpointInTheStorageDoesNotReplaceOneThatIsNotThereAnyMore() throws IOException {
    flink.noJob();
    lastSeen(Duration.ofMinutes(1));
    known = known.withLastCheckpoint(folder.resolve(JOB).resolve("chk-12").toString());
    stored(9, Duration.ofMinutes(5));

    assertThat(found()).isNotInstanceOf(Found.class);
  }

  @Test
  void whatAJobWithoutCheckpointsWasRestoredFromIsItsNewestState() {
    flink.noJob();
    known =
        ApplicationJobStatus.EMPTY
            .withJobID(JOB)
            .withRestorePath("s3://bucket/savepoint-ab12cd-1")
            .withRestoreTime(clock.instant().toString());

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class,
            found ->
                assertThat(found.state())
                    .isEqualTo(new StateRef.Savepoint("s3://bucket/savepoint-ab12cd-1")));
  }

  @Test
  void aClusterThatIsGoneHasLostItsJob() {
    clusterIsGone();
    lastSeen(Duration.ofMinutes(5));

    assertThat(found()).isInstanceOf(Found.class);
  }

  @Test
  void aJobManagerThatCannotStartHasLostItsJob() {
    flink.up(false);
    lastSeen(Duration.ofMinutes(5));

    assertThat(found()).isInstanceOf(Found.class);
  }

  @Test
  void aSilentJobManagerThatRunsMayHaveTheJob() {
    flink.up(false);
    lastSeen(Duration.ofMinutes(5));
    jobManagerRuns();

    assertThat(found()).isInstanceOf(Unknown.class);
  }

  @Test
  void withHighAvailabilityTheNextJobManagerHasTheJobAgain() {
    flink.up(false);
    lastSeen(Duration.ofMinutes(5));
    configured("high-availability", "zookeeper");

    assertThat(found()).isInstanceOf(Unknown.class);
  }

  @Test
  void aSavepointThatTheJobWasStoppedWithIsNewerThanItsCheckpoints() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));
    stopSinceMs = clock.millis();
    savepointsInDirectory = Optional.of(List.of("file:/savepoints/savepoint-ab12cd-77"));

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class,
            found ->
                assertThat(found.state())
                    .isEqualTo(new StateRef.Savepoint("file:/savepoints/savepoint-ab12cd-77")));
  }

  /** In S3, for instance, nothing can be listed. */
  @Test
  void noOlderStateReplacesASavepointThatTheJobMayHaveBeenStoppedWith() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));
    stopSinceMs = clock.millis();
    savepointsInDirectory = Optional.empty();

    assertThat(found()).isNotInstanceOf(Found.class).isNotInstanceOf(None.class);
  }

  @Test
  void ofSeveralSavepointsSinceTheStopNoneIsTaken() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));
    stopSinceMs = clock.millis();
    savepointsInDirectory = Optional.of(List.of(SAVEPOINT, SAVEPOINT + "2"));

    assertThat(found()).isNotInstanceOf(Found.class).isNotInstanceOf(None.class);
  }

  @Test
  void aStopThatHasLeftNoSavepointWasNone() {
    flink.noJob();
    lastSeen(Duration.ofMinutes(5));
    stopSinceMs = clock.millis();

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class,
            found -> assertThat(found.state()).isEqualTo(new StateRef.Checkpoint(CHECKPOINT)));
  }

  @Test
  void aSavepointSinceTheStopThatTheStatusHasSeenIsWhatTheJobWasStoppedWith() {
    flink.noJob();
    stopSinceMs = clock.millis();
    lastSeen(Duration.ZERO);
    known = known.withLastCheckpoint(SAVEPOINT);
    savepointsInDirectory = Optional.empty();

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class,
            found -> assertThat(found.state()).isEqualTo(new StateRef.Savepoint(SAVEPOINT)));
  }

  @Test
  void aNewerCheckpointInTheHighAvailabilityMetadataIsTakenBeforeTheOneOfTheStatus() {
    clusterIsGone();
    lastSeen(Duration.ofMinutes(5));
    known = known.withLastCheckpoint("s3://bucket/" + JOB + "/chk-7");
    inMetadata = OptionalLong.of(9);

    assertThat(found())
        .isInstanceOfSatisfying(
            Found.class,
            found ->
                assertThat(found.state())
                    .isEqualTo(new StateRef.Checkpoint("s3://bucket/" + JOB + "/chk-9")));
  }
}
