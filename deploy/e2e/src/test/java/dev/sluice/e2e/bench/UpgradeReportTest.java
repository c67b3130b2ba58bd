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

  @Test
  void saysWhatTheWritesOfTheLastRoundWere() {
    assertThat(new UpgradeReport(List.of(round(10, 11, 2))).text())
        .contains("2 worker patch flinkdeployments");
  }

  @Test
  void aRoundIsOneLineWithItsOwnRatio() {
    assertThat(UpgradeReport.line(round(10, 11, 8)).lines())
        .singleElement()
        .asString()
        .matches(" +1 +10\\.0 s +11\\.0 s +1\\.10 +8 +0 +0 +25");
  }

  @Test
  void theIdleReportPutsRequestsBesidePasses() {
    CostMeter.Cost cost = new CostMeter.Cost(new CallCount(List.of()), 4, 4);

    assertThat(IdleBench.text(cost, 1))
        .containsPattern("writes +0 ")
        .containsPattern("passes over Flink clusters +4")
        .containsPattern("REST requests +4 ");
  }

  @Test
  void theMedianOfAnOddNumberIsTheOneInTheMiddle() {
    assertThat(UpgradeReport.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2.0);
  }

  @Test
  void theMedianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
    assertThat(UpgradeReport.median(List.of(4.0, 100.0, 1.0, 2.0))).isEqualTo(3.0);
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
