package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import dev.sluice.workflows.walk.Person.Reaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A lost job is brought back with the spec that is deployed, from its newest state. */
class RecoveryTest {

  private static final JobShape HEALTHY = JobShape.HEALTHY;
  private static final JobShape AVAILABLE = HEALTHY.highlyAvailable();
  private static final Spec OLD = Spec.of("old", HEALTHY);
  private static final Spec OLD_HA = Spec.of("old", AVAILABLE);
  private static final Spec NEW_HA = Spec.of("new", AVAILABLE);
  private static final Consumer<Environment> GONE = Environment::deleteDeploymentByHand;
  private static final Consumer<Environment> FAILED = Environment::failJob;
  private static final String MISSING = "recovery 1, JobManagerMissing; ";
  private static final String BY_METADATA = "job 1 starts from checkpoint of job 1; ";
  private static final String BY_CHECKPOINT = "job 2 starts from checkpoint of job 1; ";
  private static final String DEPLOYED = "generation 1 is deployed";

  private static Story lost(Spec spec, Consumer<Environment> loss, Reaction... person) {
    return new Story(
        environment -> {
          StraightOperator.deploy(environment, spec);
          loss.accept(environment);
        },
        person);
  }

  /** It is brought back when it has failed. */
  private static Spec failing(JobShape shape) {
    return Spec.of("old " + ResourceEffects.RESTARTS_FAILED, shape);
  }

  private static Consumer<Lane> in(Consumer<Environment> happens) {
    return lane -> happens.accept(lane.environment());
  }

  private static void restarts(Environment environment) {
    environment.killJobManager();
    environment.tick(10);
  }

  private static Arguments row(String name, Story story, String expected) {
    return Arguments.of(Named.of(name, story), expected);
  }

  static Stream<Arguments> losses() {
    return Stream.of(
        row("its metadata is left", lost(OLD_HA, GONE), MISSING + BY_METADATA + DEPLOYED),
        // FLINK-35857: not the state that was recorded when the job was started
        row(
            "it has failed",
            lost(failing(HEALTHY), FAILED),
            "recovery 1, JobFailed; " + BY_CHECKPOINT + DEPLOYED),
        row(
            "it has failed, with high availability",
            lost(failing(AVAILABLE), FAILED),
            "recovery 1, JobFailed; " + BY_CHECKPOINT + DEPLOYED),
        // it may be long past: an abort does not go back to what it was started from either
        row(
            "its state is lost, and the user aborts",
            lost(OLD, GONE, Reaction.ABORT),
            MISSING
                + "Recover is Parked, StateNotFound; "
                + DEPLOYED
                + "; Recover is Aborted, Aborted; end: no job runs"),
        // FLINK-31277
        row(
            "it is stateless, and no metadata is left",
            lost(OLD.mode(UpgradeMode.STATELESS), GONE),
            MISSING + "job 2 starts from no state; " + DEPLOYED),
        // FLINK-27594: a Deployment alone is not created again
        row(
            "its state is lost, and the user names one",
            lost(OLD, GONE, Reaction.RESTORE_NEWEST),
            MISSING + "Recover is Parked, StateNotFound; " + BY_CHECKPOINT + DEPLOYED),
        // FLINK-30266
        row(
            "it is lost before its first checkpoint",
            new Story(
                environment -> {
                  StraightOperator.upgrade(
                      environment, OLD, Spec.of("new", AVAILABLE.checkpointingEvery(0)));
                  environment.deleteDeploymentByHand();
                  environment.tick(20);
                }),
            MISSING + "job 2 starts from savepoint of job 1; generation 2 is deployed"),
        row(
            "its metadata says that it has completed no checkpoint",
            lost(Spec.of("old", AVAILABLE.checkpointingEvery(0)), GONE.andThen(e -> e.tick(20))),
            MISSING + "job 2 starts from no state; " + DEPLOYED),
        row(
            "the newest spec is invalid",
            lost(OLD_HA, GONE.andThen(e -> e.resource().apply(NEW_HA.invalid()))),
            MISSING + BY_METADATA + DEPLOYED),
        row(
            "a newer spec comes before it",
            lost(OLD_HA, GONE).before("Observe", 1, "applied", in(e -> e.resource().apply(NEW_HA))),
            BY_METADATA + "generation 2 is deployed"),
        // it is not started again and again
        row(
            "it fails at its start",
            lost(OLD_HA, GONE)
                .before(
                    "AwaitRunning",
                    1,
                    "it fails",
                    in(
                        e -> {
                          e.tick(6);
                          e.failJob();
                        })),
            MISSING
                + BY_METADATA
                + "record the end of job 1; Recover is Parked, JobFailed; "
                + BY_CHECKPOINT
                + DEPLOYED),
        row(
            "that spec had to prove itself: not again",
            lost(Spec.of("old " + ResourceEffects.PROVES_ITSELF, AVAILABLE), GONE),
            MISSING + BY_METADATA + DEPLOYED));
  }

  static Stream<Arguments> whatIsNotLostAnyMore() {
    return Stream.of(
        row(
            "its JobManager has begun it again",
            lost(failing(HEALTHY), FAILED)
                .before("Observe", 1, "restarts", in(RecoveryTest::restarts)),
            "job 1 starts from no state"),
        // silence is neither a loss nor a recovery, whatever the user says
        row(
            "its JobManager is silent, and a retry does not help",
            lost(failing(HEALTHY), FAILED, Reaction.RETRY, Reaction.NOTHING, Reaction.NOTHING)
                .before("Observe", 1, "silent", in(e -> e.flinkAway(60))),
            "Recover is Blocked, Blocked; recovery 1, JobFailed; " + BY_CHECKPOINT + DEPLOYED),
        row(
            "its JobManager is silent, and then runs it",
            lost(failing(HEALTHY), FAILED, Reaction.NOTHING, Reaction.NOTHING, Reaction.NOTHING)
                .before(
                    "Observe",
                    1,
                    "silent",
                    in(
                        e -> {
                          e.killJobManager();
                          e.flinkAway(60);
                        })),
            "job 1 starts from no state; Recover is Blocked, Blocked"),
        // Flink remembers that it has ended, and not what it left
        row(
            "its JobManager was restarted, with high availability",
            lost(failing(AVAILABLE), FAILED)
                .before("Observe", 1, "restarts", in(RecoveryTest::restarts)),
            "recovery 1, JobFailed; Recover is Parked, StateNotFound;"
                + " Recover is Parked, StateNotFound; "
                + BY_CHECKPOINT
                + DEPLOYED),
        row(
            "it was unhealthy, and is cancelled by hand",
            lost(OLD, Environment::unhealthy)
                .before("Observe", 1, "cancelled", in(Environment::cancelJobByHand)),
            "end: no job runs"));
  }

  static Stream<Arguments> unhealthyJobs() {
    return Stream.of(
        row(
            "from its newest checkpoint",
            lost(OLD, Environment::unhealthy),
            "recovery 1, Unhealthy; " + BY_CHECKPOINT + DEPLOYED),
        row(
            "without one: by a savepoint",
            lost(Spec.of("old", HEALTHY.checkpointingEvery(0)), Environment::unhealthy),
            "recovery 1, Unhealthy; job 2 starts from savepoint of job 1; " + DEPLOYED),
        row(
            "not for a spec that Kubernetes refuses",
            lost(OLD, Environment::unhealthy, Reaction.NOTHING, Reaction.HEAL_AND_RETRY)
                .before("Observe", 1, "refused", in(Environment::workersDiffer)),
            "Recover is Parked, InvalidSpec; recovery 1, Unhealthy; " + BY_CHECKPOINT + DEPLOYED));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"losses", "whatIsNotLostAnyMore", "unhealthyJobs"})
  void aLostJob(Story story, String expected) {
    assertThat(story.begins().course()).isEqualTo(expected);
  }

  /** It was brought back five times, each time after a longer pause, and is lost once more. */
  private static Story atTheLimit(List<Long> pausesInSeconds, Reaction person) {
    Story story = lost(OLD_HA, GONE, person).begins();
    for (int i = 0; i < 5; i++) {
      long begun = story.temporal.now();
      story.then("the Deployment is deleted", in(GONE));
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
        lost(failing(HEALTHY), FAILED)
            .before("MarkStable", 1, "it fails again", in(FAILED))
            .before("FreezeDeployed", 2, "restarts", in(RecoveryTest::restarts))
            .begins();

    assertThat(story.course())
        .isEqualTo(
            "recovery 1, JobFailed; "
                + BY_CHECKPOINT
                + DEPLOYED
                + "; job 2 starts from checkpoint of job 1");
    assertThat(story.run.lane().steps())
        .endsWith("FreezeDeployed", "Observe", "FreezeDeployed", "Report");
    assertThat(story.run.environment().resource().recovery().since()).isNotNull();
  }
}
