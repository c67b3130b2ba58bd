package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.walk.Person.Reaction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code kubernetes.operator.deployment.rollback.enabled}: when an upgrade is given up by itself.
 */
class AutomaticRollbackTest {

  private static final Reaction[] PATIENT = {
    Reaction.NOTHING, Reaction.NOTHING, Reaction.NOTHING, Reaction.NOTHING, Reaction.NOTHING
  };

  private static Spec spec(Start start) {
    return Spec.of("new " + ResourceEffects.ROLLS_BACK, JobShape.HEALTHY.starting(start));
  }

  private static Spec proving(Start start) {
    return Spec.of(
        "new " + ResourceEffects.ROLLS_BACK + " " + ResourceEffects.PROVES_ITSELF,
        JobShape.HEALTHY.starting(start));
  }

  private static Arguments row(
      String name, Spec spec, UnaryOperator<Story> meanwhile, String expected) {
    return Arguments.of(name, Scenarios.OLD, spec, meanwhile, expected);
  }

  private static UnaryOperator<Story> nothing() {
    return story -> story;
  }

  private static UnaryOperator<Story> before(
      String activity, int call, Consumer<Environment> happens) {
    return story ->
        story.before(activity, call, "it happens", lane -> happens.accept(lane.environment()));
  }

  private static final String OLD =
      "job 3 starts from savepoint of job 1; generation 1 is deployed";
  private static final String BACK = "rolls back to generation 1; " + OLD;
  private static final String STARTS = "job 2 starts from savepoint of job 1; ";
  private static final String UP = "generation 2 is deployed";

  static Stream<Arguments> upgrades() {
    return Stream.of(
        row("its job fails", spec(Start.FAILS), nothing(), STARTS + BACK),
        row("its JobManager crashes", spec(Start.CRASHES), nothing(), BACK),
        row("it gets no slots", spec(Start.NO_SLOTS), nothing(), STARTS + BACK),
        row(
            "it got no slots, and is up at the last look",
            spec(Start.NO_SLOTS),
            before("Observe", 2, AutomaticRollbackTest::comesUp),
            STARTS + UP),
        row(
            "its image is missing for as long as a start may take",
            spec(Start.IMAGE_MISSING),
            nothing(),
            "Upgrade is Blocked, ImagePullFailed; " + BACK),
        row(
            "its image comes in time",
            spec(Start.IMAGE_MISSING),
            before("AwaitJobManager", 2, Environment::heal),
            "Upgrade is Blocked, ImagePullFailed; " + STARTS + UP),
        row(
            "its image comes in time, and a look finds its job failed",
            spec(Start.IMAGE_MISSING),
            before(
                "Observe",
                3,
                e -> {
                  comesUp(e);
                  e.failJob();
                }),
            "Upgrade is Blocked, ImagePullFailed; " + STARTS + BACK),
        row("it is never stable", proving(Start.KEEPS_RESTARTING), nothing(), STARTS + BACK),
        row(
            "it is never stable, and another run takes over",
            proving(Start.KEEPS_RESTARTING),
            story -> story.during("AwaitStable", 1, "the run is lost", Lane::terminate),
            STARTS + BACK),
        row(
            "it was not stable, and has finished at the last look",
            proving(Start.KEEPS_RESTARTING),
            before(
                "Observe",
                2,
                e -> {
                  comesUp(e);
                  e.finishJob();
                }),
            STARTS + UP + "; record the end of job 2; end: no job runs"),
        // silence is no proof: it may be stable for long
        row(
            "it was not stable, and does not answer: not before it does",
            proving(Start.KEEPS_RESTARTING),
            before("Observe", 2, e -> e.flinkAway(40)),
            STARTS
                + "Upgrade is Blocked, NotStable; Upgrade is Blocked, JobManagerSilent; "
                + BACK),
        row(
            "it was up, and does not answer for long",
            proving(Start.COMES_UP),
            before("AwaitStable", 1, e -> e.flinkAway(200)),
            STARTS + "Upgrade is Blocked, JobManagerSilent; " + UP),
        row(
            "it was up, does not answer, and another run takes over",
            proving(Start.COMES_UP),
            story ->
                story.during(
                    "AwaitStable",
                    1,
                    "the run is lost, and Flink is away",
                    lane -> {
                      lane.environment().flinkAway(200);
                      lane.terminate();
                    }),
            STARTS + "Upgrade is Blocked, JobManagerSilent; " + UP),
        // rule 1: the old job had state, and it was given up
        row(
            "it is stateless, and the old job was not: a person decides",
            spec(Start.FAILS).mode(UpgradeMode.STATELESS),
            abortOnceParked(),
            "job 2 starts from no state; Upgrade is Parked, JobFailed; rolls back to generation 1;"
                + " job 3 starts from no state; generation 1 is deployed"),
        Arguments.of(
            "both are stateless",
            Scenarios.OLD.mode(UpgradeMode.STATELESS),
            spec(Start.FAILS).mode(UpgradeMode.STATELESS),
            nothing(),
            "job 2 starts from no state; rolls back to generation 1; job 3 starts from no state;"
                + " generation 1 is deployed"),
        // going back and forth would never end
        row(
            "the old one does not come up either",
            spec(Start.FAILS),
            before("AwaitRunning", 2, Environment::failJob),
            STARTS
                + "rolls back to generation 1; job 3 starts from savepoint of job 1;"
                + " Rollback is Parked, JobFailed; job 4 starts from savepoint of job 1;"
                + " generation 1 is deployed"),
        Arguments.of(
            "there is no older one",
            null,
            spec(Start.FAILS),
            abortOnceParked(),
            "job 1 starts from no state; Deploy is Parked, JobFailed; Deploy is Aborted, Aborted;"
                + " end: no job runs"));
  }

  private static void comesUp(Environment environment) {
    environment.heal();
    environment.tick(5);
  }

  private static UnaryOperator<Story> abortOnceParked() {
    return story ->
        story.after(
            trace -> trace.stream().anyMatch(line -> line.contains("is Parked")),
            "the user aborts",
            (lane, point) -> lane.abort());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("upgrades")
  void anUpgradeIsGivenUpByItself(
      String name, @Nullable Spec old, Spec spec, UnaryOperator<Story> meanwhile, String expected) {
    Story story =
        new Story(
            environment -> {
              if (old == null) {
                environment.resource().apply(spec);
              } else {
                Scenarios.upgrade(environment, old, spec);
              }
            },
            PATIENT);

    assertThat(meanwhile.apply(story).begins().course()).isEqualTo(expected);
  }
}
