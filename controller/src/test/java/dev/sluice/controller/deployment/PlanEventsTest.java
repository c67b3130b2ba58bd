package dev.sluice.controller.deployment;

import static dev.sluice.api.common.OperationState.PARKED;
import static dev.sluice.api.common.OperationState.RUNNING;
import static dev.sluice.api.common.OperationState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.status.ChangeEvents;
import dev.sluice.controller.status.PlanEvents;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of an operation that has begun. */
class PlanEventsTest {

  private static final String PLAN = "To generation 7. The job runs; it is stopped.";

  static Stream<Arguments> operations() {
    return Stream.of(
        arguments(OperationType.DEPLOY, "Submit"),
        arguments(OperationType.UPGRADE, "SpecChanged"),
        arguments(OperationType.SUSPEND, "SpecChanged"),
        arguments(OperationType.RESUME, "Submit"),
        arguments(OperationType.ROLLBACK, "Rollback"),
        arguments(OperationType.RECOVER, "RecoverDeployment"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void says_what_was_decided(OperationType type, String reason) {
    Deployed given = Deployed.upgrading().operation(type, RUNNING, 6L, 7).planned(PLAN);

    assertThat(PlanEvents.of(given.snapshot()))
        .map(event -> event.reason() + ": " + event.message())
        .contains(reason + ": " + PLAN);
  }

  @Test
  void a_job_that_was_not_healthy_is_told_as_such() {
    Deployed given =
        Deployed.running().operation(OperationType.RECOVER, RUNNING, 6L, 6).planned(PLAN);
    given.status(
        given
            .resource()
            .getStatus()
            .withRecovery(new RecoveryStatus(1, null, RecoveryCause.UNHEALTHY)));

    assertThat(PlanEvents.of(given.snapshot()))
        .map(StatusEvent::reason)
        .contains("RestartUnhealthyJob");
  }

  @Test
  void without_a_decision_there_is_nothing_to_tell() {
    assertThat(PlanEvents.of(Deployed.changed().snapshot())).isEmpty();
    assertThat(PlanEvents.of(Deployed.upgrading().snapshot())).isEmpty();
    assertThat(PlanEvents.of(Deployed.upgrading().planned(PLAN).deleted().snapshot())).isEmpty();
  }

  @Test
  void the_same_decision_is_the_same_event_and_another_one_is_another() {
    Deployed given = Deployed.upgrading().planned(PLAN);
    StatusEvent first = PlanEvents.of(given.snapshot()).orElseThrow();
    given.operation(OperationType.UPGRADE, PARKED, 6L, 7).planned(PLAN);
    StatusEvent parked = PlanEvents.of(given.snapshot()).orElseThrow();
    given.planned("Its newest checkpoint is kept.");
    StatusEvent anew = PlanEvents.of(given.snapshot()).orElseThrow();

    assertThat(parked.subject()).isEqualTo(first.subject());
    assertThat(parked.at()).isEqualTo(first.at());
    assertThat(anew.subject()).isNotEqualTo(first.subject());
  }

  @Test
  void a_decision_that_was_made_anew_is_dated_with_its_own_time() {
    Deployed given = Deployed.upgrading().planned(PLAN);
    Instant frozen = PlanEvents.of(given.snapshot()).orElseThrow().at();
    Instant anew = frozen.plusSeconds(90).truncatedTo(ChronoUnit.SECONDS);
    var status = given.resource().getStatus();
    given.status(
        status.withOperation(
            status.operation().withPlan("It is cancelled.").withPlannedAt(anew.toString())));

    assertThat(PlanEvents.of(given.snapshot())).map(event -> event.at()).contains(anew);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", ""})
  void a_time_that_cannot_be_read_is_that_of_the_frozen_spec(String unreadable) {
    Deployed given = Deployed.upgrading().planned(PLAN);
    Instant frozen = PlanEvents.of(given.snapshot()).orElseThrow().at();
    var status = given.resource().getStatus();
    given.status(status.withOperation(status.operation().withPlannedAt(unreadable)));

    assertThat(PlanEvents.of(given.snapshot())).map(event -> event.at()).contains(frozen);
  }

  @Test
  void an_operation_that_has_ended_is_told_unless_that_is_long_ago() {
    Deployed given =
        Deployed.running().operation(OperationType.SUSPEND, SUCCEEDED, 6L, 6).planned(PLAN);

    assertThat(PlanEvents.of(given.later(Duration.ofMinutes(29)).snapshot())).isPresent();
    assertThat(PlanEvents.of(given.later(Duration.ofMinutes(31)).snapshot())).isEmpty();
  }

  /** It is compared with the spec that it replaces, when it is seen first. */
  @Test
  void a_new_spec_is_told_once_with_what_it_changes() {
    SeenDeployment changed = Deployed.changed().snapshot();
    var status = Deployed.PROJECTION.project(changed, JobPlanner.decide(changed));
    Deployed again = Deployed.changed();
    again.status(again.resource().getStatus().withObservedGeneration(7L));

    assertThat(new ChangeEvents(changed, status).spec())
        .map(event -> event.reason() + ": " + event.message())
        .singleElement()
        .asString()
        .startsWith("SpecChanged: Generation 7: spec.image: ");
    assertThat(new ChangeEvents(again.snapshot(), status).spec()).isEmpty();
  }
}
