package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.controller.support.MovableClock;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is removed of the history that a status has; three are kept. */
class StatusCleanupTest {

  private static final String COUNT = "kubernetes.operator.savepoint.history.max.count";

  private final MovableClock clock = new MovableClock(Deployed.NOW);
  private Set<String> left = Set.of();
  private final AtomicInteger listed = new AtomicInteger();
  private final StatusCleanup cleanup = new StatusCleanup(clock, new RevisionStates(ref -> left()));

  private Set<String> left() {
    listed.incrementAndGet();
    return left;
  }

  private static Deployed up(int savepoints) {
    return up(IntStream.rangeClosed(1, savepoints).mapToObj(i -> "s3://b/savepoint-" + i).toList());
  }

  private static Deployed up(List<String> locations) {
    List<Savepoint> history =
        locations.stream()
            .map(it -> new Savepoint(Deployed.NOW.toEpochMilli(), it, "MANUAL", "NATIVE", 1L))
            .toList();
    Deployed given = Deployed.running().configured(COUNT, "3").job(FlinkJobState.RUNNING, true);
    JobStatus job = given.resource().getStatus().jobStatus();
    return given.jobStatus(
        (job == null ? JobStatus.EMPTY : job)
            .withSavepointInfo(new SavepointInfo(null, null, null, null, null, history, 0)));
  }

  private String removal(Deployed given) {
    return removal(given, List.of(), List.of());
  }

  private String removal(
      Deployed given, List<FlinkDeployment> resources, List<FlinkStateSnapshot> snapshots) {
    return removal(cleanup, given, resources, snapshots);
  }

  private static String removal(
      StatusCleanup cleanup,
      Deployed given,
      List<FlinkDeployment> resources,
      List<FlinkStateSnapshot> snapshots) {
    return cleanup
        .carryOut(
            given.snapshot(),
            SnapshotTriggers.NONE,
            new SnapshotCleanup.Others(() -> List.copyOf(resources), () -> snapshots),
            FlinkConfiguration.empty(),
            true)
        .triggers()
        .removal();
  }

  @Test
  void theOldestThatIsTooMuchGoes() {
    assertThat(removal(up(4))).isEqualTo("s3://b/savepoint-1");
    assertThat(removal(up(3))).isNull();
  }

  /** What older operators took with FlinkStateSnapshots switched on has nobody else. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void itGoesWhetherThereAreFlinkStateSnapshotsOrNot(String enabled) {
    assertThat(removal(up(4).configured("kubernetes.operator.snapshot.resource.enabled", enabled)))
        .isEqualTo("s3://b/savepoint-1");
  }

  /** Its JobManager deletes the files. */
  @Test
  void nothingGoesWhileTheJobIsNotUp() {
    assertThat(removal(up(4).job(FlinkJobState.RESTARTING, false))).isNull();
  }

  /** FLINK-38033. */
  @Test
  void whatItsOwnResourceMayBeStartedFromStays() {
    Deployed given = up(5);
    JobStatus job = given.resource().getStatus().jobStatus();

    assertThat(removal(given.jobStatus(job.withUpgradeSavepointPath("s3://b/savepoint-1"))))
        .isEqualTo("s3://b/savepoint-2");
  }

  /** It starts from the savepoint that its job was stopped with. */
  @Test
  void whatARollbackToAnEarlierSpecWouldStartFromStays() {
    left = Set.of("s3://b/savepoint-1", "s3://b/savepoint-2/_metadata");

    assertThat(removal(up(6))).isEqualTo("s3://b/savepoint-3");
  }

  @Test
  void theEarlierSpecsAreListedOnceForEachThatWasStableAndOnlyIfSomethingIsTooMuch() {
    assertThat(removal(up(3))).isNull();
    assertThat(listed).hasValue(0);
    for (int i = 0; i < 10; i++) {
      assertThat(removal(up(4))).isEqualTo("s3://b/savepoint-1");
    }
    assertThat(listed).hasValue(1);

    Deployed upgraded = up(4);
    FlinkDeploymentStatus status = upgraded.resource().getStatus();
    left = Set.of("s3://b/savepoint-1");
    assertThat(
            removal(
                upgraded.status(
                    status.withReconciliationStatus(
                        status.reconciliationStatus().withReconciliationTimestamp(99L)))))
        .isNull();
    assertThat(listed).hasValue(2);
  }

  @Test
  void nothingGoesWhileTheEarlierSpecsCannotBeListed() {
    StatusCleanup blind =
        new StatusCleanup(
            clock,
            new RevisionStates(
                ref -> {
                  throw ApplicationFailure.newFailure("forbidden", "Refused");
                }));

    assertThat(removal(blind, up(4), List.of(), List.of())).isNull();
  }

  @Test
  void whatAnotherResourceMayBeStartedFromStays() {
    FlinkDeployment other =
        Deployed.running()
            .jobStatus(JobStatus.EMPTY.withUpgradeSavepointPath("s3://b/savepoint-1"))
            .resource();
    other.getMetadata().setUid("another");

    assertThat(removal(up(5), List.of(other), List.of())).isEqualTo("s3://b/savepoint-2");
  }

  @Test
  void whatAFlinkStateSnapshotIsOfStays() {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder().withNamespace("default").withName("kept").withUid("u").build());
    snapshot.setSpec(
        new FlinkStateSnapshotSpec(
            null, new SavepointSpec("s3://b/savepoint-1", null, false, true), null, null));

    assertThat(removal(up(5), List.of(), List.of(snapshot))).isEqualTo("s3://b/savepoint-2");
  }

  /** Older operators list them, and their files are those of later checkpoints, too. */
  @Test
  void aCheckpointNeverGoesAndDoesNotCount() {
    List<String> history =
        List.of("s3://b/job/chk-57", "s3://b/job/chk-58/", "s3://b/1", "s3://b/2", "s3://b/3");

    assertThat(removal(up(history))).isNull();
  }

  /** A status has no place for more than 200, and what falls out of it leaks its files. */
  @Test
  void noMoreAreKeptThanAStatusHasPlaceFor() {
    assertThat(removal(up(151).configured(COUNT, "1000"))).isEqualTo("s3://b/savepoint-1");
    assertThat(removal(up(150).configured(COUNT, "1000"))).isNull();
  }

  @Test
  void whatIsBeingRemovedIsNotTakenBackAndNothingElseBesideIt() {
    Deployed given = up(6);
    SnapshotTriggers removing = SnapshotTriggers.NONE.withRemoval("s3://b/savepoint-2");
    given.status(given.resource().getStatus().withSnapshotTriggers(removing));

    StatusCleanup.Cleaned cleaned =
        cleanup.carryOut(
            given.snapshot(),
            removing,
            new SnapshotCleanup.Others(List::of, List::of),
            FlinkConfiguration.empty(),
            true);

    assertThat(cleaned.triggers()).isEqualTo(removing);
  }

  /** Temporal, or the job, may have been away for hours. */
  @ParameterizedTest
  @CsvSource({"kubernetes.operator.savepoint.cleanup.enabled, false", COUNT + ", 6"})
  void whatNoRunWasStartedForGoesByTheLimitsOfNow(String key, String value) {
    Deployed given = up(6).configured(key, value);
    SnapshotTriggers removing = SnapshotTriggers.NONE.withRemoval("s3://b/savepoint-2");
    given.status(given.resource().getStatus().withSnapshotTriggers(removing));

    StatusCleanup.Cleaned cleaned =
        cleanup.carryOut(
            given.snapshot(),
            removing,
            new SnapshotCleanup.Others(List::of, List::of),
            FlinkConfiguration.empty(),
            false);

    assertThat(cleaned.triggers().removal()).isNull();
  }

  /** A directory that refuses must not keep the rest, and is not asked all the time. */
  @Test
  void oneThatCouldNotBeRemovedIsPassedOverForAWhile() {
    Deployed given = up(5);
    StatusSnapshots failed =
        StatusSnapshots.NONE
            .withFailedRemoval("s3://b/savepoint-1", List.of(), "2026-11-21T09:30:00Z")
            .withFailedRemoval(
                "s3://b/savepoint-1",
                given.resource().getStatus().savepointHistory(),
                "2026-11-21T09:50:00Z");
    given.status(
        given
            .resource()
            .getStatus()
            .withSnapshots(failed)
            .withSnapshotTriggers(SnapshotTriggers.NONE.withRemoval("s3://b/savepoint-1")));

    assertThat(removal(given)).isEqualTo("s3://b/savepoint-2");

    Deployed three = up(4);
    three.status(three.resource().getStatus().withSnapshots(failed));
    assertThat(
            cleanup
                .carryOut(
                    three.snapshot(),
                    SnapshotTriggers.NONE,
                    new SnapshotCleanup.Others(List::of, List::of),
                    FlinkConfiguration.empty(),
                    true)
                .review())
        .as("20 minutes after its second failure")
        .isEqualTo(Duration.ofMinutes(10).plusMillis(1));
    clock.forward(Duration.ofMinutes(10));
    assertThat(removal(three)).isEqualTo("s3://b/savepoint-1");
  }

  @Test
  void oneThatBecomesTooOldIsLookedAtThen() {
    StatusCleanup.Cleaned cleaned =
        cleanup.carryOut(
            up(2).snapshot(),
            SnapshotTriggers.NONE,
            new SnapshotCleanup.Others(List::of, List::of),
            FlinkConfiguration.empty(),
            true);

    assertThat(cleaned.review()).isEqualTo(Duration.ofHours(24).plusMillis(1));
  }
}
