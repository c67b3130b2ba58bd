package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import dev.sluice.workflows.walk.Cases.Todo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases in which the product, or the model of what is around it, was once wrong. */
class OnceBrokenTest {

  /** What happens in each, in order. */
  private static final List<List<String>> CASES =
      List.of(
          // the report that the run is blocked was lost, and never sent again
          List.of("deploy-without-image/06-Report/BEFORE/API_SERVER_AWAY_LONG"),
          List.of("upgrade-without-image/07-Report/BEFORE/API_SERVER_AWAY_LONG"),
          // back to the stable spec while it is being rolled back to: observed and froze for ever
          List.of(
              "upgrade-to-no-slots-aborted/18-CreateCluster/BEFORE/NEWER_STATELESS_SPEC",
              "upgrade-to-no-slots-aborted/22-FreezeTarget/BEFORE/REVERT"),
          // a retry replaced a stateless job that was up and did not answer once
          List.of(
              "upgrade-stateless/08-AwaitJobManager/BEFORE/FLINK_AWAY_LONG",
              "upgrade-stateless/10-Report/AFTER/FLINK_AWAY"),
          // or that restarted in this moment
          List.of(
              "upgrade-stateless/08-AwaitJobManager/BEFORE/FLINK_AWAY_LONG",
              "upgrade-stateless/09-Observe/BEFORE/JOB_FAILS_OVER"),
          // back to the stable spec before the cluster went: a job that was up was stopped
          List.of("upgrade-ha-not-cancelled/03-RecordState/AFTER/REVERT"),
          // what the old job left was given up with a stateless spec that never ran
          List.of("upgrade-stateless/03-CancelJob/AFTER/REVERT"),
          // the model took what a resume had done that was aborted for what was suspended
          List.of(
              "resume-newer/05-CreateCluster/BEFORE/FLINK_AWAY_LONG",
              "resume-newer/13-AwaitRunning/BEFORE/API_SERVER_AWAY_LONG"),
          // an abort of a resume whose freeze was not answered left it begun
          List.of("resume-failing-aborted/02-FreezeTarget/AFTER/ANSWER_LOST"),
          // the model's controller handed a rollback request to a run that had ended
          List.of(
              "upgrade/08-AwaitJobManager/BEFORE/SUSPENSION",
              "upgrade/08-AwaitJobManager/BEFORE/ROLLBACK"));

  @Test
  void noRuleIsBroken() {
    List<Outcome> outcomes = new ArrayList<>();

    try (Cases walk = new Cases()) {
      walk.run(CASES.stream().<Todo>map(Todo::of).toList(), outcomes::add);
    }

    assertThat(outcomes)
        .filteredOn(outcome -> !outcome.violations().isEmpty())
        .extracting(Outcome::display)
        .isEmpty();
    for (int i = 0; i < CASES.size(); i++) {
      assertThat(outcomes.get(i).trace())
          .as("all of it happens: " + CASES.get(i))
          .filteredOn(line -> line.contains(" ACT "))
          .hasSameSizeAs(CASES.get(i));
    }
  }
}
