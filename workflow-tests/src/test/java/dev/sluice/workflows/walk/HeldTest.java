package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.walk.Person.Reaction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Upgrades that are blocked or parked: what lets them go on, and what they say. */
class HeldTest {

  private static final String UPGRADE = "deploy old; apply new";
  private static final String COURSE =
      "job 2 starts from savepoint of job 1; generation 2 is deployed";

  /** What a wait is for does not come any more. */
  @ParameterizedTest
  @CsvSource({
    "IMAGE_MISSING, AwaitJobManager",
    "NO_SLOTS,      AwaitRunning",
  })
  void aWaitIsLeftAtOnce(Start start, String step) {
    String given = UPGRADE + " starting=" + start;
    String courses =
        Stream.of("abort", "applyAndTell newer", "delete")
            .map(request -> new Story(given).during(step, 1, request).begins().course())
            .collect(Collectors.joining(" "));

    assertThat(courses)
        .contains("rolls back to generation 1", "generation 3 is deployed", "resource is gone")
        .doesNotContain("Parked", "Blocked");
  }

  /** A job that may have been stopped is not said to run, and no abort is offered. */
  @Test
  void whatIsNotKnownIsSaidToBeSo() {
    Story story =
        new Story(UPGRADE, Reaction.NOTHING, Reaction.NOTHING, Reaction.NOTHING)
            .before("StopWithSavepoint", 1, "flinkAway 60");
    List<String> details = new ArrayList<>();
    story.after(
        "the user: NOTHING about TimedOut",
        "look",
        (lane, point) -> details.add(story.temporal.currentDetails()));

    assertThat(story.begins().course()).isEqualTo("Upgrade is Blocked, TimedOut; " + COURSE);
    assertThat(story.run.environment().trace())
        .filteredOn(line -> line.contains("HELD"))
        .first()
        .asString()
        .contains("not known", "offersAbort=false")
        .doesNotContain("RUNNING");
    assertThat(details)
        .singleElement()
        .asString()
        .contains("### upgrade `default/orders` 1 -> 2", "Trying again after: TimedOut")
        .doesNotContain("signal `abort`");
  }

  @Test
  void aRollbackSaysInTheEndWhyTheNewerSpecWasGivenUp() {
    Story story = new Story(UPGRADE + " starting=FAILS", Reaction.ABORT).begins();

    assertThat(story.run.environment().resource().operation().message())
        .startsWith("Generation 1 is deployed")
        .contains(". The newer spec was given up: ");
  }

  @Test
  void theStatusSaysWhatIsDoneAndWhy() {
    List<String> told = new ArrayList<>();
    Story story =
        new Story(UPGRADE)
            .before(
                "StopWithSavepoint",
                1,
                "look",
                (lane, point) -> told.add(lane.environment().resource().operation().message()));

    assertThat(story.begins().course()).isEqualTo(COURSE);
    assertThat(told)
        .containsExactly(
            "Upgrading to generation 2. The job runs; it is stopped with a savepoint.");
  }
}
