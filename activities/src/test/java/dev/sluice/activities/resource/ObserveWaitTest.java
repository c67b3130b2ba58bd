package dev.sluice.activities.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Stats;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.Observation.JobSeen;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class ObserveWaitTest {

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink();

  @Test
  void aJobThatRunsInEarnestIsToldAtOnceWithItsNewestState() {
    flink.running().checkpoints(Stats.none().checkpoint(7, "file:/c/chk-7").build());

    assertThat(job(look(patience(60))))
        .isEqualTo(new JobSeen(true, FakeFlink.JOB, "RUNNING", 8, 8, "file:/c/chk-7"));
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkJobState.class,
      mode = Mode.INCLUDE,
      names = {
        "INITIALIZING",
        "CREATED",
        "RUNNING",
        "FAILING",
        "CANCELLING",
        "RESTARTING",
        "RECONCILING"
      })
  void aJobThatIsChangingIsWaitedForUntilPatienceEnds(FlinkJobState state) {
    flink.job(state, 3);
    ObserveWait wait = patience(60);

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    clock.advance(Duration.ofSeconds(60));

    assertThat(job(look(wait)).state()).isEqualTo(state.name());
  }

  @ParameterizedTest
  @EnumSource(
      value = FlinkJobState.class,
      names = {"FAILED", "CANCELED"})
  void ofAJobThatHasEndedTheStateIsToldOnceItIsFinal(FlinkJobState state) {
    flink.job(state, 0).checkpoints(Stats.none().checkpoint(7, "file:/c/chk-7").build());
    ObserveWait wait = patience(0);

    assertThat(look(wait)).isInstanceOf(ProbeResult.NotYet.class);
    flink.checkpoints(Stats.none().checkpoint(8, "file:/c/chk-8").build());
    clock.advance(Duration.ofSeconds(4));

    assertThat(job(look(wait)).latestState()).isEqualTo("file:/c/chk-8");
  }

  @Test
  void aSilentJobManagerIsUnknownWhenPatienceEnds() {
    flink.up(false);
    ObserveWait wait = patience(60);

    assertThat(look(wait)).isEqualTo(ProbeResult.notYet("the JobManager does not answer"));
    clock.advance(Duration.ofSeconds(60));

    assertThat(job(look(wait))).isEqualTo(JobSeen.UNKNOWN);
  }

  @Test
  void withoutPatienceTheAnswerComesAtOnce() {
    flink.up(false);

    assertThat(job(look(patience(0)))).isEqualTo(JobSeen.UNKNOWN);
  }

  @Test
  void aJobManagerWithoutAJobIsAnAnswer() {
    flink.noJob();

    assertThat(job(look(patience(60)))).isEqualTo(new JobSeen(true, null, null, 0, 0, null));
  }

  @Test
  void aJobOfAnotherIdIsTakenWhenNoneIsKnown() {
    flink.running();

    JobProbe seen =
        JobProbe.at(flink, Endpoint.of(new ClusterRef("default", "orders")), List.of()).join();

    assertThat(seen.seen().jobId()).isEqualTo(FakeFlink.JOB);
  }

  private ObserveWait patience(int seconds) {
    return new ObserveWait(
        clock.instant().plusSeconds(seconds),
        () ->
            JobProbe.at(
                flink, Endpoint.of(new ClusterRef("default", "orders")), List.of(FakeFlink.JOB)),
        job -> Observations.of(Deployed.orders("default"), null, List.of(), job),
        new SettleTimer(clock, Duration.ofSeconds(3)),
        clock);
  }

  private static ProbeResult<Observation> look(ObserveWait wait) {
    return wait.look().join();
  }

  private static JobSeen job(ProbeResult<Observation> outcome) {
    assertThat(outcome).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<Observation>) outcome).result().job();
  }
}
