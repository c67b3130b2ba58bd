package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code sluice.dev/stable-after}: a job that was up, and is not stable yet, has more than what it
 * was started from. Without high availability its JobManager would begin it again from there; with
 * it nobody would know any more what it left.
 */
class ProvingTest {

  @ParameterizedTest
  @CsvSource({
    "also after a retry that nobody offers, retry,     1",
    "in the run that takes over,            terminate, 2",
  })
  void theWaitGoesOn(String where, String happens, int waits) {
    Story story =
        new Story("deploy old; apply new proves itself").during("AwaitStable", 1, happens);

    assertThat(story.begins().course())
        .isEqualTo("job 2 starts from savepoint of job 1; generation 2 is deployed");
    assertThat(story.run.lane().steps()).filteredOn("AwaitStable"::equals).hasSize(waits);
    assertThat(story.run.lane().steps()).containsOnlyOnce("CreateCluster");
  }
}
