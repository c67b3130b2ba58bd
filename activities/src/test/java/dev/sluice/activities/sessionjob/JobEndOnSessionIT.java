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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A job on a session cluster has ended by Flink's own word before that is noted. */
@ExtendWith(ApiServer.Extension.class)
class JobEndOnSessionIT {

  private static final Map<String, String> AVAILABLE =
      Map.of("high-availability.type", "kubernetes", "high-availability.storageDir", "s3://ha");
  private static final Evidence NEVER_ACCEPTED =
      new Evidence(JobManager.NEVER_READY, HighAvailability.OFF);

  private static final String JAR = "sluice-" + Refs.JOB_ID + ".jar";

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
  void aJobThatWasEndedBeforeNeedsNoFlink() {
    rig.submitted(ref, Refs.JOB_ID, true);

    assertThat(look()).isEqualTo(ProbeResult.done(null));
    assertThat(flink.requests).isZero();
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

  private static final String ENDED = "ended";

  private static Arguments seen(
      String what, @Nullable Evidence onlyWhile, Consumer<JobEndOnSessionIT> world, String is) {
    return Arguments.of(what, onlyWhile, world, is);
  }

  static Stream<Arguments> worlds() {
    String second = "containerd://second";
    String noHost = "FlinkDeployment does not exist";
    String running = "the job is RUNNING";
    Evidence none = new Evidence(JobManager.MAY_HAVE_RUN, HighAvailability.NO_CHECKPOINT);
    Evidence some = new Evidence(JobManager.MAY_HAVE_RUN, HighAvailability.CHECKPOINT);
    return Stream.of(
        seen("it has ended", null, it -> it.deployed().flink.job(FlinkJobState.FINISHED, 0), ENDED),
        seen(
            "another was asked for since",
            null,
            it -> it.running().rig.submitted(it.ref, Refs.OTHER_JOB_ID, null),
            FailureType.OUTDATED),
        seen(
            "lost with its process",
            null,
            it -> it.rig.session(Map.of()).jobManager(second),
            ENDED),
        seen(
            "sent to a process that is gone",
            null,
            it -> {
              it.rig.session(Map.of()).jobManager(second);
              it.rig.sent(it.ref, Refs.JOB_ID);
            },
            ENDED),
        seen("its cluster is gone for good", null, it -> {}, ENDED),
        seen("pods are left", null, it -> it.rig.jobManager(SessionRig.PROCESS), noHost),
        seen("metadata is left", null, it -> it.rig.metadata(), noHost),
        seen(
            "its cluster is to come back",
            null,
            it -> it.rig.deployment(Map.of()),
            "the JobManager Deployment is missing"),
        seen("it was never accepted, and runs", NEVER_ACCEPTED, it -> it.running(), "Outdated"),
        // Flink removes the metadata with the job
        seen(
            "an earlier attempt cancelled it",
            some,
            it -> it.available().flink.job(FlinkJobState.CANCELED, 0),
            ENDED),
        // it would be started from a state that is older than that checkpoint
        seen(
            "its first checkpoint was completed meanwhile",
            none,
            it -> it.available().running().rig.checkpointMetadata(),
            FailureType.OUTDATED),
        seen(
            "it has completed none since",
            none,
            it -> it.available().running().rig.metadata(),
            running));
  }

  @ParameterizedTest(name = "{0}: {3}")
  @MethodSource("worlds")
  void whatIsSeenDecides(
      String what, @Nullable Evidence onlyWhile, Consumer<JobEndOnSessionIT> world, String is) {
    world.accept(this);

    ProbeResult<Void> seen = look(end(onlyWhile));

    if (is.equals(ENDED)) {
      isEnded(seen);
    } else if (is.equals(FailureType.OUTDATED)) {
      fails(seen, is);
    } else {
      waits(seen, is);
    }
    assertThat(flink.effects).hasSize(is.contains("RUNNING") ? 1 : 0);
  }

  private JobEndOnSessionIT deployed() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    return this;
  }

  private JobEndOnSessionIT available() {
    rig.session(AVAILABLE).jobManager(SessionRig.PROCESS);
    return this;
  }

  private JobEndOnSessionIT running() {
    if (rig.hasNoHost()) {
      deployed();
    }
    flink.running();
    return this;
  }

  static Stream<Arguments> absences() {
    return Stream.of(
        // the run of an attempt that was given up may be on its way
        Arguments.of(Map.of(), SessionRig.PROCESS, null),
        Arguments.of(Map.of(), SessionRig.PROCESS, NEVER_ACCEPTED),
        // the next JobManager brings back what its metadata has, which may not be written yet
        Arguments.of(AVAILABLE, "containerd://second", null));
  }

  @ParameterizedTest
  @MethodSource("absences")
  void aJobThatMayBeTakenInAMomentIsWaitedFor(
      Map<String, String> configuration, String process, @Nullable Evidence onlyWhile) {
    rig.session(configuration).jobManager(process);
    JobEndOnSession end = end(onlyWhile);

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
  void aJobThatMayComeBackByItsMetadataIsWaitedFor() {
    rig.session(AVAILABLE).jobManager("containerd://second");
    rig.metadata();
    JobEndOnSession end = end(null);

    waits(look(end), "metadata only");
    rig.clock.advance(Duration.ofSeconds(30));
    waits(look(end), "metadata only");
  }

  /** Without its jar no main method submits it, however long it runs. */
  @Test
  void aRunWhoseJarIsTakenAwayIsNotWaitedFor() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    rig.sent(ref, Refs.JOB_ID);
    rig.jars.having(JAR);
    String ofAnotherJob = rig.jars.having("sluice-" + Refs.OTHER_JOB_ID + ".jar");
    JobEndOnSession end = end(null);

    waits(look(end), "does not know the job");
    assertThat(rig.jars.ids()).containsExactly(ofAnotherJob);
    rig.clock.advance(Duration.ofSeconds(15));
    rig.jars.having(JAR); // by an attempt that was given up
    waits(look(end), "does not know the job");
    rig.clock.advance(Duration.ofSeconds(15));
    waits(look(end), "does not know the job");
    rig.clock.advance(Duration.ofSeconds(6));

    isEnded(look(end));
    assertThat(rig.jars.ids()).containsExactly(ofAnotherJob);
  }

  @Test
  void theJarThatAKilledWorkerHasLeftGoesWithTheJob() {
    deployed().flink.job(FlinkJobState.FINISHED, 0);
    rig.jars.having(JAR);

    isEnded(look());
    assertThat(rig.jars.ids()).isEmpty();
  }

  static Stream<Arguments> unknowns() {
    Consumer<JobEndOnSessionIT> submits = it -> it.rig.jars.submitting = true;
    Consumer<JobEndOnSessionIT> silent = it -> it.rig.jars.down();
    Consumer<JobEndOnSessionIT> unclear = it -> it.rig.sentTo(it.ref, Refs.JOB_ID, null);
    Consumer<JobEndOnSessionIT> several =
        it -> it.rig.sentTo(it.ref, Refs.JOB_ID, "containerd://a containerd://first");
    return Stream.of(
        Arguments.of("a main method submits its job", submits),
        Arguments.of("its jars are not listed", silent),
        Arguments.of("it is not known who was asked", unclear),
        Arguments.of("one of several was asked", several));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unknowns")
  void aRunThatMayStartTheJobIsWaitedFor(String what, Consumer<JobEndOnSessionIT> world) {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    rig.sent(ref, Refs.JOB_ID);
    world.accept(this);
    JobEndOnSession end = end(null);

    waits(look(end), "its main method may start it until");
    rig.clock.advance(Duration.ofMinutes(2));
    waits(look(end), "its main method may start it until");
    rig.clock.advance(Duration.ofMinutes(2));
    fails(look(end), FailureType.CLUSTER_NOT_GONE);
  }

  @Test
  void aJobThatWasSubmittedMeanwhileIsWaitedForOnceMore() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    rig.sent(ref, Refs.JOB_ID);
    rig.jars.submitting = true;
    JobEndOnSession end = end(null);

    waits(look(end), "its main method may start it until");
    rig.clock.advance(Duration.ofSeconds(30));
    rig.jars.submitting = false; // Flink was asked for its jobs before
    waits(look(end), "does not know the job");
    rig.clock.advance(Duration.ofSeconds(21));
    isEnded(look(end));
  }

  /** That it never ran was found out in time; Flink would have it by now. */
  @Test
  void aJobThatWasNeverAcceptedIsStillThatWhileItsRunIsWaitedFor() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    rig.sent(ref, Refs.JOB_ID);
    rig.jars.submitting = true;
    JobEndOnSession end = end(NEVER_ACCEPTED);

    waits(look(end), "its main method may start it until");
    rig.clock.advance(Duration.ofSeconds(150));
    waits(look(end), "its main method may start it until");
    rig.jars.submitting = false;
    waits(look(end), "does not know the job");
    rig.clock.advance(Duration.ofSeconds(21));
    isEnded(look(end));
  }

  /** Where nothing tells, the time has to. */
  @Test
  void aRunThatWasSentLongAgoStartsNothing() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    rig.sent(ref, Refs.JOB_ID);
    rig.jars.submitting = true;
    rig.clock.advance(Duration.ofMinutes(10));
    JobEndOnSession end = end(null);

    waits(look(end), "does not know the job");
    rig.clock.advance(Duration.ofSeconds(21));
    isEnded(look(end));
  }
}
