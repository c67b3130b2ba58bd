package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.walk.Person.Reaction;
import org.junit.jupiter.api.Test;

/** An upgrade of a session cluster waits until FlinkSessionJobs have suspended their jobs. */
class SessionClusterTest {

  /** The FlinkSessionJobs go by the step that the status has, also where the spec was frozen. */
  @Test
  void aRollbackThatWasParkedForAJobOfNobodyTellsThem() {
    Story story =
        new Story("deploy old asSession; sessionJob; sessionJob; apply new", Reaction.HEAL)
            .after("the user: HEAL about OtherJobs", "sessionJob")
            .begins();

    story.then(
        "another job, and a rollback",
        lane -> {
          lane.environment().otherJob();
          lane.rollBack(1L);
        });

    assertThat(story.course())
        .isEqualTo(
            "generation 2 is deployed; rolls back to generation 1; Rollback is Parked, OtherJobs;"
                + " generation 1 is deployed; end: no job runs");
    assertThat(story.run.lane().steps()).filteredOn("SuspendSessionJobs"::equals).hasSize(2);
  }
}
