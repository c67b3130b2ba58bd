package dev.sluice.local.node.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultsTest {
  private static final Pod POD =
      new PodBuilder()
          .withNewMetadata()
          .withNamespace("ns")
          .withName("orders-taskmanager-1-1")
          .addToLabels("component", "taskmanager")
          .addToLabels("app", "orders")
          .endMetadata()
          .build();

  @Test
  void aPatternMeansPodsByNameInItsNamespace() {
    assertThat(PodPattern.named("ns", "orders-*").matches(POD)).isTrue();
    assertThat(PodPattern.named("ns", "*manager*").matches(POD)).isTrue();
    assertThat(PodPattern.named("ns", "orders").matches(POD)).isFalse();
    assertThat(PodPattern.named("ns", "orders.taskmanager-1-1").matches(POD)).isFalse();
    assertThat(PodPattern.named("other", "*").matches(POD)).isFalse();
  }

  @Test
  void aPatternMeansPodsByLabels() {
    assertThat(PodPattern.labelled("ns", Map.of("component", "taskmanager")).matches(POD)).isTrue();
    assertThat(PodPattern.labelled("ns", Map.of("component", "jobmanager")).matches(POD)).isFalse();
  }

  @Test
  void faultsAreReadAsTheyWereWritten(@TempDir Path dir) throws Exception {
    FaultFiles files = new FaultFiles(dir);
    Faults faults =
        new Faults(
            3,
            List.of("flink:*"),
            List.of(PodPattern.named("ns", "a")),
            List.of(PodPattern.labelled("ns", Map.of("x", "y"))),
            Map.of("ns/rest", ServiceFault.STALL));

    files.write(faults);

    assertThat(files.read()).isEqualTo(faults);
    assertThat(faults.refusesImage("flink:2.2")).isTrue();
    assertThat(faults.service("ns", "rest")).contains(ServiceFault.STALL);
    assertThat(faults.service("ns", "other")).isEmpty();
  }

  @Test
  void withoutAFileThereIsNoFaultAndNoNode(@TempDir Path dir) throws Exception {
    assertThat(new FaultFiles(dir).read()).isEqualTo(Faults.NONE);
    assertThat(new FaultFiles(dir).applied()).isEqualTo(-1);
  }
}
