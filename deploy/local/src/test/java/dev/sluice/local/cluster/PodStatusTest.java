package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
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

  @Test
  void tellsPodsOfTheSameNameInTwoNamespacesApart() {
    String lines = "a/p 127.0.1.2 Running Ready=True\nb/p 127.0.1.3 Running Ready=True\n";

    assertThat(PodStatus.all(lines, Map.of("127.0.1.2", 10L, "127.0.1.3", 20L)))
        .containsExactly(new PodStatus("a/p", "running", 10), new PodStatus("b/p", "running", 20));
  }

  @Test
  void takesTheMemoryOfAnAddressForThePodThatHasItNow() {
    String lines = "a/old 127.0.1.2 Succeeded Ready=False\na/new 127.0.1.2 Running Ready=True\n";

    assertThat(PodStatus.all(lines, Map.of("127.0.1.2", 10L)))
        .extracting(PodStatus::residentMegabytes)
        .containsExactly(0L, 10L);
  }

  @Test
  void showsProcessesOfWhichTheApiServerHasNoPod() {
    assertThat(PodStatus.all("", Map.of("127.0.1.2", 10L)))
        .containsExactly(new PodStatus("127.0.1.2", "unknown", 10));
  }
}
