package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Looks;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.SessionJobActivities.EndJobRequest;
import dev.sluice.workflows.model.ClusterObservation.Evidence;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A job on a session cluster has ended by Flink's own word before that is noted. */
@ExtendWith(ApiServer.Extension.class)
class JobEndOnSessionIT {

  private static final Map<String, String> AVAILABLE =
      Map.of("high-availability.type", "kubernetes", "high-availability.storageDir", "s3://ha");
  private static final Evidence NEVER_ACCEPTED =
      new Evidence(JobManager.NEVER_READY, HighAvailability.OFF);

  private SessionRig rig;
  private FakeFlink flink;
  private ResourceRef ref;

  @BeforeEach
  void aJobThatFlinkWasAskedToRun(ApiServer server) {
    rig = new SessionRig(server);
    flink = rig.flink;
    ref = rig.job();
    rig.submitted(ref, Refs.JOB_ID, null);
  }

  private JobEndOnSession end(@Nullable Evidence onlyWhile) {
    return new JobEndOnSession(
        new EndJobRequest(
            ref, rig.job(Refs.JOB_ID), onlyWhile, rig.clock.in(Duration.ofMinutes(3))),
        rig.clusters(),
        rig.writer());
  }

  private ProbeResult<Void> look(JobEndOnSession end) {
    return Looks.at(() -> end.look(() -> true));
  }

  private ProbeResult<Void> look() {
    return look(end(null));
  }

  private void isEnded(ProbeResult<Void> outcome) {
    assertThat(outcome).isEqualTo(ProbeResult.done(null));
    assertThat(rig.isRemoved(ref)).isTrue();
  }

  private void waits(ProbeResult<Void> outcome, String words) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ProbeResult.NotYet.class, it -> assertThat(it.progress()).contains(words));
    assertThat(rig.isRemoved(ref)).isFalse();
  }

  private void fails(ProbeResult<Void> outcome, String type) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class, it -> assertThat(it.type()).isEqualTo(type));
    assertThat(rig.isRemoved(ref)).isFalse();
  }

  @Test
  void aJobThatRunsIsCancelledAndNotedOnceItHasEnded() {
    rig.session(Map.of());
    flink.running();
    JobEndOnSession end = end(null);

    waits(look(end), "RUNNING");
    assertThat(flink.effects).containsExactly("cancel " + Refs.JOB_ID);
    flink.job(FlinkJobState.CANCELED, 0);
    isEnded(look(end));
  }

  @Test
  void aJobThatApachesOperatorDeployedIsCancelledAndNotedAsEnded() {
    rig.session(Map.of());
    ref = rig.deployedByApache("other", Refs.JOB_ID);
    flink.running();
    JobEndOnSession end = end(null);

    waits(look(end), "RUNNING");
    assertThat(flink.effects).containsExactly("cancel " + Refs.JOB_ID);
    flink.job(FlinkJobState.CANCELED, 0);
    isEnded(look(end));
  }

  @Test
  void aCancellationThatWasForgottenIsAskedForAgain() {
    rig.session(Map.of());
    flink.running();
    JobEndOnSession end = end(null);

    waits(look(end), "RUNNING");
    waits(look(end), "RUNNING");
    rig.clock.advance(Duration.ofSeconds(6));
    waits(look(end), "RUNNING");

    assertThat(flink.effects).hasSize(2);
  }

  @Test
  void nothingIsCancelledByAnAttemptThatMayNotActAnyMore() {
    rig.session(Map.of());
    flink.running();

    assertThatThrownBy(() -> end(null).look(() -> false))
        .isInstanceOf(ActGuard.NotLeasedException.class);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobThatHasEndedIsNotedAtOnce() {
    rig.session(Map.of());
    flink.job(FlinkJobState.FINISHED, 0);

    isEnded(look());
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobThatWasEndedBeforeNeedsNoFlink() {
    rig.submitted(ref, Refs.JOB_ID, true);

    assertThat(look()).isEqualTo(ProbeResult.done(null));
    assertThat(flink.requests).isZero();
  }

  @Test
  void aJobThatFlinkWasAskedToRunSinceIsLeftAlone() {
    rig.session(Map.of());
    rig.submitted(ref, Refs.OTHER_JOB_ID, null);
    flink.running();

    fails(look(), FailureType.OUTDATED);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobManagerThatDoesNotAnswerIsWaitedForUntilTheDeadline() {
    rig.session(Map.of());
    flink.up(false);
    JobEndOnSession end = end(null);

    waits(look(end), "does not answer");
    rig.clock.advance(Duration.ofMinutes(3));
    fails(look(end), FailureType.CLUSTER_NOT_GONE);
  }

  /** The run of an attempt that was given up may be on its way. */
  @Test
  void aJobThatTheProcessMayBeAboutToTakeIsWaitedFor() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    JobEndOnSession end = end(null);

    waits(look(end), "does not know the job");
    rig.clock.advance(Duration.ofSeconds(21));
    isEnded(look(end));
  }

  @Test
  void aJobThatComesMeanwhileIsCancelled() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    JobEndOnSession end = end(null);

    waits(look(end), "does not know the job");
    rig.clock.advance(Duration.ofSeconds(21));
    flink.running();

    waits(look(end), "RUNNING");
    assertThat(flink.effects).containsExactly("cancel " + Refs.JOB_ID);
  }

  @Test
  void aJobThatWasLostWithItsJobManagerIsNotedAtOnce() {
    rig.session(Map.of()).jobManager("containerd://second");

    isEnded(look());
  }

  @Test
  void aJobThatMayComeBackByItsMetadataIsWaitedFor() {
    rig.session(AVAILABLE).jobManager("containerd://second");
    rig.metadata();
    JobEndOnSession end = end(null);

    waits(look(end), "metadata only");
    rig.clock.advance(Duration.ofSeconds(30));
    waits(look(end), "metadata only");
  }

  @Test
  void aJobWhoseSessionClusterIsGoneForGoodIsNotedAtOnce() {
    isEnded(look());
    assertThat(flink.requests).isZero();
  }

  @Test
  void aJobWhosePodsAreLeftMayRun() {
    rig.jobManager(SessionRig.PROCESS);

    waits(look(), "FlinkDeployment does not exist");
  }

  @Test
  void aJobWhoseMetadataIsLeftMayComeBack() {
    rig.metadata();

    waits(look(), "FlinkDeployment does not exist");
  }

  @Test
  void aSessionClusterThatIsToComeBackIsWaitedFor() {
    var unused = rig.deployment(Map.of());

    waits(look(), "the JobManager Deployment is missing");
  }

  @Test
  void aJobThatWasThoughtNeverToHaveRunIsLeftAloneWhenItDoes() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    flink.running();

    fails(look(end(NEVER_ACCEPTED)), FailureType.OUTDATED);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobThatIsStillAsItWasObservedIsEnded() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    JobEndOnSession end = end(NEVER_ACCEPTED);

    waits(look(end), "does not know the job");
    rig.clock.advance(Duration.ofSeconds(21));
    isEnded(look(end));
  }

  /** Flink removes the metadata with the job. */
  @Test
  void aJobThatAnEarlierAttemptCancelledIsStillTheOneThatWasObserved() {
    rig.session(AVAILABLE).jobManager(SessionRig.PROCESS);
    flink.job(FlinkJobState.CANCELED, 0);

    isEnded(look(end(new Evidence(JobManager.MAY_HAVE_RUN, HighAvailability.CHECKPOINT))));
  }

  /** It would be started from a state that is older than that checkpoint. */
  @Test
  void aJobThatHasCompletedItsFirstCheckpointMeanwhileIsLeftAlone() {
    rig.session(AVAILABLE).jobManager(SessionRig.PROCESS);
    rig.checkpointMetadata();
    flink.running();

    fails(
        look(end(new Evidence(JobManager.MAY_HAVE_RUN, HighAvailability.NO_CHECKPOINT))),
        FailureType.OUTDATED);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aJobThatHasNotCompletedACheckpointSinceIsCancelled() {
    rig.session(AVAILABLE).jobManager(SessionRig.PROCESS);
    rig.metadata();
    flink.running();

    waits(
        look(end(new Evidence(JobManager.MAY_HAVE_RUN, HighAvailability.NO_CHECKPOINT))),
        "RUNNING");
    assertThat(flink.effects).containsExactly("cancel " + Refs.JOB_ID);
  }

  /** That it never ran was found out in time; Flink would have it by now. */
  @Test
  void aJobThatWasNeverAcceptedIsStillThatWhileItsRunIsWaitedFor() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    rig.sent(ref, Refs.JOB_ID);
    JobEndOnSession end = end(NEVER_ACCEPTED);

    waits(look(end), "its main method may start it until");
    rig.clock.advance(Duration.ofSeconds(150));
    waits(look(end), "its main method may start it until");
    rig.clock.advance(Duration.ofMinutes(8));
    isEnded(look(end));
  }

  /** The next JobManager brings back what its metadata has, which may not be written yet. */
  @Test
  void withHighAvailabilityAJobOfAProcessThatIsGoneIsLookedForAWhile() {
    rig.session(AVAILABLE).jobManager("containerd://second");
    JobEndOnSession end = end(null);

    waits(look(end), "does not know the job");
    rig.clock.advance(Duration.ofSeconds(21));
    isEnded(look(end));
  }

  @Test
  void aRunWhoseMainMethodMayBeAtWorkIsWaitedForLonger() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    rig.sent(ref, Refs.JOB_ID);
    JobEndOnSession end = end(null);

    waits(look(end), "its main method may start it until");
    rig.clock.advance(Duration.ofMinutes(2));
    waits(look(end), "its main method may start it until");
    rig.clock.advance(Duration.ofMinutes(2));
    fails(look(end), FailureType.CLUSTER_NOT_GONE);
    rig.clock.advance(Duration.ofMinutes(7));
    isEnded(look(end));
  }

  @Test
  void aRunThatWasSentToAProcessThatIsGoneIsLost() {
    rig.session(Map.of()).jobManager("containerd://second");
    rig.sent(ref, Refs.JOB_ID);

    isEnded(look());
  }
}
