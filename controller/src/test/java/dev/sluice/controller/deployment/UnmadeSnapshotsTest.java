package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.snapshot.SnapshotCreation;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.controller.support.UnreliableApiServer;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With an API server that does not take the FlinkStateSnapshot of an operation's savepoint. */
class UnmadeSnapshotsTest {

  private static final Savepoint TAKEN =
      Savepoint.ofOperation(1, "s3://b/savepoint-1", "CANONICAL");
  private static final Savepoint LATER =
      Savepoint.ofOperation(2, "s3://b/savepoint-2", "CANONICAL");

  private final UnreliableApiServer server = new UnreliableApiServer();
  private final MovableClock clock = new MovableClock(Deployed.NOW);
  private final SnapshotCreation creation = new SnapshotCreation(server.client());
  private final UpgradeSnapshots snapshots =
      new UpgradeSnapshots(new SnapshotTries(creation, clock), true);

  @AfterEach
  void stop() {
    server.close();
  }

  private static SeenDeployment seen(Savepoint taken) {
    Deployed given = Deployed.running();
    return given.status(given.resource().getStatus().withTakenSavepoint(taken)).snapshot();
  }

  private UpgradeSnapshots.Made carryOut(Savepoint taken) {
    return snapshots.carryOut(seen(taken), SnapshotTriggers.NONE);
  }

  private UpgradeSnapshots.Made last(Savepoint taken) {
    return snapshots.last(seen(taken), SnapshotTriggers.NONE);
  }

  /** Returns how long a deletion waited for it. */
  private Duration lastUntilGivenUp(Savepoint taken) {
    Duration waited = Duration.ZERO;
    for (Duration review = last(taken).review(); review != null; review = last(taken).review()) {
      clock.forward(review);
      waited = waited.plus(review);
      assertThat(waited).isLessThan(Duration.ofMinutes(10));
    }
    return waited;
  }

  @Test
  void aDeletionIsHeldUpForSomeTriesAndNoMore() {
    server.answers("default", 403);

    assertThat(lastUntilGivenUp(TAKEN)).isEqualTo(Duration.ofSeconds(75));
    assertThat(server.requests()).hasSize(UpgradeSnapshots.LAST_TRIES);
  }

  private ManualSnapshots.Made answered() {
    Deployed given = Deployed.running().job(FlinkJobState.RUNNING, true);
    FlinkDeploymentSpec spec = given.resource().getSpec();
    SnapshotTriggers before = new SnapshotTriggers(new SnapshotTrigger(5L, "before"), null, null);
    return new ManualSnapshots(new SnapshotTries(creation, clock))
        .carryOut(
            given
                .spec(spec.withJob(spec.job().withSavepointTriggerNonce(6L)))
                .status(given.resource().getStatus().withSnapshotTriggers(before))
                .snapshot(),
            true,
            List::of);
  }

  /** Of a quota, say. Its name is the same whichever process tries: none is made twice. */
  @Test
  void aNonceThatWasRefusedHasTheSameSnapshotAfterARestart() {
    server.answers("default", 403);
    ManualSnapshots.Made refused = answered();
    assertThat(refused.triggers().savepoint().nonce()).isEqualTo(5L);
    server.answers("default", 201);

    ManualSnapshots.Made made = answered();
    ManualSnapshots.Made again = answered(); // nothing was written in between

    assertThat(made.triggers().savepoint().nonce()).isEqualTo(6L);
    assertThat(again.triggers()).isEqualTo(made.triggers());
  }

  private static FlinkStateSnapshot ofAnother(Duration at) {
    return ofAnother("default", at);
  }

  private static FlinkStateSnapshot ofAnother(String namespace, Duration at) {
    return RequestedSnapshot.ofTaken(
        JobKind.FLINK_DEPLOYMENT,
        new ObjectMetaBuilder()
            .withNamespace(namespace)
            .withName("another")
            .withUid("uid-2")
            .build(),
        Savepoint.ofOperation(1, "s3://b/savepoint-of-" + at, "CANONICAL"),
        FlinkConfiguration.empty());
  }

  @Test
  void failuresOfAnEarlierSavepointDoNotCountForALaterOne() {
    server.answers("default", 403);
    Duration unused = lastUntilGivenUp(TAKEN);

    UpgradeSnapshots.Made made = last(LATER);

    assertThat(made.review()).as("the pause after a first failure").isEqualTo(seconds(5));
    assertThat(lastUntilGivenUp(LATER)).isEqualTo(seconds(75));
  }

  @Test
  void eachPauseIsLongerAndNothingIsTriedDuringOne() {
    server.answers("default", 403);

    assertThat(carryOut(TAKEN).review()).isEqualTo(seconds(5));
    clock.forward(seconds(4));
    UpgradeSnapshots.Made early = carryOut(TAKEN);
    assertThat(early.review()).isEqualTo(seconds(1));
    assertThat(early.events()).isEmpty();
    clock.forward(seconds(1));
    UpgradeSnapshots.Made again = carryOut(TAKEN);

    assertThat(again.review()).isEqualTo(seconds(10));
    assertThat(again.events())
        .extracting(StatusEvent::message)
        .singleElement()
        .asString()
        .startsWith(
            "The savepoint s3://b/savepoint-1, which the job was stopped with, has no"
                + " FlinkStateSnapshot: cannot make FlinkStateSnapshot default/orders-savepoint-upgrade-");
    assertThat(server.requests()).hasSize(2);
  }

  /** The status that says so may come late to the informer. */
  @Test
  void whatWasMadeIsNotMadeAgainAndNotToldAgainUntilTheStatusSaysSo() {
    assertThat(carryOut(TAKEN).events()).hasSize(1);

    UpgradeSnapshots.Made again = carryOut(TAKEN);

    assertThat(again.events()).isEmpty();
    assertThat(again.review()).isNull();
    assertThat(again.triggers().upgrade()).isEqualTo(carryOut(TAKEN).triggers().upgrade());
    assertThat(server.requests()).hasSize(1);
  }

  /** A suspension and the upgrade after it, while nothing could be made. */
  @Test
  void oneThatIsRefusedHoldsNoLaterOneAndIsNotForgottenForIt() {
    server.answers(TAKEN.location(), 403);

    UpgradeSnapshots.Made made = carryOutBoth(SnapshotTriggers.NONE);
    assertThat(server.requests()).hasSize(2);
    assertThat(made.events())
        .extracting(StatusEvent::reason)
        .containsExactly("SnapshotError", "SnapshotRequested");
    assertThat(made.triggers().upgrade())
        .as("what is told of one is told of those before")
        .isNull();

    server.answers(TAKEN.location(), 201);
    clock.forward(made.review());
    UpgradeSnapshots.Made again = carryOutBoth(made.triggers());

    assertThat(again.events())
        .extracting(StatusEvent::message)
        .singleElement()
        .asString()
        .contains(TAKEN.location());
    assertThat(again.triggers().upgrade().snapshot()).isEqualTo(name(LATER));
    assertThat(again.review()).isNull();
    assertThat(carryOutBoth(again.triggers()).events()).isEmpty();
    assertThat(server.requests()).as("each is made once").hasSize(3);
  }

  /** One that is switched on again must not bring back what was recorded in the status. */
  @Test
  void whatGetsNoneGetsNoneLater() {
    UpgradeSnapshots off = new UpgradeSnapshots(new SnapshotTries(creation, clock), false);

    UpgradeSnapshots.Made told = off.carryOut(both(), SnapshotTriggers.NONE);

    assertThat(told.events()).isEmpty();
    assertThat(server.requests()).as("one write of the status").containsExactly("default");
    assertThat(off.carryOut(both(), told.triggers()).triggers()).isEqualTo(told.triggers());
    assertThat(snapshots.carryOut(both(), told.triggers()).triggers()).isEqualTo(told.triggers());
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void aStatusThatCannotBeWrittenIsReportedAndTriedAgain() {
    UpgradeSnapshots off = new UpgradeSnapshots(new SnapshotTries(creation, clock), false);
    server.answers("default", 403);

    UpgradeSnapshots.Made made = off.carryOut(both(), SnapshotTriggers.NONE);

    assertThat(made.triggers()).isEqualTo(SnapshotTriggers.NONE);
    assertThat(made.review()).isEqualTo(seconds(5));
    assertThat(made.events())
        .singleElement()
        .satisfies(it -> assertThat(it.message()).contains("is not in savepointInfo"));
  }

  /** The informer is late; nothing is wrong. */
  @Test
  void anOlderVersionOfTheStatusIsNotWrittenOnto() {
    UpgradeSnapshots off = new UpgradeSnapshots(new SnapshotTries(creation, clock), false);
    server.answers("default", 409);

    UpgradeSnapshots.Made made = off.carryOut(both(), SnapshotTriggers.NONE);

    assertThat(made.triggers()).isEqualTo(SnapshotTriggers.NONE);
    assertThat(made.review()).isEqualTo(seconds(1));
    assertThat(made.events()).isEmpty();
  }

  /** The status goes with the resource. */
  @Test
  void aDeletionOnlyTellsWhereTheSavepointIs() {
    UpgradeSnapshots off = new UpgradeSnapshots(new SnapshotTries(creation, clock), false);

    UpgradeSnapshots.Made told = off.last(both(), SnapshotTriggers.NONE);

    assertThat(told.review()).isNull();
    assertThat(told.events()).extracting(StatusEvent::reason).containsExactly("SnapshotError");
    assertThat(server.requests()).isEmpty();
  }

  /** It must not go before each of them is known, or given up. */
  @Test
  void aDeletionWaitsForAllOfThem() {
    server.answers(LATER.location(), 403);

    assertThat(snapshots.last(both(), SnapshotTriggers.NONE).review()).isEqualTo(seconds(5));

    server.answers(LATER.location(), 201);
    clock.forward(seconds(5));
    assertThat(snapshots.last(both(), SnapshotTriggers.NONE).review()).isNull();
  }

  private UpgradeSnapshots.Made carryOutBoth(SnapshotTriggers known) {
    return snapshots.carryOut(both(), known);
  }

  private static SeenDeployment both() {
    Deployed given = Deployed.running();
    return given
        .status(
            given
                .resource()
                .getStatus()
                .withTakenSavepoint(LATER)
                .withEarlierSavepoints(List.of(TAKEN)))
        .snapshot();
  }

  private static String name(Savepoint taken) {
    return RequestedSnapshot.nameOfTaken(Deployed.running().resource().getMetadata(), taken);
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
