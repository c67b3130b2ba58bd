package dev.sluice.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpgradeReportTest {

  @Test
  void comparesTheMediansAndNotTheMeans() {
    UpgradeReport report =
        new UpgradeReport(List.of(round(10, 11, 8), round(10, 12, 9), round(90, 13, 40)));

    assertThat(report.text())
        .containsPattern("by script +10\\.0 s")
        .containsPattern("until Ready +12\\.0 s")
        .containsPattern("ratio b/a +1\\.20 ")
        .containsPattern("writes of controller, worker +9 ");
  }

  private static UpgradeReport.Round round(double script, double sluice, int writes) {
    ApiCall patch = new ApiCall("sluice-worker", "patch", "flinkdeployments", 200);
    return new UpgradeReport.Round(
        1,
        script,
        sluice,
        new CostMeter.Cost(new CallCount(Collections.nCopies(writes, patch)), 25, 3));
  }
}
