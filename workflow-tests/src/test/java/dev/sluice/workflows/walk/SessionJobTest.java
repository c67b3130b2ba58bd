package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.SessionCluster.Leaving;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import dev.sluice.workflows.walk.Person.Reaction;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A job on a session cluster, which may not be ready for it, not answer, or be about to go. */
class SessionJobTest {

  private static final JobShape HEALTHY = JobShape.HEALTHY;
  private static final Spec OLD = Scenarios.OLD;
  private static final Spec NEW = Spec.of("new", HEALTHY);
  private static final String STARTS = "job 2 starts from savepoint of job 1; ";
  private static final String UP = "generation 2 is deployed";
  private static final String MISSING = "Upgrade is Parked, ClusterNotReady; ";

  private static final Map<String, Consumer<Lane>> REQUESTS =
      Map.of(
          "abort", Lane::abort,
          "newer spec", lane -> lane.applyAndTell(Spec.of("newer", HEALTHY)),
          "deletion", Lane::delete);

  private static Story story(Consumer<Environment> given, Reaction... person) {
    return new Story("FlinkSessionJob", given, person);
  }

  private static Story upgrade(Spec to, Reaction... person) {
    return story(environment -> Scenarios.upgrade(environment, OLD, to), person);
  }

  private static Spec starting(Start start) {
    return Spec.of("new", HEALTHY.starting(start));
  }

  /** The cluster is deleted before the job is started on it. */
  private static Story withoutCluster(Spec to, Reaction... person) {
    return upgrade(to, person)
        .before("StartJob", 1, "deleted", lane -> lane.environment().deleteSessionCluster());
  }

  private static Arguments row(String name, Story story, String expected) {
    return Arguments.of(Named.of(name, story), expected);
  }

  static Stream<Arguments> upgrades() {
    return Stream.of(
        row("it goes on from its savepoint", upgrade(NEW), STARTS + UP),
        // before it is stopped, the jar is fetched
        row(
            "its jar cannot be fetched",
            upgrade(starting(Start.REFUSED), Reaction.NOTHING, Reaction.HEAL),
            "Upgrade is Blocked, Refused; " + STARTS + UP),
        row(
            "its jar cannot be fetched, and it is aborted",
            upgrade(starting(Start.REFUSED), Reaction.ABORT),
            "Upgrade is Blocked, Refused; generation 1 is deployed; Upgrade is Aborted, Aborted"),
        row(
            "its program is refused, each time under another id",
            upgrade(starting(Start.CRASHES), Reaction.RETRY, Reaction.CORRECT),
            "Upgrade is Parked, JobFailed; Upgrade is Parked, JobFailed; "
                + STARTS
                + "generation 3 is deployed"),
        row(
            "its program is refused, and the run that was to start another job is lost",
            upgrade(starting(Start.CRASHES), Reaction.RETRY, Reaction.CORRECT)
                .before("EndJob", 2, "lost", Lane::terminate),
            "Upgrade is Parked, JobFailed; Upgrade is Parked, JobFailed; "
                + STARTS
                + "generation 3 is deployed"),
        row(
            "its cluster is missing for long: no reason to roll back",
            withoutCluster(
                Spec.of("new " + ResourceEffects.ROLLS_BACK, HEALTHY),
                Reaction.NOTHING,
                Reaction.NOTHING,
                Reaction.NOTHING,
                Reaction.HEAL),
            MISSING + STARTS + UP),
        row(
            "its cluster is missing, and a retry asks it at once",
            withoutCluster(NEW, Reaction.HEAL_AND_RETRY),
            MISSING + STARTS + UP),
        row(
            "its cluster is missing, and it is aborted",
            withoutCluster(NEW, Reaction.ABORT),
            MISSING + "rolls back to generation 1; " + STARTS + "generation 1 is deployed"),
        row(
            "its cluster is missing, and the spec is corrected",
            withoutCluster(NEW, Reaction.CORRECT),
            MISSING + STARTS + "generation 3 is deployed"),
        row(
            "its cluster is missing, and it is deleted",
            withoutCluster(NEW, Reaction.DELETE),
            MISSING + "release the finalizer; end: the resource is gone"),
        // it may not run a second time
        row(
            "the answer to its start is lost",
            upgrade(NEW)
                .after(
                    trace -> trace.stream().anyMatch(line -> line.startsWith("job 2 starts")),
                    "lost",
                    (lane, point) -> {
                      throw WorkerLost.at(point);
                    }),
            STARTS + UP),
        row(
            "the run is lost before it is up",
            upgrade(NEW).during("AwaitRunning", 1, "lost", Lane::terminate),
            STARTS + UP),
        // its cluster is not touched: others run there
        row(
            "it fails with newer state",
            upgrade(
                Spec.of(
                    "new " + ResourceEffects.PROVES_ITSELF, HEALTHY.starting(Start.FAILS_LATER)),
                Reaction.CORRECT),
            STARTS
                + "Upgrade is Parked, JobFailed; job 3 starts from checkpoint of job 2;"
                + " generation 3 is deployed"),
        row(
            "it was up, its JobManager restarted, and another run takes over",
            upgrade(
                    Spec.of("new " + ResourceEffects.PROVES_ITSELF, HEALTHY),
                    Reaction.NOTHING,
                    Reaction.RESTORE_NEWEST)
                .during(
                    "AwaitStable",
                    1,
                    "lost",
                    lane -> {
                      lane.environment().killJobManager();
                      lane.environment().tick(10);
                      lane.terminate();
                    }),
            STARTS
                + "Upgrade is Blocked, PodFailed; job 3 starts from checkpoint of job 2; "
                + UP));
  }

  static Stream<Arguments> otherOperations() {
    Consumer<Environment> lost =
        environment -> {
          StraightOperator.deploy(environment, OLD);
          environment.killJobManager();
          environment.tick(20);
        };
    return Stream.of(
        row(
            "deployed",
            story(e -> e.resource().apply(NEW)),
            "job 1 starts from no state; generation 1 is deployed"),
        row(
            "deployed, and aborted",
            story(e -> e.resource().apply(NEW)).during("AwaitRunning", 1, "abort", Lane::abort),
            "job 1 starts from no state; Deploy is Aborted, Aborted; end: no job runs"),
        row(
            "recovered, once its state is chosen",
            story(lost, Reaction.RESTORE_NEWEST),
            "recovery 1, JobManagerMissing; Recover is Parked, StateNotFound;"
                + " job 2 starts from checkpoint of job 1; generation 1 is deployed"));
  }

  /** Nothing else has changed: what has ended by itself meanwhile is not run again. */
  static Stream<Arguments> jobsThatLeave() {
    String again = "job 2 starts from savepoint of job 1; generation 1 is deployed";
    String ended = "generation 1 is deployed; end: no job runs";
    return Stream.of(
        row("savepoint", leaving(UpgradeMode.SAVEPOINT, Leaving.REPLACED), again),
        row(
            "last-state",
            leaving(UpgradeMode.LAST_STATE, Leaving.REPLACED),
            again.replace("savepoint", "checkpoint")),
        row(
            "stateless",
            leaving(UpgradeMode.STATELESS, Leaving.REPLACED),
            "job 2 starts from no state; generation 1 is deployed"),
        row("it finishes before it is stopped", beforeStop("StopWithSavepoint"), ended),
        row("it finishes before it is cancelled", beforeStop("CancelJob"), ended),
        row("it finishes while its jar is fetched", whileFetching(Environment::finishJob), ended),
        row("it fails while its jar is fetched", whileFetching(Environment::failJob), ended),
        row(
            "cancelled while its jar is fetched",
            whileFetching(Environment::cancelJobByHand),
            ended));
  }

  private static Story leaving(UpgradeMode mode, Leaving how) {
    return story(
        environment -> {
          StraightOperator.deploy(environment, OLD.mode(mode));
          Objects.requireNonNull(environment.host()).leave(how);
        });
  }

  private static Story beforeStop(String step) {
    return leaving(
            step.equals("CancelJob") ? UpgradeMode.STATELESS : UpgradeMode.SAVEPOINT,
            Leaving.REPLACED)
        .before(step, 1, "it finishes", lane -> lane.environment().finishJob());
  }

  private static Story whileFetching(Consumer<Environment> end) {
    return leaving(UpgradeMode.SAVEPOINT, Leaving.ABORTED_ONCE_SUSPENDED)
        .during("CheckJar", 1, "it ends", lane -> end.accept(lane.environment()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"upgrades", "otherOperations", "jobsThatLeave"})
  void aJobOnASessionCluster(Story story, String expected) {
    assertThat(story.begins().course()).isEqualTo(expected);
  }

  /** Also while it is only waited for, whatever it is that is asked for. */
  @ParameterizedTest
  @CsvSource({
    "CheckJar,     abort,      Upgrade is Aborted",
    "CheckJar,     newer spec, upgrades to generation 3",
    "CheckJar,     deletion,   release the finalizer",
    "StartJob,     abort,      rolls back to generation 1",
    "StartJob,     newer spec, upgrades to generation 3",
    "StartJob,     deletion,   release the finalizer",
    "AwaitRunning, abort,      rolls back to generation 1",
    "AwaitRunning, newer spec, upgrades to generation 3",
    "AwaitRunning, deletion,   release the finalizer",
  })
  void aWaitIsLeftAtOnce(String step, String request, String expected) {
    Story story = upgrade(starting(step.equals("AwaitRunning") ? Start.NO_SLOTS : Start.COMES_UP));
    if (step.equals("StartJob")) {
      story.before(step, 1, "deleted", lane -> lane.environment().deleteSessionCluster());
    }
    story.during(step, 1, request, REQUESTS.get(request));

    String course = String.join("; ", story.begins().ends());

    assertThat(course).contains(expected);
    assertThat(course.substring(0, course.indexOf(expected))).doesNotContain("Parked", "Blocked");
  }

  @Test
  void aDeletionEndsAndSaysWhatMayStillRun() {
    Story story =
        story(
            environment -> {
              StraightOperator.deploy(environment, OLD);
              environment.silenceJobManager();
              environment.resource().delete();
            });

    assertThat(story.begins().ends()).last().isEqualTo("end: the resource is gone");
    assertThat(story.run.environment().resource().operation().message())
        .startsWith(
            "The job may still run on its session cluster, and has to be cancelled there: ");
  }
}
