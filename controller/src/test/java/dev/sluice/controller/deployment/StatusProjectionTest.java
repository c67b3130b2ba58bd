package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.BLOCKED;
import static dev.sluice.api.common.OperationState.FAILED;
import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static dev.sluice.api.common.OperationType.DELETE;
import static dev.sluice.api.common.OperationType.DEPLOY;
import static dev.sluice.api.common.OperationType.ROLLBACK;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StatusProjectionTest {

  private static final String AWAY = "Temporal at t:7233 does not answer";

  /**
   * The four conditions as {@code Ready Progressing Stalled Running}, then the lifecycle
   * (FLINK-33634).
   */
  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"still", "moving", "stuck"})
  void the_conditions_follow_from_the_snapshot(String name, Deployed given, String expected) {
    assertThat(words(project(given))).isEqualTo(expected);
  }

  static Stream<Arguments> still() {
    return Stream.of(
        arguments(
            "runs",
            Deployed.running(),
            "True/UpToDate False/Idle False/NotStalled True/Running STABLE"),
        arguments(
            "lost a task",
            Deployed.running().job(FlinkJobState.RUNNING, false),
            "False/JobNotRunning False/Idle False/NotStalled True/Running STABLE"),
        arguments(
            "restarts",
            Deployed.running().job(FlinkJobState.RESTARTING, false),
            "False/JobNotRunning False/Idle False/NotStalled False/Restarting STABLE"),
        arguments(
            "failed",
            Deployed.running().job(FlinkJobState.FAILED, false),
            "False/JobNotRunning False/Idle False/NotStalled False/Failed FAILED"),
        arguments(
            "no job",
            Deployed.running().job(new ObservedJob.Answered(Optional.empty(), Map.of())),
            "False/JobNotRunning False/Idle False/NotStalled False/JobNotRunning STABLE"),
        arguments(
            "a JobManager process that does not answer may still do its work",
            Deployed.running().job(new ObservedJob.Unreachable("no answer")),
            "Unknown/ClusterNotReady False/Idle False/NotStalled Unknown/ClusterNotReady DEPLOYED"),
        arguments(
            "no JobManager process",
            Deployed.running().cluster(JobManager.STARTING),
            "False/ClusterNotReady False/Idle False/NotStalled Unknown/ClusterNotReady DEPLOYED"),
        arguments(
            "no cluster",
            Deployed.running().cluster(JobManager.MISSING),
            "False/JobManagerMissing False/Idle False/NotStalled False/JobManagerMissing FAILED"),
        arguments(
            "never stable",
            Deployed.running().noOperation().image("flink:1").frozen(6),
            "True/UpToDate False/Idle False/NotStalled True/Running DEPLOYED"),
        arguments(
            "went back by itself, and the old spec is wanted again",
            Deployed.running().reconciliation(ReconciliationState.ROLLED_BACK),
            "True/UpToDate False/Idle False/NotStalled True/Running ROLLED_BACK"));
  }

  static Stream<Arguments> moving() {
    return Stream.of(
        arguments(
            "created",
            Deployed.created(),
            "False/Deploying True/Deploying False/NotStalled False/ClusterNotReady UPGRADING"),
        arguments(
            "changed",
            Deployed.changed(),
            "False/Upgrading True/Upgrading False/NotStalled True/Running UPGRADING"),
        arguments(
            "changed and told",
            Deployed.changed(),
            "False/Upgrading True/Upgrading False/NotStalled True/Running UPGRADING"),
        arguments(
            "frozen",
            Deployed.upgrading(),
            "False/Upgrading True/Upgrading False/NotStalled True/Running UPGRADING"),
        arguments(
            "rolls back",
            Deployed.upgrading()
                .reconciliation(ReconciliationState.ROLLING_BACK)
                .operation(ROLLBACK, RUNNING, null, 7),
            "False/RollingBack True/RollingBack False/NotStalled True/Running ROLLING_BACK"),
        arguments(
            "at work, and an invalid spec came",
            Deployed.upgrading().invalid().generation(8),
            "False/Upgrading True/Upgrading True/InvalidSpec True/Running UPGRADING"),
        arguments(
            "deleted",
            Deployed.running().deleted(),
            "False/Deleting True/Deleting False/NotStalled True/Running DELETING"),
        arguments(
            "Delete at work",
            Deployed.running().deleted().operation(DELETE, RUNNING, 6L, 6),
            "False/Deleting True/Deleting False/NotStalled True/Running DELETING"),
        arguments(
            "changed while Temporal is away: the job runs on",
            Deployed.changed().temporalAway(AWAY),
            "False/Upgrading Unknown/TemporalUnavailable False/NotStalled True/Running STABLE"),
        arguments(
            "nothing is wanted while Temporal is away",
            Deployed.running().temporalAway(AWAY),
            "True/UpToDate False/Idle False/NotStalled True/Running STABLE"),
        arguments(
            "at work while Temporal is away",
            Deployed.upgrading().temporalAway(AWAY),
            "False/Upgrading Unknown/TemporalUnavailable False/NotStalled True/Running"
                + " UPGRADING"));
  }

  static Stream<Arguments> stuck() {
    return Stream.of(
        arguments(
            "parked with the old job running",
            Deployed.upgrading()
                .operation(UPGRADE, PARKED, 6L, 7)
                .operationSays("SavepointFailed", "why"),
            "False/SavepointFailed False/SavepointFailed True/SavepointFailed True/Running"
                + " UPGRADING"),
        arguments(
            "parked without a reason",
            Deployed.upgrading().operation(UPGRADE, PARKED, 6L, 7),
            "False/WaitingForOperator False/WaitingForOperator True/WaitingForOperator True/Running"
                + " UPGRADING"),
        arguments(
            "blocked",
            Deployed.upgrading()
                .operation(UPGRADE, BLOCKED, 6L, 7)
                .operationSays("Refused", "Quota exceeded."),
            "False/Refused True/Blocked True/Refused True/Running UPGRADING"),
        arguments(
            "blocked without a reason",
            Deployed.upgrading().operation(UPGRADE, BLOCKED, 6L, 7),
            "False/Blocked True/Blocked True/Blocked True/Running UPGRADING"),
        arguments(
            "an invalid spec, and the cluster is gone",
            Deployed.changed().invalid().cluster(JobManager.MISSING),
            "False/InvalidSpec False/Idle True/InvalidSpec False/JobManagerMissing FAILED"),
        arguments(
            "finished",
            Deployed.finished(),
            "True/JobFinished False/Idle False/NotStalled False/Finished STABLE"),
        arguments(
            "aborted, the old job runs",
            Deployed.changed().operation(UPGRADE, ABORTED, 6L, 7),
            "False/Aborted False/Idle True/Aborted True/Running STABLE"),
        arguments(
            "rolled back",
            Deployed.changed()
                .reconciliation(ReconciliationState.ROLLED_BACK)
                .operation(ROLLBACK, SUCCEEDED, null, 7),
            "False/Aborted False/Idle True/Aborted True/Running ROLLED_BACK"),
        arguments(
            "failed, nothing is there",
            Deployed.changed().operation(UPGRADE, FAILED, 6L, 7).cluster(JobManager.MISSING),
            "False/OperationFailed False/Idle True/OperationFailed False/JobManagerMissing FAILED"),
        arguments(
            "an invalid spec, the last good one runs",
            Deployed.changed().invalid(),
            "False/InvalidSpec False/Idle True/InvalidSpec True/Running STABLE"),
        arguments(
            "an annotation that cannot be read, and the spec runs",
            Deployed.running().annotated("sluice.dev/stable-after", "soon"),
            "True/UpToDate False/Idle True/InvalidSpec True/Running STABLE"),
        arguments(
            "never valid",
            Deployed.created().invalid(),
            "False/InvalidSpec False/Idle True/InvalidSpec False/ClusterNotReady FAILED"),
        arguments(
            "the first deployment was aborted",
            Deployed.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(DEPLOY, ABORTED, null, 1),
            "False/Aborted False/Idle True/Aborted False/ClusterNotReady UPGRADING"));
  }

  /** FLINK-33803, FLINK-36890. */
  @Test
  void every_condition_is_about_the_newest_generation() {
    FlinkDeploymentStatus status = project(Deployed.changed());

    assertThat(status.conditions())
        .extracting(Condition::getObservedGeneration)
        .containsOnly(7L)
        .hasSize(4);
  }

  @Test
  void an_invalid_spec_is_explained_with_the_path_of_its_field_and_what_goes_on() {
    FlinkDeploymentStatus status = project(Deployed.changed().invalid());

    assertThat(status.condition("Stalled").orElseThrow().getMessage())
        .contains("Generation 7", "generation 6 stays deployed", "spec.serviceAccount");
  }

  @Test
  void what_is_wrong_also_stands_in_the_error_as_JSON() {
    FlinkDeploymentStatus status = project(Deployed.changed().invalid());

    assertThat(status.error()).startsWith("{\"type\":\"InvalidSpec\",\"message\":\"Generation 7");
  }

  @Test
  void a_parked_operation_is_explained_in_its_own_words_and_with_what_to_do() {
    FlinkDeploymentStatus status =
        project(
            Deployed.upgrading()
                .operation(UPGRADE, PARKED, 6L, 7)
                .operationSays("SavepointFailed", "no space left"));

    assertThat(status.condition("Stalled").orElseThrow().getMessage())
        .contains("no space left", "sluice.dev/retry", "sluice.dev/abort");
  }

  @Test
  void a_condition_keeps_its_time_while_its_status_stays() {
    Condition before =
        new Condition("2020-01-01T00:00:00Z", "old words", 6L, "ClusterNotReady", "True", "Ready");
    Deployed given = Deployed.running();
    given.status(given.resource().getStatus().withConditions(List.of(before)));

    Condition ready = project(given).condition("Ready").orElseThrow();

    assertThat(ready.getLastTransitionTime()).isEqualTo("2020-01-01T00:00:00Z");
  }

  @Test
  void a_condition_is_dated_when_its_status_flips() {
    Condition before =
        new Condition("2020-01-01T00:00:00Z", "old words", 6L, "Upgrading", "False", "Ready");
    Deployed given = Deployed.running();
    given.status(given.resource().getStatus().withConditions(List.of(before)));

    Condition ready = project(given).condition("Ready").orElseThrow();

    assertThat(ready.getLastTransitionTime()).isEqualTo("2026-11-21T10:00:00Z");
  }

  @Test
  void the_job_is_told_as_Flink_tells_it() {
    FlinkDeploymentStatus status = project(Deployed.running());

    assertThat(status.jobStatus().jobId()).isEqualTo(Deployed.JOB_ID);
    assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.RUNNING);
    assertThat(status.jobManagerDeploymentStatus()).isEqualTo(JobManagerDeploymentStatus.READY);
    assertThat(status.clusterInfo()).containsEntry("flink-version", "1.20.5");
  }

  @Test
  void the_scale_subresource_counts_the_TaskManagers_that_the_parallelism_needs() {
    FlinkDeploymentStatus status = project(Deployed.running());

    assertThat(status.taskManager().replicas()).isEqualTo(2);
    assertThat(status.taskManager().labelSelector()).isEqualTo("app=orders,component=taskmanager");
  }

  @Test
  void the_fields_of_the_workflow_are_left_alone() {
    FlinkDeploymentStatus status = project(Deployed.upgrading());

    assertThat(status.operation()).isNull();
    assertThat(status.reconciliationStatus()).isNull();
    assertThat(status.jobStatus().upgradeSavepointPath()).isNull();
  }

  private static FlinkDeploymentStatus project(Deployed given) {
    SeenDeployment snapshot = given.snapshot();
    Clock clock = Clock.fixed(Instant.parse("2026-11-21T10:00:00.5Z"), ZoneOffset.UTC);
    return new DeploymentProjection(clock).project(snapshot, DeploymentPlanner.decide(snapshot));
  }

  private static String words(FlinkDeploymentStatus status) {
    return status.conditions().stream()
            .map(c -> c.getStatus() + "/" + c.getReason())
            .collect(Collectors.joining(" "))
        + " "
        + status.lifecycleState();
  }
}
