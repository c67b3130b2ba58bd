package dev.sluice.activities.job;

import static dev.sluice.activities.support.FakeFlink.JOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.JobState;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.job.CancelRequest;
import dev.sluice.workflows.job.StateTaken;
import dev.sluice.workflows.operation.FailureType;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobCancellationTest {

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();
  private final JobTarget target =
      new JobTarget(
          Endpoint.of("default", "orders"),
          JOB,
          FlinkConfiguration.empty(),
          FlinkConfiguration.empty(),
          Duration.ofSeconds(3));

  @Test
  void asksOnceAndWaitsForTheEnd() {
    flink.running();
    JobCancellation cancellation = cancellation(false);

    look(cancellation);
    look(cancellation);
    flink.job(JobState.CANCELLING, 4);
    look(cancellation);
    flink.job(JobState.CANCELED, 0);

    assertThat(look(cancellation))
        .isEqualTo(ProbeResult.done(new StateTaken(null, "the job is CANCELED")));
    assertThat(flink.effects).containsExactly("cancel " + JOB);
  }

  @Test
  void asksAgainWhenARequestWasLost() {
    flink.running();
    JobCancellation cancellation = cancellation(false);
    look(cancellation);
    clock.advance(Duration.ofSeconds(6));

    look(cancellation);

    assertThat(flink.effects).hasSize(2);
  }

  @Test
  void aJobThatHasEndedIsNotCancelled() {
    flink.job(JobState.FAILED, 0);

    assertThat(look(cancellation(false))).isInstanceOf(ProbeResult.Done.class);
    assertThat(flink.effects).isEmpty();
  }

  @Test
  void theStateIsReadOnceFlinksCacheIsOver() {
    flink.job(JobState.CANCELED, 0);
    flink.checkpoints(Stats.none().checkpoint(7, "file:/c/chk-7").build());
    JobCancellation cancellation = cancellation(true);

    assertThat(look(cancellation)).isInstanceOf(ProbeResult.NotYet.class);
    flink.checkpoints(Stats.none().checkpoint(8, "file:/c/chk-8").build());
    clock.advance(Duration.ofSeconds(4));

    assertThat(look(cancellation))
        .isEqualTo(
            ProbeResult.done(
                new StateTaken("file:/c/chk-8", "newest state of the job, which is CANCELED")));
  }

  @Test
  void aJobThatNeverTookACheckpointHasNoState() {
    flink.job(JobState.CANCELED, 0).checkpoints(Stats.none().build());
    JobCancellation cancellation = cancellation(true);
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(look(cancellation))
        .isEqualTo(ProbeResult.done(new StateTaken(null, "the job had no state")));
  }

  @Test
  void aJobThatSomebodyStoppedIsNotSaidToHaveNoState() {
    flink.job(JobState.FINISHED, 0).checkpoints(Stats.none().build());
    JobCancellation cancellation = cancellation(true);
    look(cancellation);
    clock.advance(Duration.ofSeconds(4));

    assertThat(type(look(cancellation))).isEqualTo(FailureType.STATE_NOT_FOUND);
  }

  @Test
  void aJobThatIsNotKnownIsGoneAfterAWhile() {
    flink.noJob();
    JobCancellation cancellation = cancellation(false);

    assertThat(look(cancellation)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(21));

    assertThat(look(cancellation)).isInstanceOf(ProbeResult.Done.class);
  }

  @Test
  void itEndsAtTheDeadline() {
    flink.job(JobState.CANCELLING, 1);
    JobCancellation cancellation = cancellation(false);
    clock.advance(Duration.ofMinutes(4));

    assertThat(type(look(cancellation))).isEqualTo(FailureType.TIMED_OUT);
  }

  private JobCancellation cancellation(boolean keepState) {
    return new JobCancellation(
        new CancelRequest(Refs.ORDERS, JOB, keepState, clock.in(Duration.ofMinutes(3))),
        target,
        flink,
        new EndedJob(
            flink,
            (directory, job) -> Optional.empty(),
            Runnable::run,
            clock,
            target.statisticsAge()),
        clock);
  }

  private static String type(ProbeResult<StateTaken> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Failed.class);
    return ((ProbeResult.Failed<StateTaken>) outcome).type();
  }

  private static ProbeResult<StateTaken> look(JobCancellation cancellation) {
    return cancellation.look().join();
  }
}
