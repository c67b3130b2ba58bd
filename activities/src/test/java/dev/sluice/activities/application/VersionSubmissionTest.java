package dev.sluice.activities.application;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static dev.sluice.activities.support.FakeFlink.tasks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeJars;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.ApplicationActivities.SubmitRequest;
import dev.sluice.workflows.application.SubmitOutcome;
import dev.sluice.workflows.application.SubmitOutcome.Refused;
import dev.sluice.workflows.application.SubmitOutcome.Submitted;
import dev.sluice.workflows.application.SubmitOutcome.Unknown;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionSubmissionTest {

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeJars jars = new FakeJars(flink);
  private StateRef from = new StateRef.Savepoint("file:/savepoints/savepoint-1");

  @BeforeEach
  void theImageHasTheJar() {
    jars.having("orders.jar");
  }

  private VersionSubmission attempt() {
    return attempt(Applications.version());
  }

  private VersionSubmission attempt(FrozenVersion version) {
    return new VersionSubmission(
        new SubmitRequest(Applications.request(clock.in(Duration.ofMinutes(6))), from),
        version,
        JOB,
        flink,
        jars,
        Runnable::run,
        clock);
  }

  private static ProbeResult<SubmitOutcome> look(VersionSubmission submission) {
    return submission.look(() -> true);
  }

  /** Looks until a look decides. */
  private SubmitOutcome outcome(VersionSubmission submission) {
    for (int looks = 0; looks < 20; looks++) {
      if (look(submission) instanceof ProbeResult.Done<SubmitOutcome> done) {
        return done.result();
      }
      clock.advance(Duration.ofSeconds(1));
    }
    throw new AssertionError("no look decided");
  }

  @Test
  void aJobIsRunUnderItsRecordedIdFromItsRecordedState() {
    assertThat(outcome(attempt())).isInstanceOf(Submitted.class);

    assertThat(jars.effects).containsExactly("run");
    assertThat(jars.lastRun().jobId()).isEqualTo(JOB);
    assertThat(jars.lastRun().savepointPath()).isEqualTo("file:/savepoints/savepoint-1");
    assertThat(jars.lastRun().parallelism()).isEqualTo(8);
    assertThat(jars.lastRun().entryClass()).isEqualTo("org.example.Orders");
    // W22: Flink 2.x takes nothing but a list
    assertThat(jars.lastRun().arguments()).isEqualTo(List.of("--topic", "a b"));
  }

  @Test
  void aJobWithoutStateIsRunWithout() {
    from = new StateRef.Empty("first deployment");

    assertThat(outcome(attempt())).isInstanceOf(Submitted.class);

    assertThat(jars.lastRun().savepointPath()).isNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stateWithoutAnOperatorIsLeftOutOnlyIfThatIsAllowed(boolean allowed) {
    FrozenVersion version = Applications.version();

    assertThat(
            outcome(
                attempt(
                    new FrozenVersion(
                        version.application(),
                        version.ref(),
                        version.spec().withAllowNonRestoredState(allowed)))))
        .isInstanceOf(Submitted.class);

    assertThat(jars.lastRun().allowNonRestoredState()).isEqualTo(allowed);
  }

  @Test
  void itsJobManagerIsAskedAtTheUiPort() {
    assertThat(Applications.version().endpoint().port()).isEqualTo(8082);
    assertThat(Applications.version().endpoint().service()).isEqualTo("orders-1a2b3c4d5e");
  }

  @Test
  void aJobThatFlinkHasIsNotRunAgain() {
    flink.running();

    assertThat(outcome(attempt())).isInstanceOf(Submitted.class);

    assertThat(jars.effects).isEmpty();
  }

  @Test
  void aLostAnswerIsLookedUp() {
    jars.losingTheAnswer(() -> jars.run(JOB));

    assertThat(outcome(attempt())).isInstanceOf(Submitted.class);

    assertThat(jars.effects).containsExactly("run");
  }

  @Test
  void aCallThatDidNotArriveIsMadeAgainUnderTheSameId() {
    jars.losingTheAnswer(() -> {});

    assertThat(outcome(attempt())).isInstanceOf(Submitted.class);

    assertThat(jars.effects).containsExactly("run", "run");
    assertThat(jars.lastRun().jobId()).isEqualTo(JOB);
  }

  @Test
  void aRepeatedIdThatFlinkRefusesIsLookedUp() {
    jars.answering(() -> jars.run(JOB), new RunAnswer.KnownAlready("duplicate"));

    assertThat(outcome(attempt())).isInstanceOf(Submitted.class);
  }

  @Test
  void anIdThatWasUsedUpByAJobWhichIsGoneIsRefused() {
    jars.answering(new RunAnswer.KnownAlready("duplicate"));

    assertThat(outcome(attempt())).isInstanceOf(Refused.class);

    assertThat(jars.effects).containsExactly("run");
  }

  @Test
  void aProgramThatFailsIsRefusedAndNotTriedAgain() {
    jars.answering(new RunAnswer.Refused("ProgramInvocationException: no such class"));

    assertThat(outcome(attempt()))
        .isEqualTo(new Refused("ProgramInvocationException: no such class"));

    assertThat(jars.effects).containsExactly("run");
  }

  @Test
  void aSavepointThatIsNotThereIsRefusedAlthoughItsFailedJobStays() {
    jars.answering(
        () -> flink.job(JOB, FlinkJobState.FAILED, tasks(0, 0, 0)),
        new RunAnswer.Refused("FileNotFoundException: Cannot find checkpoint"));

    assertThat(outcome(attempt()))
        .isEqualTo(new Refused("FileNotFoundException: Cannot find checkpoint"));
  }

  @Test
  void aJarThatTheImageDoesNotHaveIsRefused() {
    jars.forget();

    assertThat(outcome(attempt()))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.why()).contains("flink-web-upload"));

    assertThat(jars.effects).containsExactly("run");
  }

  @Test
  void nothingIsRunBesideAnotherLiveJob() {
    flink.job(Refs.OTHER_JOB_ID, FlinkJobState.RUNNING, tasks(8, 0, 0));

    assertThat(look(attempt()))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.type()).isEqualTo(FailureType.OTHER_JOBS));

    assertThat(jars.effects).isEmpty();
  }

  @Test
  void nothingIsRunBeforeFlinkCanBeAskedForTheJob() {
    flink.up(false);

    assertThatThrownBy(() -> attempt().look(() -> true)).isInstanceOf(FlinkRestException.class);

    assertThat(jars.effects).isEmpty();
  }

  @Test
  void whetherFlinkHasAJobThatItNeverAnsweredForIsNotKnown() {
    VersionSubmission submission = attempt();
    jars.losingTheAnswer(() -> flink.refuse(new FlinkRestException.Unreachable("gone", null)));
    look(submission);
    flink.up(false);
    clock.advance(Duration.ofMinutes(7));

    assertThat(outcome(submission)).isInstanceOf(Unknown.class);
  }
}
