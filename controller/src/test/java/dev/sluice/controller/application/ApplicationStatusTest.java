package dev.sluice.controller.application;

import static dev.sluice.controller.application.ApplicationScene.NOW;
import static dev.sluice.controller.application.ApplicationScene.OLD_JOB;
import static dev.sluice.controller.application.ApplicationScene.changed;
import static dev.sluice.controller.application.ApplicationScene.created;
import static dev.sluice.controller.application.ApplicationScene.deploying;
import static dev.sluice.controller.application.ApplicationScene.details;
import static dev.sluice.controller.application.ApplicationScene.dual;
import static dev.sluice.controller.application.ApplicationScene.failed;
import static dev.sluice.controller.application.ApplicationScene.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Counts;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.flink.Checkpoints.Restored;
import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.ClusterStatus;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.application.HealthStatus;
import dev.sluice.api.application.VersionStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ApplicationStatusTest {

  private static final VersionCluster AWAY = new VersionCluster(true, false, 2, null, false);

  private static Checkpoints checkpoints(Instant completed) {
    return new Checkpoints(
        new Counts(5, 2, 1),
        Optional.of(
            new Completed(
                9,
                Kind.CHECKPOINT,
                Optional.of("file:/chk-9"),
                false,
                completed,
                Optional.empty())),
        Optional.of(
            new Completed(
                4, Kind.SAVEPOINT, Optional.of("file:/sp-4"), false, completed, Optional.empty())),
        Optional.of(new Restored(3, true, Optional.of("file:/sp-3"), NOW.minusSeconds(600))),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void cluster_and_job_that_are_well_are_told_in_the_words_of_lyft() {
    FlinkApplicationStatus status =
        running().details(details(3, Optional.of(checkpoints(NOW.minusSeconds(60))))).written();

    assertThat(status.clusterStatus())
        .isEqualTo(
            new ClusterStatus(
                "http://words.default:8081/#/overview", HealthStatus.YELLOW, 2, 1, 32, 29));
    ApplicationJobStatus job = status.jobStatus();
    assertThat(job.health()).isEqualTo(HealthStatus.GREEN);
    assertThat(job.jobID()).isEqualTo(OLD_JOB);
    assertThat(job.state()).isEqualTo(FlinkJobState.RUNNING);
    assertThat(job.jobOverviewURL())
        .isEqualTo("http://words.default:8081/#/job/running/" + OLD_JOB);
    assertThat(job.jarName()).isEqualTo("words.jar");
    assertThat(job.parallelism()).isEqualTo(3);
    assertThat(job.entryClass()).isEqualTo("org.example.Words");
    assertThat(job.jobRestartCount()).isEqualTo(1);
    assertThat(job.completedCheckpointCount()).isEqualTo(5);
    assertThat(job.failedCheckpointCount()).isEqualTo(2);
    assertThat(job.lastCheckpoint()).isEqualTo("file:/chk-9");
    assertThat(job.lastCheckpointTime()).isEqualTo("2026-11-21T09:59:00Z");
    assertThat(job.restorePath()).isEqualTo("file:/sp-3");
    assertThat(job.restoreTime()).isEqualTo("2026-11-21T09:50:00Z");
    assertThat(job.startTime()).isEqualTo("2026-11-21T09:50:00Z");
    assertThat(job.lastFailingTime()).isNull();
    assertThat(job.runningTasks()).isEqualTo(3);
    assertThat(job.totalTasks()).isEqualTo(3);
    assertThat(status.versionStatuses()).isEmpty();
  }

  /** What Lyft's operator takes for a roll-back. */
  @Test
  void a_job_says_what_it_was_submitted_with() {
    ApplicationJobStatus job =
        running()
            .deployedFrom(it -> it.withProgramArgs("--rate 25").withAllowNonRestoredState(true))
            .written()
            .jobStatus();

    assertThat(job.programArgs()).isEqualTo("--rate 25");
    assertThat(job.allowNonRestoredState()).isTrue();
  }

  @ParameterizedTest(name = "{0}, up {1}: {2}")
  @CsvSource({
    "RUNNING, true, GREEN",
    "RUNNING, false, YELLOW",
    "FINISHED, false, GREEN",
    "FAILED, false, RED",
    "CANCELED, false, RED",
    "FAILING, false, RED",
    "RESTARTING, false, RED",
    "CREATED, false, YELLOW"
  })
  void health_of_a_job(FlinkJobState state, boolean up, HealthStatus expected) {
    assertThat(
            running()
                .flink(ApplicationScene.job(OLD_JOB, state, up))
                .written()
                .jobStatus()
                .health())
        .isEqualTo(expected);
  }

  @Test
  void a_job_that_was_failing_just_now_is_red_and_later_green_again() {
    ApplicationScene scene = running().details(details(3, Optional.empty()));
    ApplicationJobStatus failing = scene.written().jobStatus();

    assertThat(
            scene
                .status(
                    it ->
                        it.withJobStatus(
                            failing.withLastFailingTime(NOW.minusSeconds(59).toString())))
                .written()
                .jobStatus()
                .health())
        .isEqualTo(HealthStatus.RED);
    assertThat(
            scene
                .status(
                    it ->
                        it.withJobStatus(
                            failing.withLastFailingTime(NOW.minusSeconds(61).toString())))
                .written()
                .jobStatus()
                .health())
        .isEqualTo(HealthStatus.GREEN);
  }

  @ParameterizedTest(name = "every {0} s, the last {1} s ago: {2}")
  @CsvSource({
    "60, 590, GREEN",
    "60, 610, YELLOW",
    "1200, 610, GREEN",
    "300, 1000, YELLOW",
    "1200, 1690, GREEN"
  })
  void a_job_whose_checkpoints_have_stopped_is_yellow(
      long interval, long ago, HealthStatus expected) {
    VersionDetails seen = details(3, Optional.of(checkpoints(NOW.minusSeconds(ago))));
    VersionDetails taking =
        new VersionDetails(
            true,
            seen.taskManagers(),
            seen.job(),
            seen.checkpoints(),
            Optional.of(Duration.ofSeconds(interval)),
            seen.at());

    assertThat(running().details(taking).written().jobStatus().health()).isEqualTo(expected);
  }

  /** W7. */
  @Test
  void a_silent_job_manager_makes_both_red_and_the_newest_checkpoint_stays() {
    ApplicationScene scene =
        running().details(details(3, Optional.of(checkpoints(NOW.minusSeconds(60)))));
    FlinkApplicationStatus well = scene.written();

    FlinkApplicationStatus silent =
        scene
            .status(
                it -> it.withJobStatus(well.jobStatus()).withClusterStatus(well.clusterStatus()))
            .details(VersionDetails.NONE)
            .cluster(AWAY)
            .written();

    assertThat(silent.clusterStatus().health()).isEqualTo(HealthStatus.RED);
    assertThat(silent.clusterStatus().healthyTaskManagers()).isZero();
    assertThat(silent.jobStatus().health()).isEqualTo(HealthStatus.RED);
    assertThat(silent.jobStatus().state()).isEqualTo(FlinkJobState.RECONCILING);
    assertThat(silent.jobStatus().lastCheckpoint()).isEqualTo("file:/chk-9");
    assertThat(silent.jobStatus().restorePath()).isEqualTo("file:/sp-3");
  }

  @Test
  void what_is_known_of_another_job_is_not_shown_for_this_one() {
    FlinkApplicationStatus status =
        running()
            .status(
                it ->
                    it.withJobStatus(
                        ApplicationJobStatus.EMPTY
                            .withJobID("0".repeat(32))
                            .withLastCheckpoint("file:/chk-of-another")))
            .written();

    assertThat(status.jobStatus().lastCheckpoint()).isNull();
  }

  @Test
  void before_the_first_version_is_deployed_it_is_shown_itself() {
    FlinkApplicationStatus status =
        created()
            .target(null, 1, ApplicationScene.NEW_JOB)
            .phase(ApplicationPhase.SUBMITTING_JOB)
            .written();

    assertThat(status.jobStatus().jobID()).isEqualTo(ApplicationScene.NEW_JOB);
  }

  @Test
  void of_two_that_run_both_are_told_the_deployed_one_first() {
    FlinkApplicationStatus status = dual().written();

    assertThat(status.versionStatuses())
        .extracting(VersionStatus::appVersion)
        .containsExactly(Colour.GREEN, Colour.BLUE);
    assertThat(status.versionStatuses())
        .extracting(VersionStatus::versionHash)
        .containsExactly("aaaaaaaaaa", "bbbbbbbbbb");
    assertThat(status.versionStatuses().get(1).jobStatus().jobID())
        .isEqualTo(ApplicationScene.NEW_JOB);
    assertThat(status.clusterStatus().clusterOverviewURL())
        .isEqualTo("http://words-green.default:8081/#/overview");
  }

  static Stream<Arguments> conditions() {
    return Stream.of(
        arguments("new", created(), "False/Deploying True/Deploying False/NotStalled"),
        arguments("runs", running(), "True/UpToDate False/Idle False/NotStalled"),
        arguments("changed", changed(), "False/Deploying True/Deploying False/NotStalled"),
        arguments("deploying", deploying(), "False/Deploying True/Deploying False/NotStalled"),
        arguments("invalid", changed().invalid(), "False/InvalidSpec False/Idle True/InvalidSpec"),
        arguments("failed", failed(), "False/OperationFailed False/Idle True/OperationFailed"),
        arguments("two run", dual(), "True/UpToDate False/Idle False/NotStalled"),
        arguments(
            "a third waits",
            dual().generation(8).spec(it -> it.withRestartNonce("third")),
            "False/Pending False/Pending False/NotStalled"),
        arguments(
            "its job is lost",
            running().flink(ApplicationScene.nothing()),
            "False/JobNotRunning False/Idle False/NotStalled"),
        arguments(
            "finished",
            running().flink(ApplicationScene.job(OLD_JOB, FlinkJobState.FINISHED, false)),
            "True/JobFinished False/Idle False/NotStalled"),
        arguments(
            "away", running().cluster(AWAY), "False/ClusterNotReady False/Idle False/NotStalled"),
        arguments(
            "silent",
            running().flink(new Unreachable("It does not answer")),
            "Unknown/ClusterNotReady False/Idle False/NotStalled"),
        arguments(
            "its image cannot be pulled",
            running().cluster(new VersionCluster(true, false, 2, "no such image", true)),
            "False/ClusterNotReady False/Idle True/ClusterNotReady"),
        arguments(
            "Temporal is away",
            changed().unavailable(),
            "False/Deploying Unknown/TemporalUnavailable False/NotStalled"));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("conditions")
  void ready_progressing_and_stalled(String name, ApplicationScene given, String expected) {
    assertThat(
            given.condition("Ready")
                + " "
                + given.condition("Progressing")
                + " "
                + given.condition("Stalled"))
        .isEqualTo(expected);
  }

  @Test
  void a_third_version_names_the_two_of_which_one_must_go() {
    ApplicationScene scene = dual().generation(8).spec(it -> it.withRestartNonce("third"));

    assertThat(scene.message("Progressing"))
        .isEqualTo(
            "Generation 8 waits until aaaaaaaaaa or bbbbbbbbbb is torn down: set"
                + " spec.tearDownVersionHash.");
  }

  @Test
  void a_version_that_was_torn_down_because_that_was_asked_for_is_no_failure() {
    ApplicationScene scene = changed().deployment(it -> it.withSettledGeneration(7L));
    String hash = ApplicationHash.of(scene.resource().getSpec()).inNames(0);
    scene.status(it -> it.withTeardownHash(hash));

    assertThat(scene.condition("Ready")).isEqualTo("True/UpToDate");
    assertThat(scene.message("Ready"))
        .startsWith("Generation 7 was torn down; generation 6 is deployed");
  }

  @Test
  void nothing_is_told_anew_while_the_answer_of_flink_is_on_its_way() {
    ApplicationScene scene = running();
    FlinkApplicationStatus before = scene.written();
    scene.status(
        it ->
            it.withJobStatus(before.jobStatus())
                .withClusterStatus(before.clusterStatus())
                .withObservedGeneration(6L)
                .withConditions(before.conditions()));

    assertThat(scene.flink(new Pending()).written()).isEqualTo(before);
  }
}
