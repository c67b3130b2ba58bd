package dev.sluice.e2e.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.crash.Result.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {

  private static final Path GOLDEN = Path.of("src", "test", "resources", "crash-matrix.md");

  @Test
  void tellsWhatCameOfEachPointAndHowToRepeatTheOnesInQuestion() throws IOException {
    String note = "upgrade, jobmanager, during: 2 savepoints\nLogs are in here";
    List<Result> results =
        List.of(
            result("Observe", Victim.WORKER, KillMoment.BEFORE, Outcome.PASSED, 8400, ""),
            result("Observe", Victim.WORKER, KillMoment.AFTER, Outcome.PASSED, 10_250, ""),
            result("Observe", Victim.JOBMANAGER, KillMoment.BEFORE, Outcome.ASKED, 31_000, "why"),
            result("CreateCluster", Victim.WORKER, KillMoment.BEFORE, Outcome.PASSED, 900, ""),
            new Result(
                point("CreateCluster", Victim.WORKER, KillMoment.DURING),
                Outcome.PASSED,
                1200,
                true,
                ""),
            result("CreateCluster", Victim.JOBMANAGER, KillMoment.BEFORE, Outcome.NOT_THERE, 0, ""),
            result(
                "CreateCluster",
                Victim.JOBMANAGER,
                KillMoment.DURING,
                Outcome.IN_QUESTION,
                5,
                note),
            result("MarkStable", Victim.WORKER, KillMoment.BEFORE, Outcome.NOT_REACHED, 0, ""));

    String page = new Report(7, Duration.ofSeconds(125), results).markdown();

    assertThat(page).isEqualTo(Files.readString(GOLDEN));
  }

  @Test
  void withoutPointsThereIsNothingButAHead() {
    assertThat(new Report(7, Duration.ZERO, List.of()).markdown())
        .startsWith("# Crash matrix\n\n0 points in 0 min 00 s");
  }

  private static Result result(
      String step, Victim victim, KillMoment moment, Outcome outcome, long millis, String note) {
    return new Result(point(step, victim, moment), outcome, millis, false, note);
  }

  private static Point point(String step, Victim victim, KillMoment moment) {
    return new Point(DeploymentOperation.UPGRADE, new Step(step, 1), victim, moment);
  }
}
