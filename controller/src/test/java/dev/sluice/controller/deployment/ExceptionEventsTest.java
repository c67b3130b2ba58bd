package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.FlinkCause;
import dev.sluice.activities.flink.JobExceptions.Failure;
import dev.sluice.activities.flink.JobExceptions.Origin;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.status.ExceptionEvents;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What jobs fail and restart with is told (FLINK-37730), and limited. */
class ExceptionEventsTest {

  @Test
  void an_exception_is_told_with_cause_task_TaskManager_time_and_where_it_was_thrown() {
    StatusEvent event = told(failure(1, "boom")).get(0);

    assertThat(event.reason()).isEqualTo("JobException");
    assertThat(event.warning()).isTrue();
    assertThat(event.message())
        .isEqualTo(
            "Job "
                + Deployed.JOB_ID
                + ": IllegalStateException: boom (in task map (1/3)) on TaskManager tm-1 at "
                + Deployed.NOW.minusSeconds(1)
                + ".\n  at a.B.c(B.java:1)");
  }

  @Test
  void the_same_with_other_numbers_is_one_event() {
    List<StatusEvent> events =
        told(failure(1, "offset 17"), failure(2, "offset 16"), failure(3, "offset 15"));

    assertThat(events)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.at()).isEqualTo(Deployed.NOW.minusSeconds(1));
              assertThat(event.message()).contains("offset 17");
            });
  }

  @Test
  void different_ones_are_limited_in_each_pass_and_the_newest_are_told() {
    List<StatusEvent> events = told(different(8));

    assertThat(events).hasSize(5);
    assertThat(events.get(0).message()).contains("kind H");
    assertThat(events.get(4).message()).contains("kind D");
  }

  @Test
  void what_happened_long_ago_is_not_told_after_a_restart_of_the_controller() {
    assertThat(told(failure(3_600, "boom"))).isEmpty();
  }

  @Test
  void what_fails_while_it_is_deleted_is_not_told() {
    Deployed deleted =
        Deployed.running().failing(FlinkJobState.RESTARTING, "boom", failure(1, "boom")).deleted();

    assertThat(ExceptionEvents.of(deleted.snapshot())).isEmpty();
  }

  @Test
  void the_status_says_why_a_job_restarts() {
    FlinkDeploymentStatus status =
        project(Deployed.running().failing(FlinkJobState.RESTARTING, "IOException: disk full"));

    assertThat(message(status, "Running")).endsWith("is RESTARTING: IOException: disk full.");
    assertThat(message(status, "Ready")).endsWith("is RESTARTING: IOException: disk full.");
  }

  @Test
  void the_status_says_why_tasks_do_not_run() {
    FlinkDeploymentStatus status =
        project(Deployed.running().failing(FlinkJobState.RUNNING, "IOException: disk full"));

    assertThat(message(status, "Ready"))
        .isEqualTo(
            "Not all tasks of job "
                + Deployed.JOB_ID
                + " run. Newest exception: IOException: disk full.");
    assertThat(message(status, "Running")).endsWith("is RUNNING.");
  }

  @Test
  void an_exception_that_ends_with_a_full_stop_gets_no_second_one() {
    FlinkDeploymentStatus status =
        project(Deployed.running().failing(FlinkJobState.FAILED, "IOException: disk full."));

    assertThat(message(status, "Running")).endsWith("is FAILED: IOException: disk full.");
  }

  private List<StatusEvent> told(Failure... newestFirst) {
    return ExceptionEvents.of(
        Deployed.running().failing(FlinkJobState.RESTARTING, "boom", newestFirst).snapshot());
  }

  /** Kinds A, B, ... of which the last one is the newest. */
  private static Failure[] different(int kinds) {
    return IntStream.range(0, kinds)
        .map(i -> kinds - 1 - i)
        .mapToObj(kind -> failure(kinds - kind, "kind " + (char) ('A' + kind)))
        .toArray(Failure[]::new);
  }

  private static Failure failure(int secondsAgo, String message) {
    return new Failure(
        new FlinkCause("IllegalStateException", message),
        Deployed.NOW.minusSeconds(secondsAgo),
        new Origin(Optional.of("map (1/3)"), Optional.of("tm-1")),
        List.of("at a.B.c(B.java:1)"));
  }

  private static FlinkDeploymentStatus project(Deployed given) {
    SeenDeployment snapshot = given.snapshot();
    return new DeploymentProjection(Clock.fixed(Deployed.NOW, ZoneOffset.UTC))
        .project(snapshot, JobPlanner.decide(snapshot));
  }

  private static String message(FlinkDeploymentStatus status, String type) {
    return status.condition(type).orElseThrow().getMessage();
  }
}
