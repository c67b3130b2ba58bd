package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code sluice.dev/rollback}: from the second spec to the first. */
class RollbackByHandTest {

  private static final String ROLLBACK = "upgrade old -> new; rollBack";

  @ParameterizedTest
  @CsvSource({
    "rollBack,                1", // to what it left
    "rollBackWithNewestState, 2",
    "failJob; rollBack,       1",
    "flinkAway 40; rollBack,  1",
  })
  void theEarlierSpecComesBack(String asked, int savepointOf) {
    Story story = new Story("upgrade old -> new; " + asked);

    assertThat(story.begins().course())
        .isEqualTo(
            "rolls back to generation 1; job 3 starts from savepoint of job "
                + savepointOf
                + "; generation 1 is deployed");
  }

  @Test
  void whereNothingIsKeptTheJobIsNotTouched() {
    Story story = new Story("deploy old; rollBack");

    assertThat(story.begins().course()).isEqualTo("Rollback is Aborted, Aborted");
  }

  /** The last columns: which generation is stable then, and what became of the job. */
  @ParameterizedTest
  @CsvSource({
    "terminate,          1, the last job is RUNNING",
    "abort,              1, the last job is RUNNING",
    "applyAndTell newer, 3, the last job is RUNNING",
    "delete,             2, the resource is gone",
  })
  void requestsAfterEachEffectButTheLast(String request, long generation, String end) {
    int effects = new Story(ROLLBACK).begins().trace().size();
    // a request that a lost run has taken up and not carried out is made again by a person
    for (int i = request.equals("terminate") ? 1 : 0; i < effects; i++) {
      Story story = new Story(ROLLBACK).after(i, request, Words.happens(request)).begins();

      assertThat(story.ends()).as("after %d effects", i).last().isEqualTo("end: " + end);
      assertThat(story.run.environment().resource().stable().generation())
          .as("after %d effects: %s", i, story.trace())
          .isEqualTo(generation);
    }
  }

  /** Before its end the upgrade is aborted, after it the earlier spec is gone back to. */
  @Test
  void duringAnUpgrade_afterEachEffect() {
    String upgrade = "deploy old; apply new";
    int effects = new Story(upgrade).begins().trace().size();
    for (int i = 0; i <= effects; i++) {
      Story story =
          new Story(upgrade).after(i, "rollback", (lane, point) -> lane.rollBack(null)).begins();

      assertThat(story.ends())
          .as("after %d effects", i)
          .last()
          .isEqualTo("end: the last job is RUNNING");
      assertThat(story.run.environment().resource().stable().content()).isEqualTo("old");
    }
  }
}
