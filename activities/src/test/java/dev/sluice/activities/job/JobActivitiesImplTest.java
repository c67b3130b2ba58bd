package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.support.DrivenWatcher;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.AwaitStableRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest.OnlyIf;
import dev.sluice.workflows.activity.JobActivities.StableJob;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.model.StateRef;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the activities are put together. */
class JobActivitiesImplTest {

  private static final String TRIGGER = "00000000000000000000000000000001";
  private static final String PATH = "file:/savepoints/savepoint-ab12cd-77";

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final FakeClusters clusters = FakeClusters.running();
  private final SavepointLimiter limiter =
      new SavepointLimiter(1, clock, new SimpleMeterRegistry());
  private final DrivenWatcher watcher = new DrivenWatcher(clock);
  private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
  private JobActivities activities;

  @BeforeEach
  void register() {
    temporal.registerActivitiesImplementations(
        new JobActivitiesImpl(
            resource -> clusters, clusters.access(clock), flink, limiter, watcher));
    activities = temporal.newActivityStub(JobActivities.class);
  }

  @AfterEach
  void close() {
    temporal.close();
  }

  private StopRequest stop() {
    return new StopRequest(
        Jobs.RESOURCE, Jobs.JOB, TRIGGER, clock.millis(), clock.in(Duration.ofMinutes(10)));
  }

  private CancelRequest cancel(boolean keepState) {
    return new CancelRequest(
        Jobs.RESOURCE,
        Jobs.JOB,
        keepState ? OnlyIf.STATE_IS_KEPT : OnlyIf.ANY_CASE,
        clock.in(Duration.ofMinutes(3)));
  }

  private static void failsAs(String type, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(ActivityFailure.class)
        .cause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.getType()).isEqualTo(type));
  }

  @Test
  void aStopAnswersWhereTheSavepointIsAndGivesItsSlotBack() {
    flink.running();
    watcher.between(() -> flink.savepoint(TRIGGER, new SavepointOperation.Completed(PATH)));

    assertThat(activities.stopWithSavepoint(stop()).state())
        .isEqualTo(new StateRef.Savepoint(PATH));
    assertThat(limiter.inUse()).isZero();
  }

  @ParameterizedTest(name = "{0}, {1}, {2}: {3}")
  @CsvSource({
    "false, '', '', CANONICAL",
    "false, native, '', NATIVE",
    "false, junk, true, CANONICAL", // drained, the next job would not go on where this one was
    "true, '', TRUE, CANONICAL drained",
    "true, NATIVE, false, NATIVE",
  })
  void theSpecOfTheOperationSaysHowTheSavepointIsTaken(
      boolean deletion, String format, String drain, String how) {
    Map<String, String> spec =
        Map.of(
            "kubernetes.operator.savepoint.format.type", format,
            "kubernetes.operator.job.drain-on-savepoint-deletion", drain);
    if (deletion) {
      clusters.newest = spec;
    } else {
      clusters.target = Jobs.cluster(spec);
    }
    flink.running();
    watcher.between(() -> flink.savepoint(TRIGGER, new SavepointOperation.Completed(PATH)));

    activities.stopWithSavepoint(
        new StopRequest(
            Jobs.RESOURCE,
            Jobs.JOB,
            TRIGGER,
            clock.millis(),
            clock.in(Duration.ofMinutes(10)),
            deletion));

    assertThat(flink.effects).containsExactly("stop " + TRIGGER + " to null " + how);
  }

  @Test
  void whatChangesAJobAsksTemporalFirstWhatOnlyLooksDoesNot() {
    flink.job(FlinkJobState.FINISHED, 0);

    activities.cancelJob(cancel(false));
    assertThat(watcher.last().acts()).isTrue();
    assertThat(watcher.last().subject().resource()).isEqualTo(Jobs.RESOURCE);
    assertThat(watcher.last().subject().key()).isEqualTo("default/orders");
    activities.awaitRunning(start());
    assertThat(watcher.last().acts()).isFalse();
  }

  private AwaitRunningRequest start() {
    return new AwaitRunningRequest(
        Jobs.RESOURCE, Jobs.JOB, new StateRef.Empty("first"), clock.in(Duration.ofMinutes(5)));
  }

  /** Its limit grows with what the job turns out to need. */
  @Test
  void aWaitForAStableJobOnlyLooksAndTellsItsProgress() {
    flink.job(FlinkJobState.FINISHED, 0);

    StableJob stable = activities.awaitStable(stable());

    assertThat(stable).isEqualTo(new StableJob(JOB, "it has finished"));
    assertThat(watcher.last().acts()).isFalse();
    assertThat(watcher.last().subject().resource()).isEqualTo(Jobs.RESOURCE);
    assertThat(watcher.last().limit().timeoutType()).isEqualTo(FailureType.NOT_STABLE);
    assertThat(watcher.last().limit().extensionMs().getAsLong()).isNotNegative();
  }

  @Test
  void aClusterOfAnotherJobIsNotWaitedFor() {
    flink.running();
    clusters.target = Jobs.cluster("ffffffffffffffffffffffffffffffff", Map.of());

    failsAs(FailureType.OUTDATED, () -> activities.awaitStable(stable()));
  }

  private AwaitStableRequest stable() {
    return new AwaitStableRequest(
        Jobs.RESOURCE,
        Jobs.JOB,
        new StableAfter(120_000),
        Duration.ofMinutes(5).toMillis(),
        clock.in(Duration.ofMinutes(9)));
  }

  @Test
  void nothingIsDoneToAClusterThatWasMadeForAnotherJob() {
    flink.running();
    clusters.running = Jobs.cluster("ffffffffffffffffffffffffffffffff", Map.of());

    failsAs(FailureType.OUTDATED, () -> activities.stopWithSavepoint(stop()));
    failsAs(FailureType.OUTDATED, () -> activities.cancelJob(cancel(false)));
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void aClusterThatDoesNotSayItsJobIsTaken() {
    flink.job(FlinkJobState.CANCELED, 0);
    clusters.running = Jobs.cluster(null, Map.of());

    assertThat(activities.cancelJob(cancel(false)).how()).contains("CANCELED");
  }

  @Test
  void aSavepointGoesToTheDirectoryOfTheTargetWhereTheRunningClusterHasNone() {
    flink.running();
    clusters.target = Jobs.cluster(JOB, Map.of("state.savepoints.dir", "s3://b/savepoints"));
    watcher.between(() -> flink.savepoint(TRIGGER, new SavepointOperation.Completed(PATH)));

    activities.stopWithSavepoint(stop());

    assertThat(flink.effects)
        .containsExactly("stop " + TRIGGER + " to s3://b/savepoints CANONICAL");
  }

  @Test
  void aJobWhoseClusterIsGoneNeedsNoCancellation() {
    clusters.both(FakeClusters.NONE);
    flink.up(false);

    assertThat(activities.cancelJob(cancel(false)).state()).isInstanceOf(StateRef.Empty.class);
  }

  @Test
  void aJobWhoseClusterIsGoneIsPlannedAgainAndItsStateIsNotKnown() {
    clusters.both(FakeClusters.NONE);
    flink.up(false);

    failsAs(FailureType.OUTDATED, () -> activities.awaitRunning(start()));
    failsAs(FailureType.STATE_NOT_FOUND, () -> activities.cancelJob(cancel(true)));
    failsAs(FailureType.STATE_NOT_FOUND, () -> activities.stopWithSavepoint(stop()));
  }

  @Test
  void aJobManagerThatIsRescheduledForLongEndsNoCancellation() {
    flink.running().up(false).checkpoints(Stats.none().build());
    watcher.each(Duration.ofSeconds(61)).between(() -> flink.up(true));
    watcher.between(() -> flink.job(FlinkJobState.CANCELED, 0));

    assertThat(activities.cancelJob(cancel(false)).how()).contains("CANCELED");
  }
}
