package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Stats;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the job of a live session cluster left that has finished: only its JobManager knows. */
class FinishedChildIT extends CutOverScenario {

  private static final String LEFT = "s3://bucket/savepoint-of-a-person";

  @BeforeEach
  void theJobOfGreenWhichIsLiveHasFinished() {
    greenRuns();
    switchTo(Color.GREEN);
    activities.deleteChild(await(Color.BLUE, uid(Color.BLUE)));
    end(true);
    jobOfGreenSays("JobFinished");
    flink.job(Jobs.finished(clock.instant()));
  }

  private Phase phase() {
    return activities.observe(ref).green().phase();
  }

  private void someTimePasses() {
    clock.advance(Duration.ofMinutes(1));
  }

  @Test
  void byItselfItLeftNothing() {
    flink.checkpoints(Stats.none().checkpoint(7, "s3://bucket/chk-7").build());
    someTimePasses();

    assertThat(phase()).isEqualTo(new Phase.Finished(null));
  }

  @Test
  void stoppedByAPersonItLeftThatSavepoint() {
    flink.checkpoints(Stats.none().stopped(7, LEFT).build());
    someTimePasses();

    assertThat(phase()).isEqualTo(new Phase.Finished(LEFT));
  }

  /** What Flink says of its checkpoints may be from before its end. */
  @Test
  void aMomentAfterItsEndNothingIsConcluded() {
    flink.checkpoints(Stats.none().build());

    assertThat(phase()).isEqualTo(Phase.Finished.untold());
  }

  @Test
  void aJobManagerThatIsSilentOrHasForgottenTheJobTellsNothing() {
    someTimePasses();
    flink.up(false);
    assertThat(phase()).isEqualTo(Phase.Finished.untold());

    flink.up(true).noJob();
    assertThat(phase()).isEqualTo(Phase.Finished.untold());
  }

  /** Its cut-over looks at what its own status says, before and after. */
  @Test
  void aJobThatIsBeingStoppedIsNotAsked() {
    flink.checkpoints(Stats.none().stopped(7, LEFT).build());
    someTimePasses();
    apply(spec -> spec.withConfiguration(Map.of()));
    apply(image("flink:2.4"));
    assertThat(begun(Color.BLUE, Source.SAVEPOINT)).isNotNull();
    itsTransitionIsOfThatKind(BlueGreenState.TRANSITIONING_TO_BLUE);

    assertThat(phase()).isEqualTo(Phase.Finished.untold());
  }
}
