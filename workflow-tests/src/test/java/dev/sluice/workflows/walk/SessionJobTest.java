package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job on a session cluster, which may not be ready for it, not answer, or be about to go. */
class SessionJobTest {

  /** Also while it is only waited for, whatever it is that is asked for. */
  @ParameterizedTest
  @CsvSource({
    "CheckJar,     abort,              Upgrade is Aborted",
    "CheckJar,     applyAndTell newer, upgrades to generation 3",
    "CheckJar,     delete,             release the finalizer",
    "StartJob,     abort,              rolls back to generation 1",
    "StartJob,     applyAndTell newer, upgrades to generation 3",
    "StartJob,     delete,             release the finalizer",
    "AwaitRunning, abort,              rolls back to generation 1",
    "AwaitRunning, applyAndTell newer, upgrades to generation 3",
    "AwaitRunning, delete,             release the finalizer",
  })
  void aWaitIsLeftAtOnce(String step, String request, String expected) {
    boolean comesUp = !step.equals("AwaitRunning");
    Story story =
        new Story("hosted; deploy old; apply new" + (comesUp ? "" : " starting=NO_SLOTS"));
    if (step.equals("StartJob")) {
      story.before(step, 1, "deleteSessionCluster");
    }
    story.during(step, 1, request);

    String course = String.join("; ", story.begins().ends());

    assertThat(course).contains(expected);
    assertThat(course.substring(0, course.indexOf(expected))).doesNotContain("Parked", "Blocked");
  }

  @Test
  void aDeletionEndsAndSaysWhatMayStillRun() {
    Story story = new Story("hosted; deploy old; silenceJobManager; delete");

    assertThat(story.begins().ends()).last().isEqualTo("end: the resource is gone");
    assertThat(story.run.environment().resource().operation().message())
        .startsWith(
            "The job may still run on its session cluster, and has to be cancelled there: ");
  }
}
