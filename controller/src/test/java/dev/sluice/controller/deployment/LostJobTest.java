package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static dev.sluice.api.common.OperationType.RECOVER;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.Request;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** When the controller starts a Recover, and what the status says meanwhile. */
class LostJobTest {

  private static final String MISSING = "kubernetes.operator.jm-deployment-recovery.enabled";
  private static final String FAILED = "kubernetes.operator.job.restart.failed";

  private static final String HEALTH = "kubernetes.operator.cluster.health-check.enabled";

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"missing", "withoutTaskManagers", "failed", "givenUp", "unhealthy", "open"})
  void one_decision_for_each_snapshot(String name, Deployed given, String expected) {
    assertThat(DecisionText.of(given)).isEqualTo(expected);
  }

  static Stream<Arguments> missing() {
    return Stream.of(
        arguments("its JobManager is missing", missingOne(), "Recover 6 unless open"),
        arguments("recovery is off", missingOne().configured(MISSING, "false"), "nothing"),
        arguments(
            "recovery is off, retry",
            missingOne().configured(MISSING, "false").annotated(new Request.Retry("now")),
            "Upgrade 6 for retry now"),
        arguments(
            "retry", missingOne().annotated(new Request.Retry("now")), "Recover 6 for retry now"),
        arguments("a newer spec goes first", missingOne().generation(7).image("f"), "Upgrade 7"),
        arguments(
            "the newest spec is not valid",
            missingOne().generation(7).invalid(),
            "Recover 7 unless open"),
        arguments(
            "the newest spec was given up",
            missingOne().generation(7).image("f").operation(UPGRADE, ABORTED, 6L, 7),
            "Recover 7 unless open"),
        arguments(
            "an operation is open",
            missingOne()
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(UPGRADE, RUNNING, 5L, 6),
            "Upgrade 6 unless open"),
        arguments("it is being deleted", missingOne().deleted(), "Delete 6"),
        arguments("it has finished", last(missingOne(), FlinkJobState.FINISHED), "nothing"),
        arguments("it was cancelled", last(missingOne(), FlinkJobState.CANCELED), "nothing"),
        arguments("it had failed", last(missingOne(), FlinkJobState.FAILED), "nothing"),
        arguments(
            "it had failed, and failed jobs are restarted",
            last(missingOne(), FlinkJobState.FAILED).configured(FAILED, "true"),
            "Recover 6 unless open"),
        arguments(
            "a person gave it up", missingOne().operation(RECOVER, ABORTED, null, 6), "nothing"),
        arguments(
            "a person gave it up, and asks for it again",
            missingOne().operation(RECOVER, ABORTED, null, 6).annotated(new Request.Retry("now")),
            "Recover 6 for retry now"),
        arguments(
            "it was recovered before",
            missingOne().operation(RECOVER, SUCCEEDED, null, 6),
            "Recover 6 unless open"),
        arguments(
            "its JobManager starts", Deployed.running().cluster(JobManager.STARTING), "nothing"));
  }

  static Stream<Arguments> failed() {
    Deployed restarting = Deployed.running().configured(FAILED, "true");
    return Stream.of(
        arguments(
            "it has failed", Deployed.running().failed("no such topic"), "Finish 6 unless open"),
        arguments(
            "failed jobs are restarted",
            restarting.failed("no such topic"),
            "Recover 6 unless open"),
        arguments(
            "it is not known why yet",
            Deployed.running().configured(FAILED, "true").job(FlinkJobState.FAILED, false),
            "nothing"),
        arguments(
            "it was cancelled",
            Deployed.running().configured(FAILED, "true").job(FlinkJobState.CANCELED, false),
            "Finish 6 unless open"),
        arguments(
            "its JobManager was restarted, and remembers that it has failed",
            forgotten(Deployed.highlyAvailable()),
            "Recover 6 unless open"),
        arguments(
            "its JobManager was restarted, and runs it again",
            forgotten(Deployed.running()),
            "nothing"));
  }

  static Stream<Arguments> givenUp() {
    return Stream.of(
        arguments("this loss", givenUp(RecoveryCause.JOB_MANAGER_MISSING, missingOne()), "nothing"),
        arguments(
            "another loss",
            givenUp(RecoveryCause.UNHEALTHY, missingOne()),
            "Recover 6 unless open"),
        arguments(
            "a job that has failed, and whose JobManager is deleted",
            givenUp(
                RecoveryCause.JOB_FAILED,
                last(missingOne(), FlinkJobState.FAILED).configured(FAILED, "true")),
            "nothing"),
        arguments(
            "a job that runs again since",
            begun(
                givenUp(RecoveryCause.JOB_MANAGER_MISSING, missingOne()),
                Deployed.NOW.plusSeconds(1)),
            "Recover 6 unless open"),
        arguments(
            "a job that runs since before",
            begun(
                givenUp(RecoveryCause.JOB_MANAGER_MISSING, missingOne()),
                Deployed.NOW.minusSeconds(1)),
            "nothing"));
  }

  private static Deployed givenUp(RecoveryCause cause, Deployed given) {
    FlinkDeploymentStatus status =
        given.operation(RECOVER, ABORTED, null, 6).resource().getStatus();
    return given.status(
        status
            .withOperation(status.operation().withSince(Deployed.NOW.toString()))
            .withRecovery(new RecoveryStatus(5, null, cause)));
  }

  private static Deployed begun(Deployed given, Instant at) {
    return given.jobStatus(JobStatus.EMPTY.withStartTime(Long.toString(at.toEpochMilli())));
  }

  /** What was seen last is the end of the job before, because nobody looked since. */
  @Test
  void the_end_of_the_job_before_does_not_hide_the_loss_of_the_new_one() {
    Deployed given = ended("another", missingOne());

    assertThat(DecisionText.of(given)).isEqualTo("Recover 6 unless open");
    assertThat(projected(given).condition("Ready").orElseThrow().getStatus()).isEqualTo("False");
    assertThat(DecisionText.of(ended(Deployed.JOB_ID, missingOne()))).isEqualTo("nothing");
  }

  private static Deployed ended(String jobId, Deployed given) {
    FlinkDeploymentStatus status = given.resource().getStatus();
    return given.status(
        status
            .withJobStatus(JobStatus.EMPTY.withJobId(jobId).withState(FlinkJobState.FINISHED))
            .withRecordedState(
                new RecordedState(
                    RecordedState.Type.EMPTY, null, "stateless", null, Deployed.JOB_ID)));
  }

  private static Deployed forgotten(Deployed given) {
    return failedBefore(given).job(new Answered(Optional.empty(), Map.of()));
  }

  private static Deployed failedBefore(Deployed given) {
    return given
        .configured(FAILED, "true")
        .jobStatus(JobStatus.EMPTY.withJobId(Deployed.JOB_ID).withState(FlinkJobState.FAILED));
  }

  /** Otherwise nothing would tell that it has failed, once its JobManager answers again. */
  @Test
  void a_failed_job_stays_so_while_its_JobManager_is_restarted_with_high_availability() {
    assertThat(silent(failedBefore(Deployed.highlyAvailable()))).isEqualTo(FlinkJobState.FAILED);
    assertThat(silent(failedBefore(Deployed.running()))).isEqualTo(FlinkJobState.RECONCILING);
  }

  private static FlinkJobState silent(Deployed given) {
    return projected(given.cluster(JobManager.STARTING)).jobStatus().state();
  }

  /** Its JobManager is not stopped: a person has given another loss up. */
  @Test
  void a_job_that_fails_after_another_recovery_was_aborted_is_recovered() {
    Deployed failed = Deployed.running().configured(FAILED, "true").failed("no such topic");

    assertThat(DecisionText.of(givenUp(RecoveryCause.UNHEALTHY, failed)))
        .isEqualTo("Recover 6 unless open");
    assertThat(DecisionText.of(givenUp(RecoveryCause.JOB_FAILED, failed)))
        .isEqualTo("Finish 6 unless open");
  }

  static Stream<Arguments> withoutTaskManagers() {
    Deployed stuck = Deployed.running().job(FlinkJobState.RESTARTING, false).withoutTaskManagers();
    return Stream.of(
        arguments("its TaskManagers are missing", stuck, "Recover 6 unless open"),
        arguments(
            "recovery is off",
            Deployed.running()
                .configured(MISSING, "false")
                .job(FlinkJobState.RESTARTING, false)
                .withoutTaskManagers(),
            "nothing"),
        arguments("its tasks still run", Deployed.running().withoutTaskManagers(), "nothing"),
        arguments(
            "it has finished",
            Deployed.running().withoutTaskManagers().job(FlinkJobState.FINISHED, false),
            "Finish 6 unless open"));
  }

  static Stream<Arguments> unhealthy() {
    return Stream.of(
        arguments("it is healthy", Deployed.running().configured(HEALTH, "true"), "nothing"),
        arguments(
            "it restarts all the time",
            Deployed.running().configured(HEALTH, "true").unhealthy("restarts"),
            "Recover 6 unless open"),
        arguments("nobody wants to know", Deployed.running().unhealthy("restarts"), "nothing"),
        arguments(
            "an operation is open",
            Deployed.running()
                .configured(HEALTH, "true")
                .unhealthy("restarts")
                .operation(RECOVER, RUNNING, null, 6),
            "Recover 6 unless open"));
  }

  static Stream<Arguments> open() {
    return Stream.of(
        arguments(
            "its run is lost before it has begun",
            missingOne().operation(RECOVER, RUNNING, null, 6),
            "Recover 6 unless open"),
        arguments(
            "its run is lost after it has begun",
            missingOne()
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(RECOVER, RUNNING, null, 6),
            "Recover 6 unless open"),
        arguments(
            "parked", missingOne().operation(RECOVER, PARKED, null, 6), "Recover 6 unless open"),
        arguments(
            "parked beside a spec that was given up",
            missingOne().generation(7).image("f").operation(RECOVER, PARKED, 7L, 6),
            "Recover 7 unless open"),
        arguments(
            "parked, and a newer spec comes",
            missingOne().generation(7).image("f").operation(RECOVER, PARKED, null, 6),
            "Upgrade 7"),
        arguments(
            "ended beside a spec that was given up, which stays given up",
            Deployed.changed().operation(RECOVER, SUCCEEDED, 7L, 6),
            "nothing"));
  }

  @Test
  void a_run_is_told_what_is_lost() {
    Start start = (Start) DeploymentPlanner.decide(missingOne().snapshot());

    assertThat(start.run().loss())
        .isEqualTo(
            new Loss(RecoveryCause.JOB_MANAGER_MISSING, "the JobManager Deployment is missing"));
    assertThat(start.run().summary()).isEqualTo("recover default/orders 6");
    assertThat(start.run().details()).contains("the JobManager Deployment is missing");
  }

  @Test
  void a_run_is_told_which_job_is_not_healthy() {
    Deployed given = Deployed.running().configured(HEALTH, "true").unhealthy("restarts");

    Start start = (Start) DeploymentPlanner.decide(given.snapshot());

    assertThat(start.run().loss())
        .isEqualTo(
            new Loss(
                RecoveryCause.UNHEALTHY,
                "restarts",
                new SeenUnhealthy(Deployed.JOB_ID, null, 120_000L)));
  }

  @Test
  void a_run_that_takes_another_over_is_told_what_that_one_was_for() {
    Deployed given =
        Deployed.running()
            .reconciliation(ReconciliationState.UPGRADING)
            .operation(RECOVER, RUNNING, null, 6);
    FlinkDeploymentStatus status = given.resource().getStatus();
    given.status(
        status
            .withOperation(status.operation().withSince(Deployed.NOW.toString()))
            .withRecovery(new RecoveryStatus(2, null, RecoveryCause.UNHEALTHY)));

    Start start = (Start) DeploymentPlanner.decide(given.snapshot());

    assertThat(start.run().loss())
        .isEqualTo(
            new Loss(
                RecoveryCause.UNHEALTHY,
                "its run was lost",
                new SeenUnhealthy(Deployed.JOB_ID, Deployed.NOW.toEpochMilli())));
  }

  @Test
  void the_status_says_that_it_is_recovering() {
    FlinkDeploymentStatus status =
        projected(
            missingOne()
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(RECOVER, RUNNING, null, 6));

    assertThat(status.condition("Progressing").orElseThrow().getReason()).isEqualTo("Recovering");
    assertThat(status.condition("Ready").orElseThrow().getReason()).isEqualTo("Recovering");
    assertThat(status.lifecycleState()).isEqualTo(LifecycleState.UPGRADING);
  }

  @Test
  void a_job_that_waits_for_its_next_attempt_is_not_being_upgraded() {
    FlinkDeploymentStatus status = projected(missingOne().operation(RECOVER, RUNNING, null, 6));

    assertThat(status.lifecycleState()).isEqualTo(LifecycleState.DEPLOYED);
  }

  /** Otherwise the next look would take it for a job that is to run. */
  @Test
  void a_job_that_had_ended_stays_so_when_its_JobManager_is_deleted() {
    FlinkDeploymentStatus status = projected(last(missingOne(), FlinkJobState.CANCELED));

    assertThat(status.jobStatus().state()).isEqualTo(FlinkJobState.CANCELED);
  }

  private static FlinkDeploymentStatus projected(Deployed given) {
    return new DeploymentProjection(Clock.fixed(Deployed.NOW, ZoneOffset.UTC))
        .project(given.snapshot(), new Nothing());
  }

  private static Deployed missingOne() {
    return Deployed.running().cluster(JobManager.MISSING);
  }

  private static Deployed last(Deployed given, FlinkJobState state) {
    return given.status(
        given.resource().getStatus().withJobStatus(JobStatus.EMPTY.withState(state)));
  }
}
