package dev.sluice.local.node.pod;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackOffTest {
  private static final Instant ENDED = Instant.parse("2026-11-21T08:00:00Z");
  private static final Duration SHORT = ofSeconds(1);

  @Test
  void theFirstRestartIsAtOnce() {
    assertThat(BackOff.KUBELET.notBefore(ENDED, null, SHORT)).isEqualTo(ENDED);
  }

  @Test
  void laterOnesWaitTwiceAsLongEachTimeUpToTheMost() {
    List<Duration> delays = new ArrayList<>();
    Duration delay = null;
    for (int i = 0; i < 7; i++) {
      delay = BackOff.KUBELET.next(delay, SHORT);
      delays.add(delay);
    }

    assertThat(delays)
        .containsExactly(
            ofSeconds(10),
            ofSeconds(20),
            ofSeconds(40),
            ofSeconds(80),
            ofSeconds(160),
            ofSeconds(300),
            ofSeconds(300));
    assertThat(BackOff.KUBELET.notBefore(ENDED, ofSeconds(40), SHORT))
        .isEqualTo(ENDED.plusSeconds(40));
  }

  @Test
  void aContainerThatWentWellForLongStartsOver() {
    Duration well = ofMinutes(11);

    assertThat(BackOff.KUBELET.notBefore(ENDED, ofSeconds(300), well)).isEqualTo(ENDED);
    assertThat(BackOff.KUBELET.next(ofSeconds(300), well)).isEqualTo(ofSeconds(10));
  }
}
