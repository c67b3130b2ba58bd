package dev.sluice.workflows.plan;

import static dev.sluice.workflows.plan.DecisionWords.words;
import static dev.sluice.workflows.plan.Seen.NEW;
import static dev.sluice.workflows.plan.Seen.OLD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Proceed;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code initialSavepointPath} is corrected after a first deployment: generation 7 named {@code
 * s3://first}, and 8 names another.
 */
class FirstStartTest {

  private static final String FIRST = "s3://first";
  private static final String CORRECTED = "s3://corrected";

  /** The first deployment was aborted, and its cluster is gone. */
  private static Seen givenUp() {
    return begun(Seen.recorded().prepared(OLD));
  }

  /** The cluster of the first deployment is there. */
  private static Seen begunFirst() {
    return begun(Seen.started());
  }

  private static Seen begun(Seen seen) {
    seen.neverStable().generation(8).initial(CORRECTED);
    seen.frozen =
        new Target(
            7,
            UpgradeMode.SAVEPOINT,
            FIRST,
            FlinkVersion.V2_2,
            Observation.StateOptions.DEFAULT,
            false,
            false,
            false);
    StateRef first = new StateRef.Savepoint(FIRST);
    seen.recorded = new RestorePoint(first, null, NEW).initial(first, true);
    return seen;
  }

  private static Seen taken(Seen seen, StateRef own) {
    seen.recorded = new RestorePoint(own, OLD, NEW);
    return seen;
  }

  static Stream<Arguments> notProgressed() {
    return Stream.of(
        arguments("aborted", givenUp(), false),
        arguments(
            "aborted, high availability", givenUp().ha(HighAvailability.NO_CHECKPOINT), false),
        arguments("aborted before its ConfigMap was made, retried", givenUp().prepared(null), true),
        arguments("failed at once", begunFirst().ended(NEW, FlinkJobState.FAILED), false),
        arguments("failed at once, retried", begunFirst().ended(NEW, FlinkJobState.FAILED), true),
        arguments(
            "failed at once, high availability",
            begunFirst().ended(NEW, FlinkJobState.FAILED).ha(HighAvailability.NO_CHECKPOINT),
            false),
        arguments(
            "its JobManager was never ready, retried",
            begunFirst().unreachable().jobManager(JobManager.NEVER_READY),
            true),
        arguments(
            "its JobManager crashes, retried",
            begunFirst().unreachable().jobManager(JobManager.CRASHING),
            true),
        arguments("not submitted, retried", begunFirst().absent(NEW), true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("notProgressed")
  void aCorrectedPathIsUsedWhereNoJobHasMadeAStateOfItsOwn(String name, Seen seen, boolean retry) {
    Decision decision = seen.decide(true, retry);

    assertThat(words(decision)).isEqualTo("none -> " + CORRECTED);
    assertThat(isInitial(decision)).isTrue();
    assertThat(decision.why())
        .endsWith(" It starts from savepoint s3://corrected, which the spec names.");
  }

  @Test
  void aJobThatHasNotProgressedIsDiscardedForIt() {
    Seen seen =
        begunFirst()
            .state(NEW, FlinkJobState.RESTARTING)
            .newest(new StateRef.Savepoint(FIRST), false);

    assertThat(words(seen.decide(true, true)))
        .isEqualTo("discard unprogressed new -> " + CORRECTED);
  }

  /** The run was lost between two writes: the corrected spec is frozen, the old path recorded. */
  @Test
  void aCorrectedPathIsUsedAlsoWhereItsSpecIsFrozenAlready() {
    Seen seen = givenUp();
    seen.frozen = seen.target();

    assertThat(words(seen.decide(true, false))).isEqualTo("none -> " + CORRECTED);
  }

  @ParameterizedTest
  @EnumSource(value = UpgradeMode.class)
  void thePlanOfAFirstDeploymentNamesThePathThatItStartsFrom(UpgradeMode mode) {
    Seen seen = Seen.fresh().neverStable().initial(FIRST).mode(mode);

    assertThat(seen.decide(true, false).why())
        .endsWith(" It starts from savepoint s3://first, which the spec names.");
  }

  @ParameterizedTest
  @EnumSource(value = UpgradeMode.class)
  void itIsUsedInEachMode(UpgradeMode mode) {
    Seen seen = givenUp().mode(mode);

    Decision decision = seen.decide(true, false);

    assertThat(words(decision)).isEqualTo("none -> " + CORRECTED);
    assertThat(isInitial(decision)).isTrue();
  }

  static Stream<Arguments> changes() {
    return Stream.of(arguments(null, "empty"), arguments(FIRST, FIRST));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void whatTheNewestSpecNamesIsUsedWhateverItIs(@Nullable String now, String expected) {
    Seen seen = givenUp().initial(now);

    assertThat(words(seen.decide(true, false))).isEqualTo("none -> " + expected);
  }

  @Test
  void aPathThatIsNamedAfterAnEmptyStartIsUsed() {
    Seen seen = givenUp();
    StateRef empty = new StateRef.Empty("the job never ran");
    seen.recorded = new RestorePoint(empty, OLD, NEW).initial(empty, true);

    assertThat(words(seen.decide(true, false))).isEqualTo("none -> " + CORRECTED);
  }

  static Stream<Arguments> progressed() {
    StateRef own = new StateRef.Checkpoint("s3://own");
    return Stream.of(
        arguments("up", begunFirst().up(NEW).sameAsFrozen(false), "stop new -> suspended"),
        arguments(
            "restarting",
            begunFirst().state(NEW, FlinkJobState.RESTARTING).sameAsFrozen(false),
            "cancel new -> suspended"),
        arguments(
            "failed",
            begunFirst().ended(NEW, FlinkJobState.FAILED).newest(own).sameAsFrozen(false),
            "none -> s3://own"),
        arguments(
            "lost, with metadata",
            begunFirst().unreachable().highlyAvailable().sameAsFrozen(false),
            "keep metadata of new -> metadata"),
        arguments("given up, its own state recorded", taken(givenUp(), own), "none -> s3://own"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("progressed")
  void theNewerStateOfAJobGoesFirst(String name, Seen seen, String expected) {
    Decision decision = seen.decide(true, false);

    assertThat(words(decision)).isEqualTo(expected);
  }

  @Test
  void aJobThatHasFailedWithAStateOfItsOwnWaitsForAPerson() {
    Seen seen =
        begunFirst().ended(NEW, FlinkJobState.FAILED).newest(new StateRef.Checkpoint("s3://own"));

    assertThat(words(seen.decide(true, false))).isEqualTo("parked JobFailed");
  }

  @Test
  void whatMayHaveProgressedIsNotGivenUpForACorrectedPath() {
    Seen seen = begunFirst().unreachable();

    assertThat(words(seen.decide(true, true))).isEqualTo("blocked StateNotFound");
  }

  @Test
  void onceAJobWasStableThePathIsOfLongAgo() {
    Seen seen = givenUp();
    seen.stable = 6L;

    Decision decision = seen.decide(true, false);

    assertThat(words(decision)).isEqualTo("none -> " + FIRST);
  }

  @Test
  void theFirstStartOfAllIsMarked() {
    Seen seen = Seen.fresh().initial(FIRST);

    assertThat(isInitial(seen.decide(true, false))).isTrue();
  }

  private static boolean isInitial(Decision decision) {
    return decision instanceof Proceed it
        && it.plan().restore() instanceof Plan.Restore.From from
        && from.initial();
  }
}
