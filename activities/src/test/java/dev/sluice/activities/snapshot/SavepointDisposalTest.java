package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.flink.FlinkCause;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.snapshot.Disposal;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SavepointDisposalTest {

  private static final String PATH = "file:/savepoints/savepoint-ab12cd-77";
  private static final String NOTHING_THERE =
      "FileNotFoundException: Cannot find checkpoint or savepoint file/directory '"
          + PATH
          + "' on file system 'file'.";
  private static final String NO_METADATA =
      "FileNotFoundException: Cannot find meta data file '_metadata' in directory '" + PATH + "'.";
  private static final String OTHER = "FlinkDeployment default/other";
  private static final String NOT_FOUND = "FileNotFoundException: " + PATH + "/1234";

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final AtomicInteger lookedUp = new AtomicInteger();
  private CompletableFuture<Optional<Disposal>> kept =
      CompletableFuture.completedFuture(Optional.empty());
  private SavepointDisposal disposal = attempt(false);

  private SavepointDisposal attempt(boolean askedBefore) {
    return attempt(askedBefore, null);
  }

  private SavepointDisposal attempt(boolean askedBefore, @Nullable String through) {
    return new SavepointDisposal(
        new DisposeRequest(
            Jobs.RESOURCE, PATH, askedBefore, List.of(), clock.in(Duration.ofMinutes(1))),
        () -> {
          lookedUp.incrementAndGet();
          return kept;
        },
        askedBefore,
        new DisposalClusters.Ask(
            new RunningCluster(
                Jobs.ENDPOINT.cluster(), Jobs.ENDPOINT, FlinkConfiguration.empty(), null, null),
            through,
            false),
        flink,
        clock);
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

  /** Somebody may have named it for a start in the meantime. */
  @Test
  void whatWasLookedUpLongBeforeFlinkIsAskedIsLookedUpAgain() {
    flink.up(false);
    Throwable silent = catchThrowable(this::look);
    clock.advance(Duration.ofSeconds(10));
    flink.up(true);
    kept = CompletableFuture.completedFuture(Optional.of(new Disposal.Done("it is needed")));

    assertThat(silent).isNotNull();
    assertThat(outcome()).isEqualTo(new Disposal.Done("it is needed"));
    assertThat(lookedUp).hasValue(2);
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
    disposal = attempt(true);
    look();
    fails(NOTHING_THERE);

    assertThat(outcome()).isEqualTo(new Disposal.Done("its files were already gone"));
  }

  /** Flink deletes the metadata first: what it did not come to then stays for ever. */
  @Test
  void aDirectoryWithoutMetadataWasDeletedInPart() {
    look();
    fails(NO_METADATA);

    assertThat(outcome()).isInstanceOf(Disposal.InPart.class);
  }

  @Test
  void aFileThatIsNotFoundIsSuccessOnlyIfFlinkWasNotAskedBefore() {
    look();
    fails(NOT_FOUND);
    assertThat(outcome()).isInstanceOf(Disposal.Done.class);

    disposal = attempt(true);
    look();
    fails(NOT_FOUND);
    assertThat(outcome()).isInstanceOf(Disposal.InPart.class);
  }

  @Test
  void whatAnotherClusterHasDeletedIsSaidToBeOfThatCluster() {
    disposal = attempt(false, OTHER);
    look();
    flink.disposal(new DisposalOperation.Completed());

    assertThat(outcome())
        .isEqualTo(
            new Disposal.Done(
                "Flink has deleted its files (its own cluster is gone, so that of FlinkDeployment default/other was asked)"));
  }

  /** It may not reach the storage: a directory that it does not mount is one that is not there. */
  @ParameterizedTest
  @ValueSource(strings = {NOTHING_THERE, NOT_FOUND, "IOException: read-only"})
  void whatAnotherClusterDoesNotFindIsNotSaidToBeGone(String how) {
    disposal = attempt(false, OTHER);
    look();
    fails(how);

    assertThat(outcome())
        .isInstanceOfSatisfying(
            Disposal.Failed.class, it -> assertThat(it.through()).isEqualTo(OTHER));
  }

  @Test
  void thatItMayBeGoneIsSaidWhereACallToAnotherClusterGotNoAnswer() {
    disposal = attempt(true, OTHER);
    look();
    fails(NOTHING_THERE);

    assertThat(outcome())
        .isInstanceOfSatisfying(
            Disposal.Failed.class,
            it ->
                assertThat(it.why())
                    .contains("an earlier call got no answer, and may have done it"));
  }

  @Test
  void anotherClusterThatSeesADirectoryWithoutMetadataReachesTheStorage() {
    disposal = attempt(true, OTHER);
    look();
    fails(NO_METADATA);

    assertThat(outcome()).isInstanceOf(Disposal.InPart.class);
  }

  @Test
  void anotherClusterThatDoesNotAnswerIsFollowedByTheNext() {
    disposal = attempt(false, OTHER);
    flink.up(false);
    clock.advance(Duration.ofMinutes(2));

    assertThat(outcome())
        .isInstanceOfSatisfying(
            Disposal.Failed.class, it -> assertThat(it.through()).isEqualTo(OTHER));
  }

  @Test
  void afterARestartOfTheJobManagerFlinkWasAskedBefore() {
    look();
    flink.disposal(new DisposalOperation.Unknown());
    look();
    look();
    fails(NOT_FOUND);

    assertThat(outcome()).isInstanceOf(Disposal.InPart.class);
    assertThat(flink.effects).hasSize(2);
  }

  /** The listing of a large cluster takes longer than a heartbeat may. */
  @Test
  void nothingIsAskedBeforeItIsKnownThatNobodyNeedsIt() {
    CompletableFuture<Optional<Disposal>> listing = new CompletableFuture<>();
    kept = listing;

    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(look()).isInstanceOf(ProbeResult.NotYet.class);
    assertThat(lookedUp).hasValue(1);
    assertThat(flink.effects).isEmpty();
    assertThat(disposal.isUntouched()).isTrue();
    listing.complete(Optional.empty());
    look();

    assertThat(flink.effects).hasSize(1);
    assertThat(disposal.isUntouched()).isFalse();
  }

  @Test
  void whatSomebodyNeedsIsLeft() {
    Disposal left = new Disposal.Impossible("FlinkDeployment default/b may be started from it");
    kept = CompletableFuture.completedFuture(Optional.of(left));

    assertThat(outcome()).isEqualTo(left);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aListingThatFailedIsMadeAgain() {
    kept = CompletableFuture.failedFuture(new IllegalStateException("away"));
    assertThatThrownBy(() -> disposal.look(() -> true)).isInstanceOf(RuntimeException.class);
    kept = CompletableFuture.completedFuture(Optional.empty());

    look();

    assertThat(lookedUp).hasValue(2);
    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void withoutAListingInTimeItHasFailed() {
    kept = new CompletableFuture<>();
    look();
    clock.advance(Duration.ofMinutes(2));

    assertThat(outcome())
        .isEqualTo(new Disposal.Failed("it is looked up whether somebody still needs it"));
  }

  @Test
  void anyOtherFailureIsTold() {
    look();
    flink.disposal(new DisposalOperation.Failed(new FlinkCause("IOException", "read-only")));

    assertThat(outcome()).isEqualTo(new Disposal.Failed("IOException: read-only"));
  }

  @Test
  void whatFlinkRefusesHasFailed() {
    flink.refuse(new FlinkRestException.Rejected(400, "no path"));

    assertThat(outcome()).isEqualTo(new Disposal.Failed("no path"));
  }

  @Test
  void aJobManagerThatDoesNotAnswerInTimeHasFailed() {
    flink.up(false);
    clock.advance(Duration.ofMinutes(2));

    assertThat(outcome()).isInstanceOf(Disposal.Failed.class);
  }
}
