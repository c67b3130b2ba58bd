package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.SessionJobSource.SessionJob;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SessionJobSourceTest {

  private static final Instant SENT = Instant.parse("2026-11-24T10:00:00Z");

  private static SessionJob at(OperationState state) {
    return new SessionJob(
        "clicks",
        "job",
        null,
        OperationStatus.EMPTY
            .withType(OperationType.UPGRADE)
            .withState(state)
            .withStep("StopWithSavepoint")
            .withReason("SavepointFailed"),
        null);
  }

  @Test
  void oneThatIsParkedIsHeldAndNamedWithItsStep() {
    assertThat(at(OperationState.PARKED).isHeld()).isTrue();
    assertThat(at(OperationState.PARKED).display())
        .isEqualTo("clicks (Parked at StopWithSavepoint)");
  }

  @Test
  void oneThatWasSentIsWaitedForAsLongAsFlinkMayAnswer() {
    SessionJob sent = new SessionJob("clicks", "job", SENT, null, null);

    assertThat(sent.isBeingSent(SENT.plus(Duration.ofMinutes(9)))).isTrue();
    assertThat(sent.isBeingSent(SENT.plus(Duration.ofMinutes(10)))).isFalse();
    assertThat(new SessionJob("clicks", "job").isBeingSent(SENT)).isFalse();
  }
}
