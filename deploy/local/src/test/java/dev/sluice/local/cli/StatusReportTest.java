package dev.sluice.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.cluster.LocalCluster.PartStatus;
import dev.sluice.local.cluster.Operator.Program;
import dev.sluice.local.cluster.Part.State;
import dev.sluice.local.cluster.PartName;
import dev.sluice.local.cluster.PodStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusReportTest {

  private static final List<PartStatus> PARTS =
      List.of(
          new PartStatus(PartName.ETCD, State.READY, 4711, 43),
          new PartStatus(PartName.NODE, State.STOPPED, 0, 0));

  @Test
  void saysHowEachPartIs() {
    assertThat(lines(List.of())).anyMatch(line -> line.matches("etcd +running +4711 +43M"));
    assertThat(lines(List.of())).anyMatch(line -> line.matches("node +stopped +- +-"));
  }

  @Test
  void saysHowEachPodIs() {
    assertThat(lines(List.of(new PodStatus("default/counter-1", "CrashLoopBackOff", 0))))
        .anyMatch(line -> line.matches("pod default/counter-1 +CrashLoopBackOff +0M"));
  }

  @Test
  void saysWhatPartsAndPodsHoldTogether() {
    assertThat(lines(List.of(new PodStatus("a/p", "running", 200), new PodStatus("b/p", "x", 29))))
        .last()
        .asString()
        .matches("all together +272M");
  }

  @Test
  void failsWhenAProgramIsNotReady() {
    assertThat(StatusReport.exitCode(List.of())).isZero();
    assertThat(StatusReport.exitCode(List.of(new Program("controller", "")))).isEqualTo(1);
  }

  private static List<String> lines(List<PodStatus> pods) {
    return StatusReport.table(PARTS, pods).lines().toList();
  }
}
