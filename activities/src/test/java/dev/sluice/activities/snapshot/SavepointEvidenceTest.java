package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.History;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.job.Savepoints;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose savepoint is it? Taking over that of another would delete it with this resource. */
class SavepointEvidenceTest {

  private static final Instant SENT = Instant.parse("2026-11-21T08:00:00Z");
  private static final String PATH = "file:/savepoints/savepoint-ab12cd-77";

  private final FakeFlink flink = new FakeFlink().running();
  private final FlinkDeployment deployment = Deployed.orders("default");
  private final List<FlinkStateSnapshot> others = new ArrayList<>();
  private Optional<List<String>> files = Optional.empty();

  private Optional<String> find() {
    return find(new SavepointSpec(null, null, null, null));
  }

  private Optional<String> find(SavepointSpec spec) {
    return new SavepointEvidence(
            flink,
            new Savepoints(
                (directory, job, since) -> files, Runnable::run, new SavepointLimiter(1, 1)),
            () -> others)
        .find(
            new JobOwner(
                "FlinkDeployment",
                Stored.of(deployment),
                Jobs.cluster(Map.of("state.savepoints.dir", "file:///savepoints"))),
            new Trigger("1", FakeFlink.JOB, SENT.toEpochMilli()),
            spec)
        .join();
  }

  /** What Flink remembers, of which the first is from before the trigger. */
  private void flinkTells(Completed... savepoints) {
    flinkTells(SENT.minusSeconds(10), savepoints);
  }

  private void flinkTells(Instant since, Completed... savepoints) {
    flink.checkpoints(
        new Checkpoints(
            new Checkpoints.Counts(1, 0, 1, 0, 0),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            new History(List.of(savepoints), Optional.of(since))));
  }

  private static Completed savepoint(Kind kind, Instant at) {
    return savepoint(7, kind, PATH, at);
  }

  private static Completed savepoint(long id, Kind kind, String path, Instant at) {
    return new Completed(id, kind, Optional.of(path), false, at);
  }

  private void other(SnapshotState state, String path, String job) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setStatus(
        FlinkStateSnapshotStatus.EMPTY.withState(state).withPath(path).withJobId(job));
    others.add(snapshot);
  }

  @Test
  void theOnlySavepointThatFlinkTookSinceTheTriggerIsFound() {
    flinkTells(
        savepoint(Kind.SAVEPOINT, SENT.plusSeconds(1)),
        savepoint(6, Kind.SAVEPOINT, PATH + "6", SENT.minusSeconds(5)));

    assertThat(find()).contains(PATH);
  }

  @Test
  void anOlderOneIsNot() {
    flinkTells(savepoint(Kind.SAVEPOINT, SENT.minusSeconds(1)));

    assertThat(find()).isEmpty();
  }

  /** Somebody may have taken one of them with Flink's command line. */
  @Test
  void twoThatFlinkTookAreNotToldFromEachOther() {
    flinkTells(
        savepoint(Kind.SAVEPOINT, SENT.plusSeconds(1)),
        savepoint(8, Kind.SAVEPOINT, PATH + "8", SENT.plusSeconds(2)));

    assertThat(find()).isEmpty();
  }

  @Test
  void oneInADirectoryThatWasNotAskedForIsSomebodyElses() {
    flinkTells(savepoint(Kind.SAVEPOINT, SENT.plusSeconds(1)));

    assertThat(find(new SavepointSpec("s3://bucket/mine", null, null, null))).isEmpty();
  }

  @Test
  void theDirectoryOfTheSpecCounts() {
    String there = "s3://bucket/mine/savepoint-ab12cd-1";
    flinkTells(savepoint(7, Kind.SAVEPOINT, there, SENT.plusSeconds(1)));

    assertThat(find(new SavepointSpec("s3://bucket/mine/", null, null, null))).contains(there);
  }

  @Test
  void whereFlinkHasForgottenWhatWasFirstSinceTheTriggerThereMayBeOthers() {
    flinkTells(SENT.plusMillis(1), savepoint(Kind.SAVEPOINT, SENT.plusSeconds(1)));

    assertThat(find()).isEmpty();
  }

  @Test
  void thenItsDirectoryTells() {
    flinkTells(SENT.plusMillis(1), savepoint(Kind.SAVEPOINT, SENT.plusSeconds(1)));
    files = Optional.of(List.of(PATH));

    assertThat(find()).contains(PATH);
  }

  @Test
  void oneThatWasTriggeredBeforeAndCompletedSinceIsOfAnotherAttempt() {
    flinkTells(savepoint(Kind.SAVEPOINT, SENT.minusSeconds(1)));
    files = Optional.of(List.of(PATH));

    assertThat(find()).isEmpty();
  }

  @Test
  void oneThatOnlyFlinkTellsOfIsAnotherThanTheOneInTheDirectory() {
    flinkTells(savepoint(8, Kind.SAVEPOINT, "s3://other/savepoint-x", SENT.plusSeconds(1)));
    files = Optional.of(List.of(PATH));

    assertThat(find()).isEmpty();
  }

  @Test
  void oneThatTheJobWasStoppedWithBelongsToAnUpgrade() {
    flinkTells(savepoint(Kind.STOP_SAVEPOINT, SENT.plusSeconds(1)));
    files = Optional.of(List.of(PATH));

    assertThat(find()).isEmpty();
  }

  @Test
  void oneThatIsDeletedIsNot() {
    flinkTells(new Completed(7, Kind.SAVEPOINT, Optional.of(PATH), true, SENT.plusSeconds(1)));

    assertThat(find()).isEmpty();
  }

  @Test
  void theOnlyOneInTheDirectoryIsFound() {
    files = Optional.of(List.of(PATH));

    assertThat(find()).contains(PATH);
  }

  @Test
  void twoInTheDirectoryAreNotToldFromEachOther() {
    files = Optional.of(List.of(PATH, PATH + "8"));

    assertThat(find()).isEmpty();
  }

  @Test
  void oneThatAnotherSnapshotHasIsItsOwn() {
    files = Optional.of(List.of(PATH));
    other(SnapshotState.COMPLETED, PATH, FakeFlink.JOB);

    assertThat(find()).isEmpty();
  }

  @Test
  void oneThatAnotherSnapshotMayBeTakingIsNotTakenOver() {
    files = Optional.of(List.of(PATH));
    other(SnapshotState.IN_PROGRESS, null, FakeFlink.JOB);

    assertThat(find()).isEmpty();
  }

  @Test
  void aSnapshotOfAnotherJobDoesNotMatter() {
    files = Optional.of(List.of(PATH));
    other(SnapshotState.IN_PROGRESS, null, "0123456789abcdef0123456789abcdef");

    assertThat(find()).contains(PATH);
  }

  /** FLINK-38033: the savepoint of an upgrade was disposed of by accident. */
  @Test
  void flink38033OneThatTheDeploymentStartsFromIsNotTakenOver() {
    files = Optional.of(List.of(PATH));
    deployment.setSpec(
        deployment.getSpec().withJob(deployment.getSpec().job().withInitialSavepointPath(PATH)));

    assertThat(find()).isEmpty();
  }

  @Test
  void nothingIsFoundWhereNothingCanBeSeen() {
    flink.up(false);

    assertThat(find()).isEmpty();
  }
}
