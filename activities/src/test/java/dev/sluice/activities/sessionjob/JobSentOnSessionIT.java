package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of a run that was sent to Flink, and what follows from it. */
class JobSentOnSessionIT extends SessionStartScenario {

  @Test
  void aRunThatGotLostIsSentAgainToTheProcessThatWasAsked() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    ResourceRef ref = rig.job();
    rig.sent(ref, Refs.JOB_ID);

    assertThat(decided(start(ref))).isEqualTo(ProbeResult.done(null));
    assertThat(runs).hasSize(1);
  }

  /** It may have run until that process went: it would begin from its old state again. */
  @Test
  void aJobThatWasSentToAProcessThatIsGoneIsNotRunAgain() {
    rig.session(Map.of()).jobManager("containerd://second");
    ResourceRef ref = rig.job();
    rig.sent(ref, Refs.JOB_ID);

    fails(look(start(ref)), FailureType.OUTDATED, "may have run");
    assertThat(runs).isEmpty();
  }

  /** Flink may have had it, and have forgotten how it ended. */
  @Test
  void aJobThatWasSentLongAgoIsNotRunAgain() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    ResourceRef ref = rig.job();
    rig.sent(ref, Refs.JOB_ID);
    rig.clock.advance(Duration.ofHours(1));

    fails(look(start(ref)), FailureType.OUTDATED, "may have run");
    assertThat(runs).isEmpty();
  }

  @Test
  void theProcessIsNotedWhenTheJobIsSentToIt() {
    rig.session(Map.of());
    ResourceRef ref = rig.job();
    submission =
        (cluster, job, alive) -> {
          rig.jobManager("containerd://second");
          alive.sending();
          accept(job);
        };

    assertThat(decided(start(ref))).isEqualTo(ProbeResult.done(null));
    assertThat(rig.submission(ref))
        .isEqualTo(
            new Submission(
                Refs.JOB_ID,
                1L,
                SessionRig.CLUSTER_ID,
                "containerd://second",
                false,
                rig.clock.instant().toString()));
  }

  @Test
  void aJobThatWasEndedWhileItsJarWasFetchedIsNotSent() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    ResourceRef ref = rig.job();
    submission =
        (cluster, job, alive) -> {
          rig.writer().remove(ref, Refs.JOB_ID);
          alive.sending();
          accept(job);
        };

    fails(decided(start(ref)), FailureType.OUTDATED, "was ended");
  }

  @Test
  void aJobIsNotSentToAClusterThatIsToBeReplacedSinceItsJarIsFetched() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    ResourceRef ref = rig.job();
    submission =
        (cluster, job, alive) -> {
          rig.host(ReconciliationState.UPGRADING);
          alive.sending();
          accept(job);
        };
    JobStartOnSession start = start(ref);

    waits(run(start), "FlinkDeployment orders is being upgraded");
    assertThat(flink.jobsOverview(null).jobs()).isEmpty();
    assertThat(rig.submission(ref))
        .satisfies(it -> assertThat(it == null ? "" : it.sentAt()).isNull());
  }

  /** It proves nothing of an earlier run, whose main method may be at work. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRefusalThatIsCertainTakesTheNoteOfItsRunBack(boolean sentBefore) {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    ResourceRef ref = rig.job();
    if (sentBefore) {
      rig.sent(ref, Refs.JOB_ID);
    }
    submission =
        (cluster, job, alive) -> {
          alive.sending();
          alive.startedNothing();
          throw ApplicationFailure.newNonRetryableFailure("no topic", FailureType.JOB_FAILED);
        };

    fails(decided(start(ref)), FailureType.JOB_FAILED, "no topic");
    assertThat(rig.submission(ref).sentAt() != null).isEqualTo(sentBefore);
  }
}
