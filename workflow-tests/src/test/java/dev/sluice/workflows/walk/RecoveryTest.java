package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.Person.Reaction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lost job is brought back with the spec that is deployed, from its newest state. */
class RecoveryTest {

  /** It was brought back five times, each time after a longer pause, and is lost once more. */
  private static Story atTheLimit(List<Long> pausesInSeconds, Reaction person) {
    Story story = new Story("deploy old highlyAvailable; deleteDeploymentByHand", person).begins();
    for (int i = 0; i < 5; i++) {
      long begun = story.temporal.now();
      story.then("deleteDeploymentByHand");
      pausesInSeconds.add((story.temporal.now() - begun) / 1_000);
    }
    return story;
  }

  @ParameterizedTest
  @CsvSource({
    "RETRY,   recovery 1 JobManagerMissing; job 1 starts from checkpoint of job 1; generation 1 is deployed",
    "ABORT,   Recover is Aborted Aborted; end: no job runs",
    "DELETE,  release the finalizer; end: the resource is gone",
  })
  void atTheLimitAPersonDecides(Reaction reaction, String expected) {
    String course = atTheLimit(new ArrayList<>(), reaction).course();

    assertThat(course.substring(course.indexOf("RecoveryLimit; ") + 15).replace(",", ""))
        .isEqualTo(expected);
  }

  @Test
  void eachAttemptIsMadeAfterALongerPause() {
    List<Long> pauses = new ArrayList<>();

    Story story = atTheLimit(pauses, Reaction.RETRY);

    assertThat(story.course()).contains("recovery 5, JobManagerMissing");
    assertThat(pauses).containsExactly(10L, 20L, 40L, 80L, 0L);
  }

  /** So that the next loss, months later, does not count as the one after this. */
  @Test
  void aJobThatIsUpByItselfIsCountedAsUpSinceThen() {
    Story story =
        new Story("deploy old restarts failed; failJob")
            .before("MarkStable", 1, "failJob")
            .before("FreezeDeployed", 2, "killJobManager; tick 10")
            .begins();

    assertThat(story.course())
        .isEqualTo(
            "recovery 1, JobFailed; job 2 starts from checkpoint of job 1; generation 1 is deployed"
                + "; job 2 starts from checkpoint of job 1");
    assertThat(story.run.lane().steps())
        .endsWith("FreezeDeployed", "Observe", "FreezeDeployed", "Report");
    assertThat(story.run.environment().resource().recovery().since()).isNotNull();
  }
}
