package dev.sluice.activities.application;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.application.ApplicationActivities.CancelVersionRequest;
import dev.sluice.workflows.application.ApplicationActivities.CancelVersionRequest.OnlyIf;
import dev.sluice.workflows.application.CancelOutcome;
import dev.sluice.workflows.application.CancelOutcome.Ended;
import dev.sluice.workflows.application.CancelOutcome.Left;
import dev.sluice.workflows.application.CancelOutcome.NoJob;
import dev.sluice.workflows.application.CancelOutcome.Unknown;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VersionCancellationTest extends VersionJobScenario {

  private static final String CHECKPOINT = "file:/checkpoints/chk-7";

  private VersionCancellation attempt(OnlyIf onlyIf) {
    long deadline = clock.in(Duration.ofMinutes(3));
    return new VersionCancellation(
        new CancelVersionRequest(
            Applications.request(deadline), onlyIf, Duration.ofHours(1).toMillis()),
        version,
        JOB,
        job()
            .cancellation(
                new CancelRequest(
                    Applications.RESOURCE,
                    new JobRef(version.cluster(), JOB),
                    onlyIf == OnlyIf.ANY_CASE
                        ? CancelRequest.OnlyIf.ANY_CASE
                        : CancelRequest.OnlyIf.STATE_IS_KEPT,
                    deadline)),
        flink,
        clock);
  }

  private CancelOutcome outcome(VersionCancellation cancellation) {
    return outcome(() -> cancellation.look(() -> true));
  }

  private void checkpoint(Duration age) {
    flink.checkpoints(Applications.checkpoint(CHECKPOINT, clock.instant(), age));
  }

  /** W8: Lyft's operator goes on as soon as it has asked. */
  @Test
  void aJobHasEndedWhenFlinkSaysSo() {
    VersionCancellation cancellation = attempt(OnlyIf.ANY_CASE);

    assertThat(cancellation.look(() -> true)).isInstanceOf(ProbeResult.NotYet.class);
    flink.job(FlinkJobState.CANCELLING, 3);
    assertThat(cancellation.look(() -> true)).isInstanceOf(ProbeResult.NotYet.class);
    flink.job(FlinkJobState.CANCELED, 0);

    assertThat(outcome(cancellation)).isInstanceOf(Ended.class);
    assertThat(flink.effects).containsExactly("cancel " + JOB);
  }

  @Test
  void aYoungCheckpointThatIsKeptIsWhatTheJobLeaves() {
    checkpoint(Duration.ofMinutes(59));
    VersionCancellation cancellation = attempt(OnlyIf.STATE_IS_KEPT);
    assertThat(cancellation.look(() -> true)).isInstanceOf(ProbeResult.NotYet.class);
    flink.job(FlinkJobState.CANCELED, 0);

    assertThat(outcome(cancellation))
        .isInstanceOfSatisfying(
            Ended.class,
            ended -> assertThat(ended.left()).isEqualTo(new StateRef.Checkpoint(CHECKPOINT)));
  }

  /** W3: Lyft's operator takes ms for seconds, and a checkpoint of any age. */
  @Test
  void aJobWhoseCheckpointIsTooOldRunsOn() {
    checkpoint(Duration.ofMinutes(61));

    assertThat(outcome(attempt(OnlyIf.STATE_IS_KEPT)))
        .isInstanceOfSatisfying(Left.class, left -> assertThat(left.why()).contains("1 h old"));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobWhoseCheckpointsFlinkDeletesRunsOn() {
    checkpoint(Duration.ofMinutes(1));
    flink.retention(Retention.DELETED);

    assertThat(outcome(attempt(OnlyIf.STATE_IS_KEPT))).isInstanceOf(Left.class);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobWithoutACheckpointRunsOn() {
    flink.checkpoints(Applications.statistics(0, Optional.empty()));

    assertThat(outcome(attempt(OnlyIf.STATE_IS_KEPT))).isInstanceOf(Left.class);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobThatIsCancelledInAnyCaseNeedsNoCheckpoint() {
    VersionCancellation cancellation = attempt(OnlyIf.ANY_CASE);
    assertThat(cancellation.look(() -> true)).isInstanceOf(ProbeResult.NotYet.class);
    flink.job(FlinkJobState.CANCELED, 0);

    assertThat(outcome(cancellation)).isInstanceOf(Ended.class);
  }

  /** The first attempt has cancelled it, and its answer was lost. */
  @Test
  void whatACancelledJobHasLeftCountsHoweverOldItIs() {
    checkpoint(Duration.ofHours(5));
    flink.job(FlinkJobState.CANCELED, 0);

    assertThat(outcome(attempt(OnlyIf.STATE_IS_KEPT))).isInstanceOf(Ended.class);
  }

  @Test
  void aJobThatItsJobManagerDoesNotKnowIsNoJob() {
    flink.noJob();

    assertThat(outcome(attempt(OnlyIf.ANY_CASE))).isInstanceOf(NoJob.class);
  }

  @Test
  void ofASilentJobManagerNothingIsKnown() {
    flink.up(false);

    assertThat(outcome(attempt(OnlyIf.ANY_CASE))).isInstanceOf(Unknown.class);
  }

  @Test
  void aJobThatDoesNotEndInTimeMayEndYet() {
    assertThat(outcome(attempt(OnlyIf.ANY_CASE))).isInstanceOf(Unknown.class);
  }
}
