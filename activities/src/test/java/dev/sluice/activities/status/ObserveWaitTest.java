package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.job.JobProbe;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Looks;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  private static final Ended FAILED =
      new Ended(Refs.JOB_ID, FlinkJobState.FAILED, new StateRef.Checkpoint("file:/c/chk-9"), true);

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

  static Stream<Ended> ends() {
    return Stream.of(
        ended(FlinkJobState.FINISHED, new StateRef.Savepoint("file:/s"), true),
        ended(FlinkJobState.FINISHED, new StateRef.Empty("it has finished by itself"), true),
        ended(FlinkJobState.CANCELED, new StateRef.Checkpoint("file:/c/chk-9"), true),
        ended(FlinkJobState.FAILED, new StateRef.Savepoint("file:/s"), false));
  }

  private static Ended ended(FlinkJobState as, StateRef left, boolean progressed) {
    return new Ended(Refs.JOB_ID, as, left, progressed);
  }

  @ParameterizedTest
  @MethodSource("ends")
  void aJobWhoseClusterIsDeletedEndedAsIsRecorded(Ended end) {
    readings.deployment = null;
    readings.ended(end);

    assertThat(done(look(patience(60))).job()).isEqualTo(end);
  }

  @Test
  void theEndOfAnEarlierJobTellsNothing() {
    readings.deployment = null;
    readings.ended(FAILED);
    readings.startedNext(Refs.OTHER_JOB_ID);

    assertThat(done(look(patience(60))).job()).isInstanceOf(JobObservation.Unreachable.class);
  }

  /** With high availability such a JobManager was restarted after its job had ended. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJobThatItsJobManagerHasForgottenEndedAsIsRecorded(boolean answers) {
    readings.highlyAvailable();
    readings.ended(FAILED);
    seen = answers ? settled(new JobObservation.Absent(Refs.JOB_ID)) : changing(SILENT);
    ObserveWait wait = patience(60);
    if (!answers) {
      assertThat(look(wait)).isEqualTo(ProbeResult.notYet("wait"));
      clock.advance(Duration.ofSeconds(60));
    }

    assertThat(done(look(wait)).job()).isEqualTo(FAILED);
  }

  @Test
  void whatFlinkTellsGoesBeforeWhatIsRecorded() {
    readings.highlyAvailable();
    readings.ended(FAILED);

    assertThat(done(look(patience(60))).job()).isEqualTo(ALIVE);
  }

  /** It would be run again. */
  @Test
  void withoutHighAvailabilityARecordTellsNothingOfAJobManagerThatRuns() {
    readings.ended(FAILED);
    JobObservation absent = new JobObservation.Absent(Refs.JOB_ID);
    seen = settled(absent);

    assertThat(done(look(patience(60))).job()).isEqualTo(absent);
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

  private ObserveWait patience(int seconds) {
    return new ObserveWait(
        clock.instant().plusSeconds(seconds),
        readings,
        cluster ->
            () -> {
              looks++;
              return seen;
            },
        new ClusterAccess(new FakeClusters(), view, clock));
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
