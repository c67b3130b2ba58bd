package dev.sluice.activities.application;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.support.Stats;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.application.SavepointOutcome;
import dev.sluice.workflows.application.SavepointOutcome.Ended;
import dev.sluice.workflows.application.SavepointOutcome.Failed;
import dev.sluice.workflows.application.SavepointOutcome.NoJob;
import dev.sluice.workflows.application.SavepointOutcome.Taken;
import dev.sluice.workflows.application.SavepointOutcome.Unknown;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.StateRef;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VersionSavepointTest extends VersionJobScenario {

  private static final String FIRST = "00000000000000000000000000000001";
  private static final String PATH = "file:/savepoints/savepoint-ab12cd-77";

  private VersionSavepoint attempt(boolean stops) {
    StopRequest request =
        new StopRequest(
            Applications.RESOURCE,
            new JobRef(version.cluster(), JOB),
            FIRST,
            clock.millis(),
            clock.in(Duration.ofMinutes(11)));
    SavepointLimiter.Slot slot = new SavepointLimiter(1, clock, new SimpleMeterRegistry()).slot();
    return new VersionSavepoint(
        version,
        JOB,
        job().savepoint(request, stops, slot),
        () -> files().savepointsSince(request.sinceMs()),
        presence(),
        flink);
  }

  private SavepointOutcome outcome(VersionSavepoint savepoint) {
    return outcome(() -> savepoint.look(() -> true));
  }

  private void look(VersionSavepoint savepoint) {
    assertThat(savepoint.look(() -> true)).isNotNull();
  }

  @Test
  void aJobIsStoppedWithASavepointUnderTheRecordedTrigger() {
    VersionSavepoint savepoint = attempt(true);
    look(savepoint);
    flink.savepoint(FIRST, new SavepointOperation.Completed(PATH));

    assertThat(outcome(savepoint))
        .isInstanceOfSatisfying(Taken.class, taken -> assertThat(taken.path()).isEqualTo(PATH));
    assertThat(flink.effects).containsExactly("stop " + FIRST + " to null CANONICAL");
  }

  @Test
  void aJobThatGoesOnIsNotStopped() {
    VersionSavepoint savepoint = attempt(false);
    look(savepoint);
    flink.savepoint(FIRST, new SavepointOperation.Completed(PATH));

    assertThat(outcome(savepoint)).isInstanceOf(Taken.class);
    assertThat(flink.effects).containsExactly("savepoint " + FIRST + " to null CANONICAL");
  }

  /** W9: Lyft's operator triggers again when it could not write that it has. */
  @Test
  void anotherAttemptGoesOnWithTheSavepointOfTheFirst() {
    look(attempt(true));

    VersionSavepoint second = attempt(true);
    look(second);
    flink.savepoint(FIRST, new SavepointOperation.Completed(PATH));

    assertThat(outcome(second)).isInstanceOf(Taken.class);
    assertThat(flink.effects).hasSize(1);
  }

  @Test
  void aFailedSavepointIsBegunAgainUnderAnotherIdThreeTimes() {
    VersionSavepoint savepoint = attempt(true);
    for (int tries = 0; tries < 3; tries++) {
      look(savepoint);
      String trigger = flink.effects.get(tries).split(" ")[1];
      flink.savepointFailed(trigger);
    }

    assertThat(outcome(savepoint))
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.why()).contains("disk is full"));
    assertThat(flink.effects).hasSize(3).doesNotHaveDuplicates();
  }

  /** W5: Lyft's operator takes it for failed after 5 min, and it stops the job all the same. */
  @Test
  void aSavepointInProgressAtTheDeadlineMayStopTheJobYet() {
    VersionSavepoint savepoint = attempt(true);

    assertThat(outcome(savepoint)).isInstanceOf(Unknown.class);
  }

  @Test
  void aSilentJobManagerMayHaveStoppedTheJob() {
    VersionSavepoint savepoint = attempt(true);
    look(savepoint);
    flink.up(false);
    jobManagerRuns();

    assertThat(outcome(savepoint)).isInstanceOf(Unknown.class);
  }

  @Test
  void aJobThatFailedBeforeSaysWhatItHasLeft() {
    flink
        .job(FlinkJobState.FAILED, 0)
        .checkpoints(Stats.none().checkpoint(7, "file:/checkpoints/chk-7").build());

    assertThat(outcome(attempt(true)))
        .isInstanceOfSatisfying(
            Ended.class,
            ended -> {
              assertThat(ended.state()).isEqualTo("FAILED");
              assertThat(ended.left())
                  .isEqualTo(new StateRef.Checkpoint("file:/checkpoints/chk-7"));
            });
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobThatFinishedByItselfHasLeftNothing() {
    flink.job(FlinkJobState.FINISHED, 0).checkpoints(Stats.none().build());

    assertThat(outcome(attempt(true)))
        .isInstanceOfSatisfying(
            Ended.class, ended -> assertThat(ended.left()).isInstanceOf(StateRef.Empty.class));
  }

  @Test
  void aJobThatItsJobManagerDoesNotKnowIsNoJob() {
    flink.noJob();

    assertThat(outcome(attempt(true))).isInstanceOf(NoJob.class);
  }

  /** Flink deletes the checkpoints of a job that is stopped: without this its state is lost. */
  @Test
  void aSavepointOfAClusterThatIsGoneIsFoundAmongFiles() {
    VersionSavepoint savepoint = attempt(true);
    look(savepoint);
    clusterIsGone();
    savepointsInDirectory = Optional.of(List.of(PATH));

    assertThat(outcome(savepoint))
        .isInstanceOfSatisfying(Taken.class, taken -> assertThat(taken.path()).isEqualTo(PATH));
  }

  @Test
  void aClusterThatIsGoneHasNoJob() {
    clusterIsGone();

    assertThat(outcome(attempt(true))).isInstanceOf(NoJob.class);
  }
}
