package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.walk.Person.Reaction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An upgrade of a session cluster waits until FlinkSessionJobs have suspended their jobs. */
class SessionClusterTest {

  private static final String UP = "generation 2 is deployed; end: no job runs";
  private static final String ABORTED =
      "generation 1 is deployed; Upgrade is Aborted, Aborted; end: no job runs";

  /** Two jobs of FlinkSessionJobs run on it. */
  private static Story upgrade(Reaction... person) {
    return new Story(SessionClusterTest::upgrade, person);
  }

  private static void upgrade(Environment environment) {
    StraightOperator.deploy(environment, Spec.of("old", JobShape.HEALTHY).asSession());
    environment.sessionJob();
    environment.sessionJob();
    environment.resource().apply(Spec.of("new", JobShape.HEALTHY));
  }

  private static Arguments row(String name, Story story, String expected) {
    return Arguments.of(Named.of(name, story), expected);
  }

  static Stream<Arguments> upgrades() {
    return Stream.of(
        row("they suspend theirs", upgrade(), UP),
        row(
            "it is aborted meanwhile",
            upgrade().during("SuspendSessionJobs", 1, "abort", Lane::abort),
            ABORTED),
        row(
            "the run is lost, and the next one aborted meanwhile",
            upgrade()
                .during("SuspendSessionJobs", 1, "lost", Lane::terminate)
                .during("SuspendSessionJobs", 2, "abort", Lane::abort),
            ABORTED),
        row(
            "a job of nobody runs there, too",
            new Story(
                environment -> {
                  upgrade(environment);
                  environment.otherJob();
                },
                Reaction.HEAL),
            "Upgrade is Parked, OtherJobs; " + UP),
        row(
            "it does not tell its jobs, and the user gives them up",
            silent(Reaction.NOTHING, Reaction.RESTORE_EMPTY),
            "Upgrade is Blocked, ClusterNotReady; Upgrade is Parked, ClusterNotReady; " + UP),
        row(
            "the user gives them up while it is waited for again",
            silent(Reaction.NOTHING)
                .during(
                    "SuspendSessionJobs",
                    2,
                    "given up",
                    lane -> {
                      lane.environment().resource().restoreFrom("empty");
                      lane.signal(LaneSignals.RETRY);
                    }),
            "Upgrade is Blocked, ClusterNotReady; Upgrade is Parked, ClusterNotReady; " + UP),
        row(
            "it does not tell its jobs, and a retry alone gives none up",
            silent(Reaction.RETRY, Reaction.HEAL),
            "Upgrade is Blocked, ClusterNotReady; Upgrade is Blocked, StateNotFound; " + UP));
  }

  private static Story silent(Reaction... person) {
    return upgrade(person)
        .before("SuspendSessionJobs", 1, "silent", lane -> lane.environment().flinkAway(200));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("upgrades")
  void itGoesOnceNoJobIsLostWithIt(Story story, String expected) {
    assertThat(story.begins().course()).isEqualTo(expected);
  }

  /** The FlinkSessionJobs go by the step that the status has, also where the spec was frozen. */
  @Test
  void aRollbackThatWasParkedForAJobOfNobodyTellsThem() {
    Story story =
        upgrade(Reaction.HEAL)
            .after(
                "the user: HEAL about OtherJobs",
                "a FlinkSessionJob starts a job",
                (lane, point) -> lane.environment().sessionJob())
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
