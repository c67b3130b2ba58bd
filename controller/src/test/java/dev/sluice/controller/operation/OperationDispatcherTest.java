package dev.sluice.controller.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.OperationDispatcher.Dispatched;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.TemporalAnswers.Answer;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.controller.support.TemporalCallsStandIn;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.OperationInput;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How often Temporal is called. */
class OperationDispatcherTest {

  private static final Duration RETRY = ReconcileIntervals.defaults().temporalRetry();
  private static final Duration SPACING = ReconcileIntervals.defaults().resync();
  private static final Request ABORT = new Request(Request.Kind.ABORT, "stop it");

  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final TemporalCallsStandIn temporal = new TemporalCallsStandIn();
  private final OperationDispatcher dispatcher =
      new OperationDispatcher(temporal, clock, ReconcileIntervals.defaults());

  private Dispatched dispatch(ReconcileAction decision) {
    return dispatcher.dispatch(resource(1), decision, SPACING);
  }

  @Test
  void nothing_to_do_calls_nobody_and_needs_no_review() {
    assertThat(dispatch(new Nothing())).isEqualTo(new Dispatched(null, null));
    assertThat(temporal.calls()).isEmpty();
  }

  @Test
  void the_same_start_is_signalled_once_and_then_checked_once_in_each_interval() {
    dispatch(upgrade(7));
    for (int i = 0; i < 100; i++) {
      dispatch(upgrade(7));
    }
    assertThat(temporal.calls()).containsExactly("start orders-1");

    clock.forward(SPACING);
    dispatch(upgrade(7));
    dispatch(upgrade(7));

    assertThat(temporal.calls()).containsExactly("start orders-1", "check orders-1");
  }

  @Test
  void a_newer_generation_is_signalled_at_once() {
    dispatch(upgrade(7));
    dispatch(upgrade(8));

    assertThat(temporal.calls()).containsExactly("start orders-1", "start orders-1");
  }

  @Test
  void a_review_comes_when_the_next_check_is_due() {
    assertThat(dispatch(check()).review()).isEqualTo(SPACING);
    clock.forward(Duration.ofSeconds(10));

    assertThat(dispatch(check()).review()).isEqualTo(SPACING.minusSeconds(10));
  }

  @Test
  void a_call_that_failed_is_reported_and_made_again() {
    temporal.fails(refused());

    Dispatched failed = dispatch(upgrade(7));

    assertThat(failed.review()).isEqualTo(RETRY);
    assertThat(failed.learned().unavailable())
        .startsWith("Temporal at temporal:7233 refused the call: PERMISSION_DENIED");

    temporal.answers();
    assertThat(dispatch(upgrade(7)).learned()).isEqualTo(TemporalAnswers.NOTHING);
    assertThat(temporal.calls()).containsExactly("start orders-1", "start orders-1");
  }

  @Test
  void a_call_that_was_only_postponed_says_nothing_of_Temporal() {
    temporal.fails(TemporalFailure.notMade());

    Dispatched postponed = dispatch(upgrade(7));

    assertThat(postponed.learned()).isNull();
    assertThat(postponed.review()).isPositive();
  }

  /** The status with the answer may not have been written. */
  @Test
  void a_request_is_signalled_once_and_answered_each_time() {
    Map<Request, Answer> delivered = Map.of(ABORT, Answer.DELIVERED);
    Signal abort = new Signal(ABORT, upgrade(7).run());

    assertThat(dispatch(abort).learned().answers()).isEqualTo(delivered);
    dispatch(check());
    assertThat(dispatch(abort).learned().answers()).isEqualTo(delivered);

    assertThat(temporal.calls()).containsExactly("signal orders-1", "check orders-1");
  }

  @Test
  void a_request_without_a_run_is_answered_so() {
    temporal.hasNoRun();

    assertThat(dispatch(new Signal(ABORT, null)).learned().answers())
        .isEqualTo(Map.of(ABORT, Answer.NOT_OPEN));
  }

  @Test
  void a_request_that_brings_its_spec_along_signals_that_only_once() {
    dispatch(new Signal(ABORT, upgrade(7).run(), 7L));
    dispatch(upgrade(7));

    assertThat(temporal.calls()).containsExactly("signal orders-1");
  }

  @Test
  void what_is_spaced_for_one_resource_does_not_hold_another_one() {
    dispatch(upgrade(7));
    dispatcher.dispatch(resource(2), upgrade(7), SPACING);

    assertThat(temporal.calls()).containsExactly("start orders-1", "start orders-2");
  }

  @Test
  void a_resource_that_is_gone_leaves_nothing_behind() {
    dispatch(upgrade(7));
    dispatcher.forget(resource(1));
    dispatch(upgrade(7));

    assertThat(temporal.calls()).containsExactly("start orders-1", "start orders-1");
  }

  private static TemporalFailure refused() {
    return TemporalFailure.of("temporal:7233", Status.PERMISSION_DENIED.asRuntimeException());
  }

  private static ResourceRef resource(int number) {
    return new ResourceRef(
        "kubernetes-1", "FlinkDeployment", "default", "orders-" + number, "0000000" + number);
  }

  private static EnsureOpen upgrade(long generation) {
    return new EnsureOpen(run(generation), generation, false, null);
  }

  private static EnsureOpen check() {
    return new EnsureOpen(run(7), 7, true, null);
  }

  private static NewRun run(long generation) {
    OperationInput input = OperationInput.of(resource(1), generation, "summary");
    return new NewRun("Upgrade", OperationType.UPGRADE, input, "summary", "details");
  }
}
