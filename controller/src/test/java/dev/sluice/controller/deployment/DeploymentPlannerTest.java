package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.ABORTED;
import static dev.sluice.api.common.OperationState.FAILED;
import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static dev.sluice.api.common.OperationType.DELETE;
import static dev.sluice.api.common.OperationType.DEPLOY;
import static dev.sluice.api.common.OperationType.UPGRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.JobManagerDeploymentStatus;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.deployment.Decision.Start;
import dev.sluice.controller.deployment.WorkflowState.Answer;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeploymentPlannerTest {

  private static final WorkflowState KNOWN_NOT_FRESH =
      new WorkflowState(7L, false, false, Map.of(), null);

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"specs", "operations", "requests", "deletions"})
  void one_decision_for_each_situation(String name, Deployed given, String expected) {
    assertThat(words(DeploymentPlanner.decide(given.situation()))).isEqualTo(expected);
  }

  static Stream<Arguments> specs() {
    return Stream.of(
        arguments("new", Deployed.created(), "Deploy 1"),
        arguments("new, Temporal was told", Deployed.created().told(1), "nothing"),
        arguments(
            "new, told, not heard of since",
            Deployed.created().lane(new WorkflowState(1L, false, false, Map.of(), null)),
            "Deploy 1 unless open"),
        arguments("new and invalid", Deployed.created().invalid(), "refuse spec.serviceAccount"),
        arguments("unchanged", Deployed.running(), "nothing"),
        arguments("unchanged, newer generation", Deployed.running().generation(9), "nothing"),
        arguments("changed", Deployed.changed(), "Upgrade 7"),
        arguments("changed, told of an older one", Deployed.changed().told(6), "Upgrade 7"),
        arguments("changed, told", Deployed.changed().told(7), "nothing"),
        arguments(
            "changed, told, not heard of since",
            Deployed.changed().lane(KNOWN_NOT_FRESH),
            "Upgrade 7 unless open"),
        arguments(
            "changed and invalid", Deployed.changed().invalid(), "refuse spec.serviceAccount"),
        arguments("given up", Deployed.changed().operation(UPGRADE, ABORTED, 6L, 7), "nothing"),
        arguments("failed", Deployed.changed().operation(UPGRADE, FAILED, 6L, 7), "nothing"),
        arguments(
            "given up, then changed again",
            Deployed.changed().operation(UPGRADE, ABORTED, 6L, 7).generation(8),
            "Upgrade 8"),
        arguments(
            "the first deployment was given up, then changed",
            Deployed.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(DEPLOY, ABORTED, null, 1)
                .image("flink:2.2")
                .generation(2),
            "Deploy 2"));
  }

  static Stream<Arguments> operations() {
    Deployed lost =
        Deployed.running()
            .reconciliation(ReconciliationState.UPGRADING)
            .operation(UPGRADE, RUNNING, 5L, 6);
    return Stream.of(
        arguments("at work, after a restart of the controller", lost, "Upgrade 6 unless open"),
        arguments(
            "at work, seen open a moment ago",
            inFlight().lane(new WorkflowState(null, false, true, Map.of(), null)),
            "nothing"),
        arguments(
            "at work for the first time",
            Deployed.created()
                .frozen(1)
                .reconciliation(ReconciliationState.UPGRADING)
                .operation(DEPLOY, RUNNING, null, 1),
            "Deploy 1 unless open"),
        arguments("begun by Apache's operator", inFlight().noOperation(), "Upgrade 6 unless open"),
        arguments(
            "at work, and the spec changes",
            inFlight().image("flink:2.2").generation(7),
            "Upgrade 7"),
        arguments(
            "at work, a newer generation that may matter to it, though nothing to deploy",
            inFlight().generation(7),
            "Upgrade 7"),
        arguments(
            "at work, told of the newer one",
            inFlight().image("flink:2.2").generation(7).told(7),
            "nothing"),
        arguments(
            "at work, told of the newer one, not heard of since",
            inFlight().image("flink:2.2").generation(7).lane(KNOWN_NOT_FRESH),
            "Upgrade 7 unless open"),
        arguments(
            "at work, and the newest spec is invalid: its run is looked after",
            inFlight().invalid().generation(7),
            "Upgrade 6 unless open"),
        arguments(
            "at work and looked after, and the newest spec is invalid",
            inFlight().invalid().generation(7).told(6),
            "refuse spec.serviceAccount"),
        arguments(
            "parked and corrected",
            inFlight().operation(UPGRADE, PARKED, 5L, 6).image("flink:2.2").generation(7),
            "Upgrade 7"),
        arguments("parked", inFlight().operation(UPGRADE, PARKED, 5L, 6).told(6), "nothing"));
  }

  static Stream<Arguments> requests() {
    Request abort = new Request.Abort("wrong image");
    Request retry = new Request.Retry("again");
    return Stream.of(
        arguments("abort", inFlight().told(6).annotated(abort), "abort wrong image"),
        arguments("blank", inFlight().told(6).annotated("sluice.dev/abort", " "), "nothing"),
        arguments(
            "abort, answered, not in the status yet",
            inFlight().told(6).annotated(abort).lane(answered(abort, Answer.DELIVERED)),
            "nothing"),
        arguments(
            "abort, handled",
            inFlight().told(6).annotated(abort).handled("wrong image", null),
            "nothing"),
        arguments(
            "another abort",
            inFlight().told(6).annotated(abort).handled("an earlier one", null),
            "abort wrong image"),
        arguments(
            "retry while parked",
            inFlight().operation(UPGRADE, PARKED, 5L, 6).annotated(retry),
            "retry again"),
        arguments(
            "retry after it was given up",
            Deployed.changed().operation(UPGRADE, ABORTED, 6L, 7).told(7).annotated(retry),
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
            "abort together with the spec it is about",
            Deployed.changed().annotated(abort),
            "Upgrade 7"),
        arguments(
            "abort, once the spec it is about was told",
            Deployed.changed().told(7).annotated(abort),
            "abort wrong image"),
        arguments(
            "abort and retry", inFlight().annotated(abort).annotated(retry), "abort wrong image"),
        arguments(
            "abort with an invalid newest spec",
            inFlight().invalid().generation(7).annotated(abort),
            "abort wrong image"));
  }

  static Stream<Arguments> deletions() {
    return Stream.of(
        arguments("deleted", Deployed.running().deleted(), "Delete 6"),
        arguments("deleted while at work", inFlight().told(6).deleted(), "Delete 6"),
        arguments(
            "deleted, told",
            Deployed.running().deleted().lane(new WorkflowState(6L, true, true, Map.of(), null)),
            "nothing"),
        arguments(
            "deleted, told, not heard of since",
            Deployed.running().deleted().lane(new WorkflowState(6L, true, false, Map.of(), null)),
            "Delete 6 unless open"),
        arguments(
            "Delete at work, after a restart of the controller",
            Deployed.running().deleted().operation(DELETE, RUNNING, 6L, 6),
            "Delete 6 unless open"),
        arguments(
            "all is gone",
            Deployed.running().deleted().operation(DELETE, SUCCEEDED, 6L, 6),
            "let go"),
        arguments(
            "an earlier instance's Delete does not count",
            deletedByAnother(),
            "Delete 6 unless open"),
        arguments("deleted before anything began", Deployed.created().deleted(), "let go"),
        arguments("deleted, was never valid", Deployed.created().invalid().deleted(), "let go"),
        arguments(
            "deleted right after Deploy was sent",
            Deployed.created().told(1).deleted(),
            "Delete 1"),
        arguments(
            "deleted, nothing began, but a cluster is there",
            Deployed.created().deleted().cluster(JobManagerDeploymentStatus.DEPLOYING),
            "Delete 1"),
        arguments(
            "by force",
            inFlight().deleted().annotated("sluice.dev/force-delete", "true"),
            "let go by force"),
        arguments(
            "force without a deletion means nothing",
            Deployed.running().annotated("sluice.dev/force-delete", "true"),
            "nothing"),
        arguments(
            "an abort is not for a deletion",
            Deployed.running().deleted().annotated("sluice.dev/abort", "no"),
            "Delete 6"));
  }

  @Test
  void a_run_says_in_one_line_what_it_is_for() {
    Start start = (Start) DeploymentPlanner.decide(Deployed.changed().situation());

    assertThat(start.summary()).isEqualTo("upgrade default/orders 6 -> 7");
  }

  @Test
  void a_first_run_says_which_generation_it_deploys() {
    Start start = (Start) DeploymentPlanner.decide(Deployed.created().situation());

    assertThat(start.summary()).isEqualTo("deploy default/orders 1");
  }

  @Test
  void the_details_of_an_upgrade_list_what_changed() {
    Start start = (Start) DeploymentPlanner.decide(Deployed.changed().situation());

    assertThat(start.details()).contains("default/orders", "generation 7", "Changed fields", "* ");
  }

  private static Deployed inFlight() {
    return Deployed.running()
        .reconciliation(ReconciliationState.UPGRADING)
        .operation(UPGRADE, RUNNING, 5L, 6);
  }

  private static Deployed deletedByAnother() {
    Deployed given = Deployed.running().deleted().operation(DELETE, SUCCEEDED, 6L, 6);
    return given.status(
        given
            .resource()
            .getStatus()
            .withOperation(
                given.resource().getStatus().operation().withWorkflowId("another-lane")));
  }

  private static WorkflowState answered(Request request, Answer answer) {
    return new WorkflowState(6L, false, true, Map.of(request, answer), null);
  }

  private static String words(Decision decision) {
    if (decision instanceof Start start) {
      return start.type()
          + " "
          + start.generation()
          + (start.unlessOpen() ? " unless open" : "")
          + (start.answering() == null ? "" : " for retry " + start.answering().text());
    }
    if (decision instanceof Decision.Signal signal) {
      boolean abort = signal.request() instanceof Request.Abort;
      return (abort ? "abort " : "retry ") + signal.request().text();
    }
    if (decision instanceof Decision.Refuse refuse) {
      return "refuse "
          + String.join(", ", refuse.violations().stream().map(Violation::path).toList());
    }
    if (decision instanceof Decision.RemoveFinalizer remove) {
      return remove.forced() ? "let go by force" : "let go";
    }
    return "nothing";
  }
}
