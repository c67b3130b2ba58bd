package dev.sluice.workflows.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.environment.JobShape;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.walk.Person.Reaction;
import dev.sluice.workflows.walk.Resettable.Reapply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the operations do to Kubernetes, Flink and the status when something comes in between. The
 * traces say nothing of steps, so they hold for every way to carry an operation out.
 */
class StoryTest {

  private static final String UPGRADE = "deploy old; apply new";
  private static final String STOP = "stop job 1 with a savepoint";

  private static final Map<String, String> GIVEN =
      Map.of(
          "upgrade", UPGRADE,
          "suspension", "deploy old; apply old asSuspended",
          "resume", "suspend old; apply new",
          "recovery", "deploy old highlyAvailable; deleteDeploymentByHand",
          "deletion", "deploy old keptOnDeletion; delete");

  // ---- one thing after each effect of an operation ----

  /** What follows, but for some effects, when it happens after each effect of an upgrade. */
  private static String inAnUpgrade(String happens, String... leftOut) {
    List<String> undisturbed = new Story(UPGRADE).begins().trace();
    Map<String, List<String>> followers = new LinkedHashMap<>();
    for (int i = 0; i <= undisturbed.size(); i++) {
      List<String> trace =
          new ArrayList<>(
              new Story(UPGRADE).after(i, "it happens", Words.happens(happens)).begins().ends());
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
  private static void changesNothing(String given, BiConsumer<Story, Lane> happens) {
    List<String> undisturbed = new Story(given).begins().ends();
    int effects = undisturbed.size() - 1;
    for (int i = 0; i <= effects; i++) {
      Story story = new Story(given);
      List<String> trace =
          story.after(i, "it happens", (lane, at) -> happens.accept(story, lane)).begins().ends();
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
    assertThat(inAnUpgrade("delete")).isEqualTo(Story.resource("/story/deletion.txt"));
  }

  @Test
  void deletionWithAnInvalidNewestSpec_afterEachEffect() {
    assertThat(
            inAnUpgrade("apply newer invalid; delete", "status: Upgrade is Aborted, InvalidSpec"))
        .isEqualTo(Story.resource("/story/deletion.txt"));
  }

  @Test
  void abort_afterEachEffect() {
    assertThat(inAnUpgrade("abort")).isEqualTo(Story.resource("/story/abort.txt"));
  }

  /** A cancelled run starts no other one: its rollback is reported as the end of the upgrade. */
  @Test
  void cancelInTemporal_afterEachEffect_isAnAbort() {
    assertThat(inAnUpgrade("cancel", "status: Upgrade is Aborted"))
        .isEqualTo(Story.resource("/story/abort.txt"));
  }

  @Test
  void newerSpec_afterEachEffect() {
    assertThat(inAnUpgrade("applyAndTell newer"))
        .isEqualTo(Story.resource("/story/newer-spec.txt"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"upgrade", "suspension", "resume", "recovery", "deletion"})
  void terminateInTemporal_afterEachEffect_isCarriedOnByAnotherRun(String operation) {
    changesNothing(GIVEN.get(operation), (story, lane) -> lane.terminate());
  }

  /** The last columns: which generation is stable then, and what became of the job. */
  @ParameterizedTest
  @CsvSource({
    "suspension, abort,                          1, the last job is RUNNING",
    "suspension, applyAndTell newer,             3, the last job is RUNNING",
    "suspension, delete,                         1, the resource is gone",
    "resume,     abort,                          2, no job runs",
    "resume,     applyAndTell newer asSuspended, 4, no job runs",
    "resume,     delete,                         2, the resource is gone",
    "recovery,   delete,                         1, the resource is gone",
  })
  void suspensionResumeRecovery_afterEachEffectButTheLast(
      String operation, String request, long generation, String end) {
    String given = GIVEN.get(operation);
    int effects = new Story(given).begins().trace().size();
    for (int i = 0; i < effects; i++) {
      Story story = new Story(given).after(i, request, Words.happens(request)).begins();
      List<String> trace = story.ends();
      Spec stable = story.run.environment().resource().stable();

      assertThat(stable.generation()).as("after %d effects: %s", i, trace).isEqualTo(generation);
      assertThat(trace).last().isEqualTo("end: " + end);
    }
  }

  @Test
  void signalsThatMeanNothing_afterEachEffect_changeNothing() {
    changesNothing(UPGRADE, (story, lane) -> lane.signal(LaneSignals.RETRY));
    changesNothing(UPGRADE, (story, lane) -> lane.signalDeletion());
    changesNothing(UPGRADE, (story, lane) -> lane.signal(LaneSignals.RETARGET, 999_999L));
  }

  @Test
  void resetInFlight_afterEachEffect_repeatsNone() {
    int steps = new Story(UPGRADE).begins().run.steps().get(0);
    for (int i = 0; i < steps; i++) {
      int step = i;
      changesNothing(
          UPGRADE,
          (story, lane) -> {
            lane.asksWhetherItIsWanted();
            story.run.begunAgain(story.temporal.runOfActivity(lane.ref()), step, Reapply.ALL);
          });
    }
  }

  @Test
  void resetOfARunThatHasEnded_changesNothing() {
    Story story = new Story(UPGRADE).begins();
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
    for (String given : List.of(UPGRADE, GIVEN.get("suspension"))) {
      for (long generation = 1; generation <= 2; generation++) {
        Story story = new Story(given).begins();
        List<String> before = story.trace();

        startStale(story, type, generation);

        assertThat(story.ends())
            .as("generation %d of %s", generation, given)
            .startsWith(before.toArray(String[]::new))
            .hasSize(before.size() + 2);
      }
    }
  }

  @Test
  void runForWhatWasAborted_touchesNothing() {
    Story story = new Story(UPGRADE).after(STOP, "abort").begins();
    List<String> before = story.trace();

    startStale(story, "Upgrade", 2);

    assertThat(story.ends()).startsWith(before.toArray(String[]::new)).hasSize(before.size() + 2);
  }

  @Test
  void retryOfWhatWasAborted_bringsIt() {
    Story story = new Story(UPGRADE).after(STOP, "abort").begins();

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

  @ParameterizedTest
  @ValueSource(
      strings = {"job 2 starts from savepoint of job 1", "status: rolls back to generation 1"})
  void automaticRollback_isCarriedOnByAnotherRun(String after) {
    String given = UPGRADE + " rolls back starting=FAILS";
    Story story = new Story(given).after(after, "terminate").begins();

    assertThat(story.ends())
        .filteredOn(line -> !line.startsWith("*"))
        .isEqualTo(new Story(given).begins().ends());
  }

  @Test
  void recoveryAttemptsAreCountedOverRuns() {
    Story story =
        new Story(GIVEN.get("recovery"))
            .after("status: recovery 1, JobManagerMissing", "terminate")
            .begins();
    for (int i = 0; i < 5; i++) {
      story.then("deleteDeploymentByHand");
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
        new Story(
                UPGRADE + " starting=IMAGE_MISSING",
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

  /** Whatever the job does while it is held: its savepoint may be the newest state. */
  @Test
  void jobManagerRestartsDuringItsStop_jobFailsMeanwhile_savepointOfTheStopIsTheNewest() {
    Story story =
        new Story("upgrade older -> old; apply new", Reaction.NOTHING, Reaction.NOTHING)
            // the savepoint is completed, and the JobManager restarts
            .after("stop job", "tick 2; killJobManager; loseWorker")
            .after("the user: NOTHING", "failJob")
            .begins();

    assertThat(story.run.environment().invariants().violations()).isEmpty();
    assertThat(story.trace())
        .containsSubsequence(
            "* failJob",
            "status: Upgrade is Parked, StateNotFound",
            "the user: RESTORE_NEWEST about StateNotFound",
            "status: recorded: savepoint of job 2",
            "delete the cluster of job 2");
  }

  @Test
  void lostDatabaseOfTemporalWhileSuspended() {
    Story story = new Story(GIVEN.get("suspension")).begins();

    story.temporal.lose();
    story
        .then(
            "Temporal's database is lost, the user resumes",
            lane -> {
              lane.environment().resource().apply(Spec.of("new", JobShape.HEALTHY));
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
