package dev.sluice.activities.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.support.FakeClusters;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.bluegreen.BlueGreenOptions.Gates;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Gate;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GateCheckTest {

  private static final Gates NO_GATE = Gates.NONE;
  private static final Gates CHECKPOINTS = new Gates(2, Duration.ZERO, null, null);
  private static final Gates QUIET = new Gates(0, Duration.ofMinutes(1), null, null);
  private static final Gates LAG = new Gates(0, Duration.ZERO, "records-lag-max", 10.0);

  private final TestClock clock = new TestClock();
  private final FakeFlink flink = new FakeFlink().running();
  private Phase phase = new Phase.Ready(FakeFlink.JOB, 0);
  private boolean there = true;

  private ProbeResult<Gate> look(Gates gates) {
    return new GateCheck(
            gates,
            clock.in(Duration.ofMinutes(5)),
            () ->
                there
                    ? Optional.of(new ChildSeen(Color.GREEN, "uid", true, false, 1, null, phase))
                    : Optional.empty(),
            () -> Endpoint.of(new ClusterRef("default", "orders-green")),
            flink,
            FakeClusters.running().access(clock))
        .look();
  }

  private static Gate gate(ProbeResult<Gate> seen) {
    return ((ProbeResult.Done<Gate>) seen).result();
  }

  private static String progress(ProbeResult<Gate> seen) {
    return ((ProbeResult.NotYet<Gate>) seen).progress();
  }

  private void completed(int checkpoints) {
    flink.checkpoints(
        new Checkpoints(
            new Checkpoints.Counts(checkpoints, 0, 0),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  @Test
  void withoutAGateAJobThatIsUpIsThrough() {
    assertThat(gate(look(NO_GATE)).passed()).isTrue();
  }

  @Test
  void aJobHasToCompleteItsCheckpoints() {
    completed(1);
    assertThat(progress(look(CHECKPOINTS))).contains("1 of 2 checkpoints");

    completed(2);
    assertThat(gate(look(CHECKPOINTS)).passed()).isTrue();
  }

  @Test
  void aTaskThatStartedAgainBeginsTheTimeAnew() {
    flink.unchangedSince(clock.instant().minusSeconds(59), clock.instant());
    assertThat(progress(look(QUIET))).contains("59 s of 60 s without a restart");

    flink.unchangedSince(clock.instant().minusSeconds(60), clock.instant());
    assertThat(gate(look(QUIET)).passed()).isTrue();
  }

  @Test
  void aMetricHasToBeLowEnough() {
    assertThat(progress(look(LAG))).contains("records-lag-max is not there, at most 10.0");

    flink.metrics(Map.of("records-lag-max", 11L));
    assertThat(progress(look(LAG))).contains("records-lag-max is 11.0");

    flink.metrics(Map.of("records-lag-max", 10L));
    assertThat(gate(look(LAG)).passed()).isTrue();
  }

  @Test
  void aJobThatIsNotUpWaits() {
    flink.job(FlinkJobState.RESTARTING, 0);

    assertThat(progress(look(NO_GATE))).contains("RESTARTING");
  }

  @Test
  void aJobThatHasFinishedIsThrough() {
    phase = new Phase.Finished(null);

    assertThat(gate(look(CHECKPOINTS)).passed()).isTrue();
  }

  @Test
  void aChildThatHasFailedOrIsGoneCannotPassAnyMore() {
    phase = new Phase.Failed("its job failed");
    assertThat(gate(look(NO_GATE)))
        .isEqualTo(new Gate(false, "it has failed: its job failed", true));

    there = false;
    assertThat(gate(look(NO_GATE))).isEqualTo(new Gate(false, "the child is gone", true));
  }

  @Test
  void atTheDeadlineItIsAnswered() {
    completed(1);
    GateCheck check =
        new GateCheck(
            CHECKPOINTS,
            clock.in(Duration.ZERO),
            () -> Optional.of(new ChildSeen(Color.GREEN, "uid", true, false, 1, null, phase)),
            () -> Endpoint.of(new ClusterRef("default", "orders-green")),
            flink,
            FakeClusters.running().access(clock));

    assertThat(gate(check.look())).isEqualTo(new Gate(false, "1 of 2 checkpoints", false));

    flink.up(false);
    assertThat(gate(check.look()).passed()).isFalse();
  }
}
