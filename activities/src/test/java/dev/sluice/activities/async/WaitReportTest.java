package dev.sluice.activities.async;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Jobs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people are told of long waits. */
class WaitReportTest {

  private final List<String> told = new ArrayList<>();
  private final WaitRig rig =
      new WaitRig()
          .reporting(
              (resource, waiting, text) ->
                  told.add(resource.display() + " " + waiting.runId() + ": " + text))
          .with(wait -> wait.reportingTo(Jobs.RESOURCE));

  @Test
  void aShortWaitIsNotTold() {
    rig.seeing(ProbeResult.notYet("5 of 8")).start(ofMinutes(5));

    rig.loop.advance(ofSeconds(9));

    assertThat(told).isEmpty();
  }

  @Test
  void aWaitOfTenSecondsIsToldOnce() {
    rig.seeing(ProbeResult.notYet("5 of 8")).start(ofMinutes(5));

    rig.loop.advance(ofMinutes(1));

    assertThat(told).containsExactly("default/orders run-1: 5 of 8");
  }

  @Test
  void whatChangesIsToldEveryFifteenSecondsAtMost() {
    for (int i = 0; i < 1000; i++) {
      rig.seeing(ProbeResult.notYet("look " + i));
    }
    rig.start(ofMinutes(5));

    rig.loop.advance(ofSeconds(61));

    assertThat(told).hasSize(4);
  }

  @Test
  void theTimeOfEarlierAttemptsCounts() {
    rig.spent(ofSeconds(10)).seeing(ProbeResult.notYet("5 of 8")).start(ofMinutes(5));

    assertThat(told).hasSize(1);
  }

  @Test
  void aReporterThatFailsDoesNotHarmTheWait() {
    rig.reporting(
            (resource, waiting, text) -> {
              throw new IllegalStateException("API server away");
            })
        .seeing(ProbeResult.notYet("5 of 8"))
        .start(ofMinutes(5));

    rig.loop.advance(ofSeconds(30));
    rig.seeing(ProbeResult.done("up"));
    rig.loop.advance(ofSeconds(5));

    assertThat(rig.temporal.completions).containsExactly("up");
  }
}
