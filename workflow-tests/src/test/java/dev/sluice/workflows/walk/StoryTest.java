package dev.sluice.workflows.walk;

import static dev.sluice.workflows.walk.Scenarios.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.JobShape.SavepointEnd;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.environment.StraightOperator;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.walk.Person.Reaction;
import dev.sluice.workflows.walk.Resettable.Reapply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the operations do to Kubernetes, Flink and the status when something comes in between. The
 * traces say nothing of steps, so they hold for every way to carry an operation out.
 */
class StoryTest {

  private static final JobShape HEALTHY = JobShape.HEALTHY;
  private static final Spec NEW = Spec.of("new", HEALTHY);
  private static final Spec OLD_HA = Spec.of("old", HEALTHY.highlyAvailable());
  private static final String STOP = "stop job 1 with a savepoint";

  private static final Map<String, Consumer<Environment>> GIVEN =
      Map.of(
          "upgrade", to(NEW),
          "suspension", to(OLD.asSuspended()),
          "resume", StoryTest::suspended,
          "recovery", StoryTest::lost,
          "deletion", StoryTest::deleted);

  private static final Map<String, Consumer<Lane>> REQUESTS =
      Map.of(
          "abort",
          Lane::abort,
          "newer spec",
          lane -> lane.applyAndTell(Spec.of("newer", HEALTHY)),
          "suspension",
          lane -> lane.applyAndTell(Spec.of("newer", HEALTHY).asSuspended()),
          "deletion",
          Lane::delete);

  private static Story story(Consumer<Environment> given, Reaction... person) {
    return new Story(given, person);
  }

  private static Consumer<Environment> to(Spec spec) {
    return e -> Scenarios.upgrade(e, OLD, spec);
  }

  private static Spec rollingBack(Start start) {
    return Spec.of("new " + ResourceEffects.ROLLS_BACK, HEALTHY.starting(start));
  }

  private static void lost(Environment environment) {
    StraightOperator.deploy(environment, OLD_HA);
    environment.deleteDeploymentByHand();
  }

  private static void suspended(Environment environment) {
    StraightOperator.suspend(environment, OLD);
    environment.resource().apply(NEW);
  }

  private static void deleted(Environment environment) {
    StraightOperator.deploy(environment, OLD.keptOnDeletion());
    environment.resource().delete();
  }

  // ---- one thing after each effect of an operation ----

  /** What follows, but for some effects, when it happens after each effect of an upgrade. */
  private static String inAnUpgrade(Consumer<Lane> happens, String... leftOut) {
    List<String> undisturbed = story(to(NEW)).begins().trace();
    Map<String, List<String>> followers = new LinkedHashMap<>();
    for (int i = 0; i <= undisturbed.size(); i++) {
      List<String> trace =
          new ArrayList<>(story(to(NEW)).after(i, "it happens", happens).begins().ends());
      trace.removeAll(List.of(leftOut));
      followers
          .computeIfAbsent(
              String.join("\n  ", trace.subList(i + 1, trace.size())), follows -> new ArrayList<>())
          .add(i == 0 ? "nothing" : trace.get(i - 1));
    }
    StringBuilder told = new StringBuilder();
    followers.forEach(
        (follows, after) ->
            told.append("after %s:%n  %s%n".formatted(String.join(" | ", after), follows)));
    return told.toString();
  }

  /**
   * After each effect of the operation: all is done as if nothing had happened, and nothing more.
   */
  private static void changesNothing(Consumer<Environment> given, BiConsumer<Story, Lane> happens) {
    List<String> undisturbed = story(given).begins().ends();
    int effects = undisturbed.size() - 1;
    for (int i = 0; i <= effects; i++) {
      Story story = story(given);
      List<String> trace =
          story.after(i, "it happens", lane -> happens.accept(story, lane)).begins().ends();
      assertThat(trace)
          .as("after %d effects: %s", i, trace)
          .filteredOn(line -> !line.matches("[*] .*|the user: .*|status: .* is Blocked, .*"))
          .isEqualTo(undisturbed);
      // after the last effect no run may be left to which it could happen
      assertThat(i == effects || trace.contains("* it happens")).isTrue();
    }
  }

  @Test
  void deletion_afterEachEffect() {
    assertThat(inAnUpgrade(Lane::delete)).isEqualTo(Story.golden("deletion"));
  }

  @Test
  void deletionWithAnInvalidNewestSpec_afterEachEffect() {
    assertThat(
            inAnUpgrade(
                lane -> {
                  lane.environment().resource().apply(Spec.of("newer", HEALTHY).invalid());
                  lane.delete();
                },
                "status: Upgrade is Aborted, InvalidSpec"))
        .isEqualTo(Story.golden("deletion"));
  }

  @Test
  void abort_afterEachEffect() {
    assertThat(inAnUpgrade(Lane::abort)).isEqualTo(Story.golden("abort"));
  }

  /** A cancelled run starts no other one: its rollback is reported as the end of the upgrade. */
  @Test
  void cancelInTemporal_afterEachEffect_isAnAbort() {
    assertThat(inAnUpgrade(Lane::cancel, "status: Upgrade is Aborted"))
        .isEqualTo(Story.golden("abort"));
  }

  @Test
  void newerSpec_afterEachEffect() {
    assertThat(inAnUpgrade(lane -> lane.applyAndTell(Spec.of("newer", HEALTHY))))
        .isEqualTo(Story.golden("newer-spec"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"upgrade", "suspension", "resume", "recovery", "deletion"})
  void terminateInTemporal_afterEachEffect_isCarriedOnByAnotherRun(String operation) {
    changesNothing(GIVEN.get(operation), (story, lane) -> lane.terminate());
  }

  /** The last columns: which generation is stable then, and what became of the job. */
  @ParameterizedTest
  @CsvSource({
    "suspension, abort,      1, the last job is RUNNING",
    "suspension, newer spec, 3, the last job is RUNNING",
    "suspension, deletion,   1, the resource is gone",
    "resume,     abort,      2, no job runs",
    "resume,     suspension, 4, no job runs",
    "resume,     deletion,   2, the resource is gone",
    "recovery,   deletion,   1, the resource is gone",
  })
  void suspensionResumeRecovery_afterEachEffectButTheLast(
      String operation, String request, long generation, String end) {
    Consumer<Environment> given = GIVEN.get(operation);
    int effects = story(given).begins().trace().size();
    for (int i = 0; i < effects; i++) {
      Story story = story(given).after(i, request, REQUESTS.get(request)).begins();
      List<String> trace = story.ends();
      Spec stable = story.run.environment().resource().stable();

      assertThat(stable.generation()).as("after %d effects: %s", i, trace).isEqualTo(generation);
      assertThat(trace).last().isEqualTo("end: " + end);
    }
  }

  @Test
  void signalsThatMeanNothing_afterEachEffect_changeNothing() {
    changesNothing(to(NEW), (story, lane) -> lane.signal(LaneSignals.RETRY));
    changesNothing(to(NEW), (story, lane) -> lane.signalDeletion());
    changesNothing(to(NEW), (story, lane) -> lane.signal(LaneSignals.RETARGET, 999_999L));
  }

  @Test
  void resetInFlight_afterEachEffect_repeatsNone() {
    int steps = story(to(NEW)).begins().run.steps().get(0);
    for (int i = 0; i < steps; i++) {
      int step = i;
      changesNothing(
          to(NEW),
          (story, lane) -> {
            lane.asksWhetherItIsWanted();
            story.run.begunAgain(story.temporal.runOfActivity(lane.ref()), step, Reapply.ALL);
          });
    }
  }

  @Test
  void resetOfARunThatHasEnded_changesNothing() {
    Story story = story(to(NEW)).begins();
    List<String> before = story.trace();
    int steps = story.run.steps().get(0);

    for (int i = 0; i < steps; i++) {
      int step = i;
      story.plays(() -> story.run.reset(0, step, Reapply.ALL));
    }

    assertThat(story.ends()).startsWith(before.toArray(String[]::new)).hasSize(before.size() + 1);
  }

  // ---- runs that nobody needs ----

  private static void startStale(Story story, String type, long generation) {
    story.then(
        "a stale controller starts " + type,
        lane ->
            story.temporal.signalWithStart(
                lane.ref(),
                type,
                OperationInput.of(lane.ref(), generation, "stale"),
                type.equals("Delete") ? LaneSignals.DELETE : LaneSignals.RETARGET,
                type.equals("Delete") ? new Object[0] : new Object[] {generation}));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Deploy",
        "Upgrade",
        "Rescale",
        "Suspend",
        "Resume",
        "Rollback",
        "Recover",
        "Finish",
        "Delete"
      })
  void runForWhatIsDone_touchesNothing(String type) {
    for (Spec spec : List.of(NEW, OLD.asSuspended())) {
      for (long generation = 1; generation <= 2; generation++) {
        Story story = story(to(spec)).begins();
        List<String> before = story.trace();

        startStale(story, type, generation);

        assertThat(story.ends())
            .as("generation %d of %s", generation, spec)
            .startsWith(before.toArray(String[]::new))
            .hasSize(before.size() + 2);
      }
    }
  }

  @Test
  void runForWhatWasAborted_touchesNothing() {
    Story story =
        story(to(NEW)).after(STOP, "the user aborts", (lane, at) -> lane.abort()).begins();
    List<String> before = story.trace();

    startStale(story, "Upgrade", 2);

    assertThat(story.ends()).startsWith(before.toArray(String[]::new)).hasSize(before.size() + 2);
  }

  @Test
  void retryOfWhatWasAborted_bringsIt() {
    Story story =
        story(to(NEW)).after(STOP, "the user aborts", (lane, at) -> lane.abort()).begins();

    story.then(
        "the user retries",
        lane -> {
          lane.environment().askAgain();
          story.temporal.signalWithStart(
              lane.ref(),
              "Upgrade",
              OperationInput.of(lane.ref(), 2, "asked for").withRetry(true),
              LaneSignals.RETARGET,
              2L);
        });

    assertThat(story.ends()).contains("status: generation 2 is deployed");
  }

  // ---- stories of their own ----

  @Test
  void rollbackToARevisionWhileAnUpgradeIsParked() {
    story(
            e -> {
              StraightOperator.upgrade(e, OLD, Spec.of("second", HEALTHY));
              e.resource().apply(Spec.of("third", HEALTHY.starting(Start.FAILS)));
            },
            Reaction.ROLL_BACK_TO_THE_FIRST)
        .begins()
        .endsAs(
            """
            status: upgrades to generation 3
            stop job 2 with a savepoint
            status: recorded: savepoint of job 2
            delete the cluster of job 2
            create the cluster of generation 3 for job 3 from savepoint of job 2
            job 3 starts from savepoint of job 2
            status: Upgrade is Parked, JobFailed
            the user: ROLL_BACK_TO_THE_FIRST about JobFailed
            status: rolls back to generation 2
            delete the cluster of job 3
            create the cluster of generation 2 for job 4 from savepoint of job 2
            job 4 starts from savepoint of job 2
            status: generation 2 is deployed
            status: rolls back to generation 1
            status: recorded: savepoint of job 1
            cancel job 4
            delete the cluster of job 4
            create the cluster of generation 1 for job 5 from savepoint of job 1
            job 5 starts from savepoint of job 1
            status: generation 1 is deployed
            end: the last job is RUNNING
            """);
  }

  @Test
  void automaticRollbackBeforeTheJobIsStable() {
    story(to(rollingBack(Start.FAILS)))
        .begins()
        .endsAs(
            """
            status: upgrades to generation 2
            stop job 1 with a savepoint
            status: recorded: savepoint of job 1
            delete the cluster of job 1
            create the cluster of generation 2 for job 2 from savepoint of job 1
            job 2 starts from savepoint of job 1
            status: rolls back to generation 1
            delete the cluster of job 2
            create the cluster of generation 1 for job 3 from savepoint of job 1
            job 3 starts from savepoint of job 1
            status: generation 1 is deployed
            end: the last job is RUNNING
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"job 2 starts from savepoint of job 1", "status: rolls back to generation 1"})
  void automaticRollback_isCarriedOnByAnotherRun(String after) {
    Consumer<Environment> given = to(rollingBack(Start.FAILS));
    Story story =
        story(given).after(after, "the run is terminated", (lane, at) -> lane.terminate()).begins();

    assertThat(story.ends())
        .filteredOn(line -> !line.startsWith("*"))
        .isEqualTo(story(given).begins().ends());
  }

  @Test
  void recoveryAttemptsAreCountedOverRuns() {
    Story story =
        story(StoryTest::lost)
            .after(
                "status: recovery 1, JobManagerMissing",
                "the run is terminated",
                (lane, at) -> lane.terminate())
            .begins();
    for (int i = 0; i < 5; i++) {
      story.then("the Deployment is deleted", lane -> lane.environment().deleteDeploymentByHand());
    }

    assertThat(story.ends())
        .filteredOn(line -> line.matches("status: [Rr]ecover.*|the user: .*"))
        .isEqualTo(
            """
            status: recovery 1, JobManagerMissing
            status: recovery 2, JobManagerMissing
            status: recovery 3, JobManagerMissing
            status: recovery 4, JobManagerMissing
            status: recovery 5, JobManagerMissing
            status: Recover is Parked, RecoveryLimit
            the user: HEAL_AND_RETRY about RecoveryLimit
            status: recovery 1, JobManagerMissing
            """
                .lines()
                .toList());
  }

  @Test
  void runThatIsHeldForDays_continuesAsNew() {
    Story story =
        story(
                to(Spec.of("new", HEALTHY.starting(Start.IMAGE_MISSING))),
                Reaction.NOTHING,
                Reaction.NOTHING,
                Reaction.HEAL)
            .withLongHistories()
            .begins();

    assertThat(story.run.runs()).hasSizeGreaterThan(2);
    story.endsAs(
        """
            status: upgrades to generation 2
            stop job 1 with a savepoint
            status: recorded: savepoint of job 1
            delete the cluster of job 1
            create the cluster of generation 2 for job 2 from savepoint of job 1
            status: Upgrade is Blocked, ImagePullFailed
            the user: NOTHING about ImagePullFailed
            the user: NOTHING about ImagePullFailed
            status: Upgrade is Blocked, ImagePullFailed
            the user: HEAL about ImagePullFailed
            job 2 starts from savepoint of job 1
            status: generation 2 is deployed
            end: the last job is RUNNING
            """);
  }

  /** Nothing is said of the job, and nothing done to it, until the outcome is known. */
  @Test
  void abortOfAStopWhoseOutcomeIsNotKnown_savepointCompletesLate() {
    story(e -> Scenarios.upgrade(e, saving(SavepointEnd.COMPLETES_LATE), NEW), Reaction.ABORT)
        .begins()
        .endsAs(
            """
            status: upgrades to generation 2
            stop job 1 with a savepoint
            status: Upgrade is Blocked, TimedOut
            the user: ABORT about TimedOut
            status: recorded: savepoint of job 1
            status: rolls back to generation 1
            delete the cluster of job 1
            create the cluster of generation 1 for job 2 from savepoint of job 1
            job 2 starts from savepoint of job 1
            status: generation 1 is deployed
            end: the last job is RUNNING
            """);
  }

  /** The design takes no other savepoint once an abort is asked for. */
  @Test
  void abortOfAStopWhoseOutcomeIsNotKnown_savepointFailsLate() {
    story(
            e -> Scenarios.upgrade(e, saving(SavepointEnd.FAILS_LATE), NEW),
            Reaction.ABORT,
            Reaction.NOTHING)
        .begins()
        .endsAs(
            """
            status: upgrades to generation 2
            stop job 1 with a savepoint
            status: Upgrade is Blocked, TimedOut
            the user: ABORT about TimedOut
            stop job 1 with a savepoint
            stop job 1 with a savepoint
            the user: NOTHING about TimedOut
            status: Upgrade is Parked, SavepointFailed
            status: generation 1 is deployed
            status: Upgrade is Aborted, Aborted
            end: the last job is RUNNING
            """);
  }

  private static Spec saving(SavepointEnd end) {
    return Spec.of("old", HEALTHY.savepointing(end));
  }

  /** The trigger is not known any more, and the job began after it: a person decides. */
  @ParameterizedTest
  @CsvSource({"0, RETRY, stop job 1 with a savepoint", "2, RESTORE_NEWEST, cancel job 1"})
  void jobManagerRestartsDuringItsStop_isParked(int waits, Reaction remedy, String stop) {
    stoppedInVain(OLD, waits)
        .endsAs(
            """
            status: upgrades to generation 2
            stop job 1 with a savepoint
            * the answer is lost, the JobManager restarts
            job 1 starts from no state
            status: Upgrade is Parked, StateNotFound
            the user: %s about StateNotFound
            %s
            status: recorded: savepoint of job 1
            delete the cluster of job 1
            create the cluster of generation 2 for job 2 from savepoint of job 1
            job 2 starts from savepoint of job 1
            status: generation 2 is deployed
            end: the last job is RUNNING
            """
                .formatted(remedy, stop));
  }

  /** Whatever the job does while it is held: its savepoint may be the newest state. */
  @Test
  void jobManagerRestartsDuringItsStop_jobFailsMeanwhile_savepointOfTheStopIsTheNewest() {
    Story story =
        new Story(
                e -> {
                  StraightOperator.upgrade(e, Spec.of("older", HEALTHY), OLD);
                  e.resource().apply(NEW);
                },
                Reaction.NOTHING,
                Reaction.NOTHING)
            .after(
                t -> t.stream().anyMatch(it -> it.startsWith("stop job")),
                "the savepoint is completed, the JobManager restarts",
                (lane, point) -> {
                  lane.environment().tick(2);
                  lane.environment().killJobManager();
                  throw WorkerLost.at(point);
                })
            .after(
                t -> t.stream().anyMatch(it -> it.contains("NOTHING")),
                "the job fails",
                (lane, point) -> lane.environment().failJob())
            .begins();

    assertThat(story.run.environment().invariants().violations()).isEmpty();
    assertThat(story.trace())
        .containsSubsequence(
            "* the job fails",
            "status: Upgrade is Parked, StateNotFound",
            "the user: RESTORE_NEWEST about StateNotFound",
            "status: recorded: savepoint of job 2",
            "delete the cluster of job 2");
  }

  @Test
  void jobManagerRestartsDuringItsStopWithHighAvailability_jobIsStoppedAgain() {
    stoppedInVain(OLD_HA, 0)
        .endsAs(
            """
            status: upgrades to generation 2
            stop job 1 with a savepoint
            * the answer is lost, the JobManager restarts
            job 1 starts from checkpoint of job 1
            stop job 1 with a savepoint
            stop job 1 with a savepoint
            status: recorded: savepoint of job 1
            delete the cluster of job 1
            create the cluster of generation 2 for job 2 from savepoint of job 1
            job 2 starts from savepoint of job 1
            status: generation 2 is deployed
            end: the last job is RUNNING
            """);
  }

  @Test
  void jobManagerRestartsAfterItsSavepointIsCompletedWithHighAvailability_isParked() {
    stoppedInVain(OLD_HA, 2)
        .endsAs(
            """
            status: upgrades to generation 2
            stop job 1 with a savepoint
            * the answer is lost, the JobManager restarts
            status: Upgrade is Parked, StateNotFound
            the user: HEAL_AND_RETRY about StateNotFound
            status: Upgrade is Parked, StateNotFound
            the user: RESTORE_NEWEST about StateNotFound
            status: recorded: savepoint of job 1
            delete the cluster of job 1
            create the cluster of generation 2 for job 2 from savepoint of job 1
            job 2 starts from savepoint of job 1
            status: generation 2 is deployed
            end: the last job is RUNNING
            """);
  }

  /** The answer to the trigger is lost, and its JobManager restarts after so many ticks. */
  private static Story stoppedInVain(Spec old, int ticks) {
    return story(e -> Scenarios.upgrade(e, old, NEW))
        .after(
            STOP,
            "the answer is lost, the JobManager restarts",
            (lane, point) -> {
              lane.environment().tick(ticks);
              lane.environment().killJobManager();
              throw WorkerLost.at(point);
            })
        .begins();
  }

  @Test
  void lostDatabaseOfTemporalWhileSuspended() {
    Story story = story(to(OLD.asSuspended())).begins();

    story.temporal.lose();
    story
        .then(
            "Temporal's database is lost, the user resumes",
            lane -> {
              lane.environment().resource().apply(NEW);
              boolean unused = lane.controller().reconcile();
            })
        .endsAs(
            """
            status: upgrades to generation 2
            stop job 1 with a savepoint
            status: recorded: savepoint of job 1
            delete the cluster of job 1
            status: generation 2 is deployed
            * Temporal's database is lost, the user resumes
            status: upgrades to generation 3
            create the cluster of generation 3 for job 2 from savepoint of job 1
            job 2 starts from savepoint of job 1
            status: generation 3 is deployed
            end: the last job is RUNNING
            """);
  }
}
