package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.SavepointEnd;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.walk.Person.Reaction;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Deletions, and jobs that have ended by themselves. */
class EndTest {

  private static final JobShape HEALTHY = JobShape.HEALTHY;
  private static final Spec OLD = Scenarios.OLD;

  private static Story deployed(Spec spec, Consumer<Environment> before, Reaction... person) {
    return new Story(
        environment -> {
          StraightOperator.deploy(environment, spec);
          before.accept(environment);
        },
        person);
  }

  private static Arguments deletion(
      String name, Spec spec, Consumer<Environment> before, String expected, boolean byJob) {
    Story story = deployed(spec, before.andThen(e -> e.resource().delete()));
    return Arguments.of(Named.of(name, story), expected, byJob);
  }

  /**
   * {@code savepoint-on-deletion}. W5: in Apache's operator a job that does not run makes the
   * deletion fail each time.
   */
  static Stream<Arguments> deletions() {
    Spec kept = OLD.keptOnDeletion();
    String stop = "stop job 1 with a savepoint";
    String cancel = "cancel job 1";
    return Stream.of(
        deletion("up", OLD, e -> {}, cancel, true),
        deletion("stuck", OLD, Environment::loseSlots, cancel, true),
        deletion("away", OLD, e -> e.flinkAway(1_000), "", false),
        deletion("up, with a savepoint", kept, e -> {}, stop, true),
        deletion("stuck, with a savepoint", kept, Environment::loseSlots, cancel, true),
        deletion("failed, with a savepoint", kept, Environment::failJob, "", false),
        deletion("cancelled, with a savepoint", kept, Environment::cancelJobByHand, "", false),
        deletion("away, with a savepoint", kept, e -> e.flinkAway(1_000), "", false),
        deletion(
            "up, with a savepoint, which fails",
            Spec.of("old", HEALTHY.savepointing(SavepointEnd.FAILS)).keptOnDeletion(),
            e -> {},
            stop + "; " + stop + "; " + stop + "; " + cancel,
            true));
  }

  /**
   * @param byJob its metadata is left to the job: only one that Flink has ended removes it
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("deletions")
  void aDeletionEnds(Story story, String expected, boolean byJob) {
    String before = expected.isEmpty() ? "" : expected + "; ";

    assertThat(String.join("; ", story.begins().ends()))
        .isEqualTo(
            before
                + "delete the cluster of job 1; release the finalizer; end: the resource is gone");
    assertThat(notes(story, "metadata left to ")).last().isEqualTo(byJob ? "its job" : "nobody");
  }

  private static List<String> notes(Story story, String beginning) {
    return story.run.environment().trace().stream()
        .filter(line -> line.contains(beginning))
        .map(line -> line.substring(line.indexOf(beginning) + beginning.length()))
        .toList();
  }

  @Test
  void theStatusSaysWhatADeletionKept() {
    Story story = deployed(OLD.keptOnDeletion(), e -> e.resource().delete()).begins();

    assertThat(story.run.environment().resource().operation().message())
        .contains("the state of the job is kept: savepoint s3://savepoints/");
  }

  /** The status names each savepoint that an operation stops its job with, and no other's. */
  @ParameterizedTest
  @CsvSource({"upgrade, 1", "suspension, 1", "deletion, 1", "stopped by hand, 0"})
  void theSavepointOfAnOperationIsPublished(String operation, int published) {
    Story story =
        deployed(
            OLD.keptOnDeletion(),
            e -> {
              switch (operation) {
                case "suspension" -> e.resource().apply(OLD.asSuspended());
                case "deletion" -> e.resource().delete();
                default -> e.resource().apply(Spec.of("new", HEALTHY));
              }
            });
    if (published == 0) {
      story.before("StopWithSavepoint", 1, "it finishes", lane -> lane.environment().finishJob());
    }

    assertThat(story.begins().course()).isNotEmpty();
    assertThat(notes(story, "published ")).hasSize(published);
  }

  static Stream<Arguments> ends() {
    JobShape available = HEALTHY.highlyAvailable();
    return Stream.of(
        Arguments.of(Named.of("finished", deployed(OLD, Environment::finishJob)), false),
        // Flink remembers that it has ended
        Arguments.of(
            Named.of("failed", deployed(Spec.of("old", available), Environment::failJob)), true));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ends")
  void aJobThatHasEndedIsNotRunAgain(Story story, boolean clusterStays) {
    assertThat(story.begins().course()).isEqualTo("record the end of job 1; end: no job runs");
    assertThat(story.run.environment().observation().cluster().present()).isEqualTo(clusterStays);
  }

  /** Its JobManager may be the only one that can be asked what it left. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFinishOfAJobThatWasCancelled(boolean deletesCheckpoints) {
    JobShape shape = deletesCheckpoints ? HEALTHY.deletingCheckpoints() : HEALTHY;
    Story story =
        deployed(
            Spec.of("old", shape),
            e -> {
              e.tick(9);
              e.cancelJobByHand();
            });

    story
        .begins()
        .then(
            "Finish is started",
            lane ->
                story.temporal.signalWithStart(
                    lane.ref(),
                    "Finish",
                    OperationInput.of(lane.ref(), 1, "ended"),
                    LaneSignals.RETARGET,
                    1L));

    assertThat(story.course()).isEqualTo("record the end of job 1; end: no job runs");
    assertThat(story.run.environment().observation().cluster().present())
        .isEqualTo(deletesCheckpoints);
  }
}
