package dev.sluice.local.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.cluster.LocalCluster.PartStatus;
import dev.sluice.local.cluster.PartName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StatusReportTest {

  private static final List<PartStatus> PARTS =
      List.of(
          new PartStatus(PartName.ETCD, "running", 4711, 43),
          new PartStatus(PartName.NODE, "stopped", 0, 0));

  @Test
  void saysHowEachPartIs() {
    assertThat(lines(Map.of())).anyMatch(line -> line.matches("etcd +running +4711 +43M"));
    assertThat(lines(Map.of())).anyMatch(line -> line.matches("node +stopped +- +-"));
  }

  @Test
  void saysWhatPartsAndPodsHoldTogether() {
    assertThat(lines(Map.of("counter-1", 229L)))
        .anyMatch(line -> line.matches("pod counter-1 +running +229M"))
        .last()
        .asString()
        .matches("all together +272M");
  }

  private static List<String> lines(Map<String, Long> pods) {
    return StatusReport.table(PARTS, new TreeMap<>(pods)).lines().toList();
  }
}
