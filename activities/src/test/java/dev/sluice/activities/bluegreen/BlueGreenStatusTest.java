package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.GivenUp;
import dev.sluice.api.bluegreen.LiveChild;
import dev.sluice.api.bluegreen.TransitionSource;
import dev.sluice.api.bluegreen.TransitionStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BlueGreenStatusTest {

  private static final FlinkBlueGreenDeploymentStatus EMPTY = FlinkBlueGreenDeploymentStatus.EMPTY;

  @Test
  void aStatusThatSaysNothingStandsForNothing() {
    assertThat(BlueGreenStatus.standing(EMPTY)).isEqualTo(BlueGreenStanding.EMPTY);
  }

  @Test
  void aTransitionIsReadBack() {
    FlinkBlueGreenDeploymentStatus status =
        EMPTY
            .withLive(new LiveChild(Color.BLUE, 3L, "2026-11-21T08:00:00Z"))
            .withLastReconciledSpec(
                "{\"spec\":{},\"resource_metadata\":{\"metadata\":{\"generation\":3}}}")
            .withGivenUp(new GivenUp(4L, "its job failed"))
            .withTransition(
                TransitionStatus.EMPTY
                    .withTo(Color.GREEN)
                    .withGeneration(5L)
                    .withSince("2026-11-21T08:00:00.123Z")
                    .withSource(TransitionSource.KNOWN)
                    .withSavepointPath("s3://b/savepoint-1"));

    assertThat(BlueGreenStatus.standing(status))
        .isEqualTo(
            new BlueGreenStanding(
                Color.BLUE,
                new Begun(
                    Color.GREEN, 5, 1_795_248_000_123L, Source.KNOWN, "s3://b/savepoint-1", null),
                3,
                4));
  }

  /** Apache's operator writes no {@code live}. */
  @ParameterizedTest
  @CsvSource({
    "ACTIVE_BLUE, BLUE",
    "ACTIVE_GREEN, GREEN",
    "SAVEPOINTING_BLUE, BLUE",
    "SAVEPOINTING_GREEN, GREEN",
    "TRANSITIONING_TO_GREEN, BLUE",
    "TRANSITIONING_TO_BLUE, GREEN",
    "INITIALIZING_BLUE,",
  })
  void whatApachesOperatorWroteTellsTheLiveChild(BlueGreenState state, Color live) {
    assertThat(BlueGreenStatus.standing(EMPTY.withBlueGreenState(state)).live()).isEqualTo(live);
  }

  /** Else a job would start empty because a word of the status was edited. */
  @Test
  void aTransitionWithoutASourceWaitsForASavepoint() {
    FlinkBlueGreenDeploymentStatus status =
        EMPTY.withTransition(TransitionStatus.EMPTY.withTo(Color.GREEN));

    assertThat(BlueGreenStatus.standing(status).transition().source()).isEqualTo(Source.SAVEPOINT);
  }

  @ParameterizedTest
  @EnumSource(Source.class)
  void eachSourceIsReadBackAsItWasWritten(Source source) {
    FlinkBlueGreenDeploymentStatus status =
        EMPTY.withTransition(
            TransitionStatus.EMPTY.withTo(Color.GREEN).withSource(BlueGreenStatus.source(source)));

    assertThat(BlueGreenStatus.standing(status).transition().source()).isEqualTo(source);
  }

  @Test
  void whatIsTheControllersIsNotWritten() {
    assertThat(
            BlueGreenStatus.owned(
                EMPTY.withJobStatus(JobStatus.EMPTY).withError("{}").withObservedGeneration(3L)))
        .isEqualTo(EMPTY);
  }

  @Test
  void anotherStandingThanPlannedForIsOutdated() {
    assertThatThrownBy(
            () ->
                BlueGreenStatus.check(
                    EMPTY.withBlueGreenState(BlueGreenState.ACTIVE_BLUE), BlueGreenStanding.EMPTY))
        .hasMessageContaining("blue is live")
        .hasMessageContaining("Outdated");
  }
}
