package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.job.JobProbe;
import dev.sluice.activities.kubernetes.CustomResources;
import dev.sluice.activities.support.FakeReader;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Looks;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ObserveWaitTest {

  private static final JobObservation ALIVE =
      new JobObservation.Alive(
          Refs.JOB_ID,
          FlinkJobState.RUNNING,
          new Tasks(4, 0, 4),
          new StateRef.Checkpoint("file:/c/chk-7"),
          true,
          Retention.RETAINED,
          600_000,
          JobObservation.Times.UNKNOWN);
  private static final JobObservation SILENT =
      new JobObservation.Unreachable("connection refused", Refs.JOB_ID);

  private final TestClock clock = new TestClock();
  private final FakeView view = new FakeView();
  private final Readings readings = new Readings(clock);
  private JobProbe.Probe seen = settled(ALIVE);
  private int looks;

  @BeforeEach
  void deployed() {
    readings.deployment = Readings.deployment("deployment-1", Refs.JOB_ID);
    view.deployment = readings.deployment;
  }

  @Test
  void aJobThatIsSettledIsToldAtOnceWithOneReadingOfTheApiServer() {
    assertThat(done(look(patience(60))).job()).isEqualTo(ALIVE);
    assertThat(readings.count).isEqualTo(1);
  }

  @Test
  void whatIsNotSettledIsWaitedForUntilPatienceEnds() {
    seen = changing(SILENT);
    ObserveWait wait = patience(60);

    assertThat(look(wait)).isEqualTo(ProbeResult.notYet("wait"));
    clock.advance(Duration.ofSeconds(60));

    assertThat(done(look(wait)).job()).isEqualTo(SILENT);
  }

  @Test
  void withoutPatienceTheAnswerComesAtOnce() {
    seen = changing(SILENT);

    assertThat(done(look(patience(0))).job()).isEqualTo(SILENT);
  }

  @Test
  void otherLiveJobsAreTold() {
    seen = new JobProbe.Probe(ALIVE, List.of("other"), true, "");

    assertThat(done(look(patience(60))).otherJobs()).containsExactly("other");
  }

  /** The resource may have changed while the job was waited for. */
  @Test
  void whatIsToldOfTheResourceIsNotOlderThanWhatIsToldOfTheJob() {
    seen = changing(SILENT);
    ObserveWait wait = patience(60);
    look(wait);
    clock.advance(Duration.ofSeconds(30));
    readings.resource.getMetadata().setGeneration(9L);
    seen = settled(ALIVE);

    assertThat(done(look(wait)).newest().target().generation()).isEqualTo(9);
  }

  @Test
  void aMissingDeploymentIsSaidAtOnceWithTheJobThatItWasFor() {
    readings.deployment = null;
    readings.prepared(Refs.JOB_ID);

    assertThat(done(look(patience(60))).job())
        .isEqualTo(
            new JobObservation.Unreachable("the JobManager Deployment is missing", Refs.JOB_ID));
    assertThat(looks).isZero();
  }

  @Test
  void aDeploymentThatIsDeletedMeanwhileEndsThePatience() {
    seen = changing(SILENT);
    ObserveWait wait = patience(60);
    look(wait);
    readings.deployment = null;
    view.deployment = null;
    clock.advance(Duration.ofSeconds(2));

    assertThat(done(look(wait)).job())
        .isEqualTo(new JobObservation.Unreachable("the JobManager Deployment is missing", null));
  }

  @Test
  void aDeploymentThatOnlyMemoryDoesNotHaveIsWaitedFor() {
    seen = changing(SILENT);
    view.deployment = null;
    ObserveWait wait = patience(60);

    assertThat(look(wait)).isEqualTo(ProbeResult.notYet("wait"));
  }

  @Test
  void aCacheThatIsNotSyncedSaysNothing() {
    seen = changing(SILENT);
    view.deployment = null;
    view.synced = false;
    ObserveWait wait = patience(60);
    look(wait);
    clock.advance(Duration.ofSeconds(2));

    look(wait);

    assertThat(readings.count).isEqualTo(1);
  }

  /** What Flink said was said by a JobManager that is gone. */
  @Test
  void aClusterThatWasReplacedMeanwhileIsLookedAtAgain() {
    seen = changing(SILENT);
    ObserveWait wait = patience(60);
    look(wait);
    clock.advance(Duration.ofSeconds(2));
    readings.deployment = Readings.deployment("deployment-2", Refs.OTHER_JOB_ID);
    seen = settled(ALIVE);

    assertThat(look(wait)).isEqualTo(ProbeResult.notYet("the cluster was just replaced"));
    clock.advance(Duration.ofSeconds(60));
    assertThat(done(look(wait)).cluster().jobId()).isEqualTo(Refs.OTHER_JOB_ID);
  }

  @Test
  void aJobManagerThatWasStoppedOnPurposeIsNotWaitedFor() {
    readings.deployment = Readings.scaledToNothing();

    assertThat(done(look(patience(60))).job())
        .isEqualTo(
            new JobObservation.Unreachable("the JobManager Deployment is scaled to 0", null));
  }

  @Test
  void aJobWhoseJobManagerWasStoppedHasFinished() {
    readings.deployment = Readings.finished("file:/s");
    readings.pods.add(Pods.jobManager()); // on its way out

    assertThat(done(look(patience(60))).job())
        .isEqualTo(
            new JobObservation.Ended(
                Refs.JOB_ID, FlinkJobState.FINISHED, new StateRef.Savepoint("file:/s"), true));
  }

  @Test
  void aFinishedJobThatLeftNoSavepointLeftNothing() {
    readings.deployment = Readings.finished(null);

    assertThat(done(look(patience(60))).job())
        .isInstanceOfSatisfying(
            JobObservation.Ended.class,
            ended -> assertThat(ended.newest()).isInstanceOf(StateRef.Empty.class));
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkJobState.class,
      names = {"FAILED", "CANCELED"})
  void aJobThatFailedOrWasCancelledKeepsItsNewestCheckpoint(FlinkJobState as) {
    readings.deployment = Readings.ended(as, "file:/c/chk-9");

    assertThat(done(look(patience(60))).job())
        .isEqualTo(
            new JobObservation.Ended(
                Refs.JOB_ID, as, new StateRef.Checkpoint("file:/c/chk-9"), true));
  }

  @Test
  void anEndThatIsNotKnownHereIsNotTakenForAnother() {
    readings.deployment = Readings.ended(FlinkJobState.RUNNING, null);

    assertThat(done(look(patience(60))).job()).isInstanceOf(JobObservation.Unreachable.class);
  }

  /**
   * With high availability a JobManager that is restarted knows nothing of a job that has ended.
   */
  @Test
  void aJobThatItsJobManagerHasForgottenEndedAsWasNoted() {
    readings.highlyAvailable();
    readings.deployment = Readings.noted(FlinkJobState.FAILED, "file:/c/chk-9");
    seen = settled(new JobObservation.Absent(Refs.JOB_ID));

    assertThat(done(look(patience(60))).job())
        .isEqualTo(
            new JobObservation.Ended(
                Refs.JOB_ID, FlinkJobState.FAILED, new StateRef.Checkpoint("file:/c/chk-9"), true));
  }

  /** Otherwise another state could not be chosen for one that cannot read what it was given. */
  @Test
  void oneThatIsNotedToHaveLeftWhatItWasStartedFromHasNotProgressed() {
    readings.highlyAvailable();
    readings.startedFrom("/s/savepoint-6");
    readings.deployment = Readings.noted(FlinkJobState.FAILED, "file:/s/savepoint-6");
    seen = settled(new JobObservation.Absent(Refs.JOB_ID));

    assertThat(done(look(patience(60))).job())
        .isEqualTo(
            new JobObservation.Ended(
                Refs.JOB_ID,
                FlinkJobState.FAILED,
                new StateRef.Savepoint("/s/savepoint-6"),
                false));
  }

  @Test
  void oneThatIsNotedToHaveLeftMoreHasProgressed() {
    readings.highlyAvailable();
    readings.startedFrom("/s/savepoint-6");
    readings.deployment = Readings.noted(FlinkJobState.FAILED, "file:/c/chk-9");
    seen = settled(new JobObservation.Absent(Refs.JOB_ID));

    assertThat(done(look(patience(60))).job())
        .isEqualTo(
            new JobObservation.Ended(
                Refs.JOB_ID, FlinkJobState.FAILED, new StateRef.Checkpoint("file:/c/chk-9"), true));
  }

  @Test
  void soItIsWhenItsJobManagerDoesNotAnswerForAllThePatience() {
    readings.highlyAvailable();
    readings.deployment = Readings.noted(FlinkJobState.CANCELED, null);
    seen = changing(SILENT);
    ObserveWait wait = patience(60);

    assertThat(look(wait)).isEqualTo(ProbeResult.notYet("wait"));
    clock.advance(Duration.ofSeconds(60));

    assertThat(done(look(wait)).job()).isInstanceOf(JobObservation.Ended.class);
  }

  @Test
  void whatFlinkTellsGoesBeforeWhatWasNoted() {
    readings.highlyAvailable();
    readings.deployment = Readings.noted(FlinkJobState.FAILED, "file:/c/chk-9");

    assertThat(done(look(patience(60))).job()).isEqualTo(ALIVE);
  }

  /** It would be run again. */
  @Test
  void withoutHighAvailabilityANoteTellsNothingOfAJobManagerThatRuns() {
    readings.deployment = Readings.noted(FlinkJobState.FAILED, "file:/c/chk-9");
    JobObservation absent = new JobObservation.Absent(Refs.JOB_ID);
    seen = settled(absent);

    assertThat(done(look(patience(60))).job()).isEqualTo(absent);
  }

  /** It runs again then. */
  @Test
  void aFinishedJobWhoseJobManagerSomebodyStartedIsAskedFor() {
    readings.deployment =
        new DeploymentBuilder(Readings.finished(null)).editSpec().withReplicas(1).endSpec().build();

    assertThat(done(look(patience(60))).job()).isEqualTo(ALIVE);
  }

  @Test
  void nothingOfAClusterProvesThatNoJobWasEverStarted() {
    readings.deployment = null;

    assertThat(done(look(patience(60))).job())
        .isEqualTo(new JobObservation.NeverStarted("nothing was ever deployed"));
  }

  @Test
  void aTraceOfAClusterIsNoProof() {
    readings.deployment = null;
    readings.prepared(Refs.JOB_ID);

    assertThat(done(look(patience(0))).job()).isInstanceOf(JobObservation.Unreachable.class);
  }

  @Test
  void podsThatAreStillThereBeforeAFirstDeploymentAreWaitedFor() {
    readings.deployment = null;
    readings.pods.add(Pods.taskManager());
    ObserveWait wait = patience(60);

    assertThat(look(wait)).isEqualTo(ProbeResult.notYet("the cluster is changing"));
    readings.pods.clear();
    clock.advance(Duration.ofSeconds(2));

    assertThat(done(look(wait)).job()).isInstanceOf(JobObservation.NeverStarted.class);
  }

  @Test
  void aResourceThatIsGoneEndsIt() {
    seen = changing(SILENT);
    ObserveWait wait = patience(60);
    clock.advance(Duration.ofSeconds(60));
    readings.failure = CustomResources.gone(Refs.RESOURCE);

    assertThat(look(wait))
        .isInstanceOfSatisfying(
            ProbeResult.Failed.class,
            failed -> assertThat(failed.type()).isEqualTo(FailureType.RESOURCE_GONE));
  }

  private ObserveWait patience(int seconds) {
    return new ObserveWait(
        clock.instant().plusSeconds(seconds),
        readings,
        cluster ->
            () -> {
              looks++;
              return seen;
            },
        new ClusterAccess(new FakeReader(), view, clock));
  }

  private static JobProbe.Probe settled(JobObservation job) {
    return new JobProbe.Probe(job, List.of(), true, "");
  }

  private static JobProbe.Probe changing(JobObservation job) {
    return new JobProbe.Probe(job, List.of(), false, "wait");
  }

  private static ProbeResult<Observation> look(ObserveWait wait) {
    return Looks.at(wait::look);
  }

  private static Observation done(ProbeResult<Observation> result) {
    assertThat(result).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<Observation>) result).result();
  }
}
