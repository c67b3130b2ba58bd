package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodStatusTest {

  @ParameterizedTest
  @CsvSource({
    "Running Ready=True, running",
    "Running Ready=False, not ready",
    "Running Ready=False CrashLoopBackOff, CrashLoopBackOff",
    "Pending Ready=False PodInitializing ErrImagePull, ErrImagePull",
    "Pending, pending",
    "Failed Ready=False, failed"
  })
  void saysInOneWordHowAPodIs(String words, String state) {
    assertThat(PodStatus.all("ns/p 127.0.1.2 " + words, Map.of()))
        .containsExactly(new PodStatus("ns/p", state, 0));
  }
}
