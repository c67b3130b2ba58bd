package dev.sluice.activities.async;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.Pacer.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTest {

  private final PlannedTime time = new PlannedTime();
  private final Lease lease = new Lease(ofSeconds(30), time::moment);

  @Test
  void nothingIsChangedBeforeTheFirstAcknowledgedHeartbeat() {
    assertThat(lease.isAlive()).isTrue();
    assertThat(lease.mayAct()).isFalse();
  }

  @Test
  void itLastsUntilAMarginBeforeTheHeartbeatTimeout() {
    lease.renew(time.moment());

    time.pass(ofMillis(24_999));
    assertThat(lease.mayAct()).isTrue();
    time.pass(ofMillis(1));

    assertThat(lease.mayAct()).isFalse();
    assertThat(lease.isAlive()).isFalse();
  }

  @Test
  void itCountsFromWhenTheHeartbeatWasSentNotFromItsAnswer() {
    Moment sent = time.moment();
    time.pass(ofSeconds(20));

    lease.renew(sent);
    time.pass(ofSeconds(5));

    assertThat(lease.mayAct()).isFalse();
  }

  @Test
  void anAcknowledgedHeartbeatBringsItBack() {
    time.pass(ofMinutes(10));

    lease.renew(time.moment());

    assertThat(lease.mayAct()).isTrue();
  }

  @Test
  void nothingIsChangedAfterTheWaitHasEnded() {
    lease.renew(time.moment());

    lease.close();

    assertThat(lease.mayAct()).isFalse();
  }

  @Test
  void anActivityWithoutHeartbeatTimeoutKeepsIt() {
    Lease endless = new Lease(Duration.ZERO, time::moment);

    time.pass(ofMinutes(10));

    assertThat(endless.mayAct()).isTrue();
  }

  @Test
  void theClockThatSaysThatMoreTimeHasPassedIsBelieved() {
    Moment start = new Moment(0, 0);

    assertThat(new Moment(0, 60_000).since(start)).isEqualTo(ofMinutes(1));
    assertThat(new Moment(60_000_000_000L, -5_000).since(start)).isEqualTo(ofMinutes(1));
  }
}
