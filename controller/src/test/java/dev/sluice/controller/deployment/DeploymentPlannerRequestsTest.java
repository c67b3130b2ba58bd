package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.BLOCKED;
import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static dev.sluice.api.common.OperationType.RECOVER;
import static dev.sluice.api.common.OperationType.ROLLBACK;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.ReconciliationState;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.WorkflowState.Answer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeploymentPlannerRequestsTest {

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"requests", "rollbacks", "missing"})
  void one_decision_for_each_request(String name, Deployed given, String expected) {
    assertThat(DecisionText.of(given)).isEqualTo(expected);
  }

  static Stream<Arguments> rollbacks() {
    Request rollback = new Request.Rollback("wrong totals");
    return Stream.of(
        arguments(
            "rollback of what is deployed",
            Deployed.running().annotated(rollback),
            "rollback wrong totals else Rollback 6"),
        arguments(
            "rollback of what was given up",
            Deployed.changed().operation(UPGRADE, ABORTED, 6L, 7).annotated(rollback),
            "rollback wrong totals else Rollback 7"),
        arguments(
            "rollback during an upgrade is an abort",
            inFlight().annotated(rollback),
            "rollback wrong totals else Upgrade 6"),
        arguments(
            "rollback, handled",
            Deployed.running().annotated(rollback).handledRollback("wrong totals"),
            "nothing"),
        arguments(
            "another rollback",
            Deployed.running().annotated(rollback).handledRollback("an earlier one"),
            "rollback wrong totals else Rollback 6"),
        arguments(
            "rollback that came with the manifest",
            Deployed.created().annotated(rollback),
            "Deploy 1"));
  }

  @Test
  void only_the_run_that_goes_back_is_asked_by_the_user() {
    Request rollback = new Request.Rollback("wrong totals");

    assertThat(otherwise(Deployed.running().annotated(rollback)).retry()).isTrue();
    assertThat(otherwise(inFlight().annotated(rollback)).retry()).isFalse();
  }

  private static NewRun otherwise(Deployed given) {
    return ((Signal) DeploymentPlanner.decide(given.snapshot())).otherwise();
  }

  static Stream<Arguments> requests() {
    Request abort = new Request.Abort("wrong image");
    Request retry = new Request.Retry("again");
    return Stream.of(
        arguments("abort", inFlight().annotated(abort), "abort wrong image else Upgrade 6"),
        arguments("blank", inFlight().annotated("sluice.dev/abort", " "), "Upgrade 6 unless open"),
        arguments(
            "abort, answered, not in the status yet",
            inFlight().annotated(abort).answered(abort, Answer.DELIVERED),
            "Upgrade 6 unless open"),
        arguments(
            "abort, handled",
            inFlight().annotated(abort).handled("wrong image", null),
            "Upgrade 6 unless open"),
        arguments(
            "another abort",
            inFlight().annotated(abort).handled("an earlier one", null),
            "abort wrong image else Upgrade 6"),
        arguments(
            "abort while the run that the status tells of may be lost",
            inFlight().annotated(abort),
            "abort wrong image else Upgrade 6"),
        arguments(
            "abort of a rollback that may be lost",
            inFlight()
                .reconciliation(ReconciliationState.ROLLING_BACK)
                .operation(ROLLBACK, RUNNING, 7L, 6)
                .annotated(abort),
            "abort wrong image else Rollback 7"),
        arguments(
            "abort that came with the manifest", Deployed.created().annotated(abort), "Deploy 1"),
        arguments(
            "retry that came with the manifest", Deployed.created().annotated(retry), "Deploy 1"),
        arguments(
            "abort of the first deployment",
            Deployed.created().seenBefore().annotated(abort),
            "abort wrong image else Deploy 1"),
        arguments(
            "retry while parked",
            inFlight().operation(UPGRADE, PARKED, 5L, 6).annotated(retry),
            "retry again else Upgrade 6"),
        arguments(
            "retry while blocked",
            inFlight().operation(UPGRADE, BLOCKED, 5L, 6).annotated(retry),
            "retry again else Upgrade 6"),
        arguments(
            "retry after it was given up",
            Deployed.changed().operation(UPGRADE, ABORTED, 6L, 7).annotated(retry),
            "Upgrade 7 for retry again"),
        arguments(
            "retry after it was given up, done",
            Deployed.changed()
                .operation(UPGRADE, ABORTED, 6L, 7)
                .annotated(retry)
                .handled(null, "again"),
            "nothing"),
        arguments("retry with nothing at work", Deployed.running().annotated(retry), "retry again"),
        arguments(
            "abort with nothing at work", Deployed.running().annotated(abort), "abort wrong image"),
        arguments(
            "abort together with the spec it is about",
            Deployed.changed().annotated(abort),
            "abort wrong image else Upgrade 7"),
        arguments(
            "abort and retry",
            inFlight().annotated(abort).annotated(retry),
            "abort wrong image else Upgrade 6"),
        arguments(
            "abort with an invalid newest spec",
            inFlight().invalid().generation(7).annotated(abort),
            "abort wrong image else Upgrade 6"),
        arguments(
            "where to restore from is no request",
            Deployed.running().annotated("sluice.dev/restore-from", "s3://b/savepoint-1"),
            "nothing"));
  }

  static Stream<Arguments> missing() {
    Request retry = new Request.Retry("bring it back");
    Deployed missing = notRecovered(Deployed.running());
    return Stream.of(
        arguments("the JobManager Deployment was deleted", missing, "nothing"),
        arguments(
            "the JobManager Deployment was deleted, and retry",
            notRecovered(Deployed.running()).annotated(retry),
            "Upgrade 6 for retry bring it back"),
        arguments(
            "the JobManager Deployment was deleted, retry, but the newest spec is invalid",
            notRecovered(Deployed.running()).frozen(6).generation(7).invalid().annotated(retry),
            "retry bring it back"),
        arguments(
            "the JobManager Deployment was deleted beside a spec that was given up, retry",
            givenUp(notRecovered(Deployed.running())).annotated(retry),
            "Upgrade 7 for retry bring it back"),
        arguments(
            "a recovery was aborted beside a spec that was given up, retry",
            Deployed.changed()
                .cluster(JobManager.MISSING)
                .operation(RECOVER, ABORTED, 7L, 6)
                .annotated(retry),
            "Recover 7 for retry bring it back"));
  }

  /** So that nobody starts the bad one because it was not said. */
  @Test
  void the_message_says_which_spec_a_retry_starts() {
    assertThat(missing(givenUp(notRecovered(Deployed.running()))))
        .contains("sluice.dev/retry upgrades to generation 7", "generation 6 again");
    assertThat(missing(notRecovered(Deployed.running()))).contains("To start the job again");
  }

  private static String missing(Deployed given) {
    return DeploymentConditions.jobManagerMissing(given.snapshot());
  }

  private static Deployed givenUp(Deployed given) {
    return given.frozen(6).stable(6).generation(7).image("f").operation(ROLLBACK, SUCCEEDED, 7L, 6);
  }

  private static Deployed notRecovered(Deployed given) {
    return given
        .configured("kubernetes.operator.jm-deployment-recovery.enabled", "false")
        .cluster(JobManager.MISSING);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_run_knows_whether_a_person_asked_to_retry(boolean retry) {
    Request request = retry ? new Request.Retry("again") : new Request.Abort("no");

    ReconcileAction decision = DeploymentPlanner.decide(inFlight().annotated(request).snapshot());

    assertThat(((ReconcileAction.Signal) decision).otherwise().retry()).isEqualTo(retry);
  }

  @Test
  void a_missing_JobManager_is_brought_back_by_a_run_that_knows_a_person_asked_for_it() {
    Start start =
        (Start)
            DeploymentPlanner.decide(
                notRecovered(Deployed.running())
                    .annotated(new Request.Retry("bring it back"))
                    .snapshot());

    assertThat(start.run().type()).isEqualTo(UPGRADE);
    assertThat(start.run().retry()).isTrue();
  }

  private static Deployed inFlight() {
    return Deployed.running()
        .reconciliation(ReconciliationState.UPGRADING)
        .operation(UPGRADE, RUNNING, 5L, 6);
  }
}
