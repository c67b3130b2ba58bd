package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
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
    return new SavepointEvidence(
            flink,
            new Savepoints(
                (directory, job, since) -> files, Runnable::run, new SavepointLimiter(1, 1)),
            () -> others)
        .find(
            new JobOwner(
                "FlinkDeployment",
                Stored.of(deployment),
                Jobs.cluster(Map.of("state.savepoints.dir", "file:/savepoints"))),
            new Trigger("1", FakeFlink.JOB, SENT.toEpochMilli()),
            new SavepointSpec(null, null, null, null))
        .join();
  }

  private void flinkTells(Kind kind, Instant at, boolean discarded) {
    flink.checkpoints(
        new Checkpoints(
            new Checkpoints.Counts(1, 0, 1, 0, 0),
            Optional.empty(),
            Optional.of(new Completed(7, kind, Optional.of(PATH), discarded, at)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  private void other(SnapshotState state, String path, String job) {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setStatus(
        FlinkStateSnapshotStatus.EMPTY.withState(state).withPath(path).withJobId(job));
    others.add(snapshot);
  }

  @Test
  void aSavepointThatFlinkTookSinceTheTriggerIsFound() {
    flinkTells(Kind.SAVEPOINT, SENT.plusSeconds(1), false);

    assertThat(find()).contains(PATH);
  }

  @Test
  void anOlderOneIsNot() {
    flinkTells(Kind.SAVEPOINT, SENT.minusSeconds(1), false);

    assertThat(find()).isEmpty();
  }

  @Test
  void oneThatTheJobWasStoppedWithBelongsToAnUpgrade() {
    flinkTells(Kind.STOP_SAVEPOINT, SENT.plusSeconds(1), false);

    assertThat(find()).isEmpty();
  }

  @Test
  void oneThatIsDeletedIsNot() {
    flinkTells(Kind.SAVEPOINT, SENT.plusSeconds(1), true);

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
