package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.flink.FlinkCause;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.snapshot.SnapshotActivities.Disposal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DisposeSavepointTest {

  private static final String PATH = "file:/savepoints/savepoint-ab12cd-77";
  private static final String NOTHING_THERE =
      "FileNotFoundException: Cannot find checkpoint or savepoint file/directory '"
          + PATH
          + "' on file system 'file'.";
  private static final String NO_METADATA =
      "FileNotFoundException: Cannot find meta data file '_metadata' in directory '" + PATH + "'.";
  private static final String NOT_FOUND = "FileNotFoundException: " + PATH + "/1234";

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink().running();
  private Supplier<Optional<String>> kept = Optional::empty;
  private final FlinkDeployment deployment = Deployed.orders("default");
  private boolean gone;
  private final DisposeSavepoint disposal =
      new DisposeSavepoint(
          PATH,
          "FlinkDeployment default/orders",
          () -> gone ? Optional.empty() : Optional.of(owner()),
          () -> kept.get(),
          flink,
          clock.in(Duration.ofMinutes(3)),
          clock);

  private SnapshotJob owner() {
    return new SnapshotJob(
        "FlinkDeployment", Stored.of(deployment), Jobs.cluster(FakeFlink.JOB, Map.of()));
  }

  private void fails(String how) {
    flink.disposal(
        new DisposalOperation.Failed(
            new FlinkCause(
                "FlinkException",
                "Could not dispose savepoint %s. Caused by ".formatted(PATH) + how)));
  }

  private ProbeResult<Disposal> look() {
    return disposal.look(() -> true);
  }

  private Disposal outcome() {
    ProbeResult<Disposal> seen = look();
    assertThat(seen).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<Disposal>) seen).result();
  }

  /** Apache's operator never asks what became of it. */
  @Test
  void theResultIsAwaited() {
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
    flink.disposal(new DisposalOperation.Completed());

    assertThat(outcome()).isInstanceOf(Disposal.Done.class);
    assertThat(flink.effects).containsExactly("dispose " + PATH);
  }

  @Test
  void filesThatAreGoneAlreadyAreSuccess() {
    look();
    fails(NOTHING_THERE);

    assertThat(outcome()).isEqualTo(new Disposal.Done("its files were already gone"));
  }

  /** Flink deletes the metadata first: what it did not come to then stays for ever. */
  @ParameterizedTest
  @ValueSource(strings = {NO_METADATA, NOT_FOUND})
  void aDirectoryOfWhichAPartIsThereIsLeftAndNamed(String how) {
    look();
    fails(how);

    assertThat(outcome()).isInstanceOf(Disposal.Left.class);
  }

  @Test
  void afterARestartOfTheJobManagerFlinkIsAskedAgain() {
    look();
    flink.disposal(new DisposalOperation.Unknown());
    look();
    look();
    flink.disposal(new DisposalOperation.Completed());

    assertThat(outcome()).isInstanceOf(Disposal.Done.class);
    assertThat(flink.effects).hasSize(2);
  }

  /** Storage that refuses for a minute, as while its rights are changed, loses no files. */
  @Test
  void anyOtherFailureIsTriedAgainEvery15SecondsUntilTheDeadline() {
    ProbeResult<Disposal> seen = look();
    while (seen instanceof ProbeResult.NotYet) {
      flink.disposal(new DisposalOperation.Failed(new FlinkCause("IOException", "read-only")));
      clock.advance(Duration.ofSeconds(1));
      seen = look();
    }

    assertThat(seen).isEqualTo(ProbeResult.done(new Disposal.Left("IOException: read-only")));
    assertThat(flink.effects).hasSizeBetween(9, 12);
  }

  @Test
  void whatFlinkRefusesIsAskedForAgain() {
    flink.refuse(new FlinkRestException.Rejected("no path"));

    assertThat(look()).isEqualTo(ProbeResult.notYet("no path"));
    look();
    assertThat(flink.effects).hasSize(1);
    clock.advance(Duration.ofSeconds(16));
    look();
    assertThat(flink.effects).hasSize(2);
  }

  @Test
  void whatAResourceNamesIsLeft() {
    kept = () -> Optional.of("FlinkDeployment default/b names it");

    assertThat(outcome()).isEqualTo(new Disposal.Left("FlinkDeployment default/b names it"));
    assertThat(flink.effects).isEmpty();
  }

  /** Its next job may start from it, which no status says. */
  @Test
  void whileTheJobIsNotUpNothingIsDeleted() {
    flink.job(FlinkJobState.RESTARTING, 0);
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);

    flink.noJob();
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(flink.effects).isEmpty();
  }

  /** As when a namespace is deleted: the pods may go before the resource. */
  @Test
  void aFlinkThatGoesWithItsResourceIsNotWaitedFor() {
    look();
    flink.up(false);
    assertThatThrownBy(this::look).isInstanceOf(FlinkRestException.Unreachable.class);

    deployment.getMetadata().setDeletionTimestamp("2026-11-29T07:39:43Z");
    assertThat(outcome()).isInstanceOf(Disposal.Left.class);
    gone = true;
    assertThat(outcome()).isInstanceOf(Disposal.Left.class);
  }

  @Test
  void nothingIsDeletedWhileItIsNotKnownWhoNeedsIt() {
    kept =
        () -> {
          throw new IllegalStateException("away");
        };

    assertThatThrownBy(this::look).isInstanceOf(IllegalStateException.class);
    assertThat(flink.effects).isEmpty();
  }
}
