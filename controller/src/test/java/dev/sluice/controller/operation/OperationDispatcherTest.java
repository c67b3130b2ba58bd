package dev.sluice.controller.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.controller.support.TemporalCallsStandIn;
import dev.sluice.workflows.model.ResourceRef;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How often Temporal is called, above all while it does not answer or refuses. */
class OperationDispatcherTest {

  private static final Duration RETRY = ReconcileIntervals.defaults().temporalRetry();
  private static final Request ABORT = new Request.Abort("stop it");

  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final TemporalCallsStandIn temporal = new TemporalCallsStandIn();
  private final AtomicInteger done = new AtomicInteger();
  private final OperationDispatcher dispatcher =
      new OperationDispatcher(temporal, clock, ReconcileIntervals.defaults(), "temporal:7233");

  @AfterEach
  void close() {
    temporal.answers();
    dispatcher.close();
  }

  @Test
  void a_call_that_is_refused_is_not_made_again_at_once() {
    temporal.fails(Status.PERMISSION_DENIED);
    decideAndAwait(resource(1), upgrade());

    IntStream.range(0, 100).forEach(i -> decide(resource(1), upgrade()));
    assertThat(temporal.calls()).hasSize(1);

    clock.forward(RETRY);
    decideAndAwait(resource(1), upgrade());
    assertThat(temporal.calls()).hasSize(2);
  }

  @Test
  void a_request_does_not_wait_for_a_call_that_was_refused() {
    temporal.fails(Status.INVALID_ARGUMENT);
    decideAndAwait(resource(1), upgrade());

    decideAndAwait(resource(1), new Signal(ABORT, null));

    assertThat(temporal.calls()).containsExactly("start orders-1", "signal orders-1");
  }

  @Test
  void what_is_refused_to_one_resource_does_not_hold_another_one() {
    temporal.fails(Status.INVALID_ARGUMENT);
    decideAndAwait(resource(1), upgrade());

    decideAndAwait(resource(2), upgrade());

    assertThat(temporal.calls()).hasSize(2);
    assertThat(dispatcher.state(resource(3)).unavailable()).isNull();
  }

  @Test
  void while_Temporal_is_silent_one_call_in_each_pause_finds_out_when_it_is_back() {
    temporal.fails(Status.UNAVAILABLE);
    decideAndAwait(resource(1), upgrade());

    for (int i = 1; i <= 1_000; i++) {
      decide(resource(i), check());
    }
    assertThat(temporal.calls()).hasSize(1);

    clock.forward(RETRY);
    for (int i = 1; i <= 1_000; i++) {
      decide(resource(i), check());
    }
    soon().until(() -> done.get() == 3); // who failed before has let another one go
    assertThat(temporal.calls()).hasSize(2);
  }

  @Test
  void that_Temporal_is_silent_is_known_of_every_resource() {
    temporal.fails(Status.DEADLINE_EXCEEDED);

    decideAndAwait(resource(1), check());

    assertThat(dispatcher.state(resource(2)).unavailable())
        .startsWith("Temporal at temporal:7233 does not answer");
  }

  @Test
  void who_waited_for_Temporal_decides_again_as_soon_as_it_is_back() {
    temporal.fails(Status.UNAVAILABLE);
    decideAndAwait(resource(1), upgrade());
    decide(resource(2), upgrade());
    decide(resource(3), check());
    temporal.answers();
    clock.forward(RETRY);
    int before = done.get();

    decide(resource(2), upgrade());

    soon().until(() -> done.get() == before + 2);
    assertThat(dispatcher.state(resource(2)).unavailable()).isNull();
  }

  @Test
  void a_decision_does_not_wait_for_checks_of_open_runs() {
    temporal.holdsChecks();
    for (int i = 1; i <= 100; i++) {
      decide(resource(i), check());
    }

    decideAndAwait(resource(101), upgrade());

    assertThat(temporal.calls()).contains("start orders-101").hasSizeLessThan(10);
  }

  /** Those of a few runs on a slow shard hold the threads that check. */
  @Test
  void nor_for_the_check_of_its_own_resource_that_is_not_begun() {
    temporal.holdsChecks();
    for (int i = 1; i <= 13; i++) {
      decide(resource(i), check());
    }
    soon().until(() -> temporal.calls().size() == 2);

    decideAndAwait(resource(13), new Signal(ABORT, null));

    assertThat(temporal.calls()).contains("signal orders-13");

    // and when
    temporal.answers();

    soon().until(() -> done.get() == 13);
    assertThat(temporal.calls()).hasSize(13).doesNotContain("check orders-13");
  }

  @Test
  void what_was_queued_when_Temporal_became_silent_is_not_called() {
    temporal.holdsChecks();
    for (int i = 1; i <= 100; i++) {
      decide(resource(i), check());
    }
    soon().until(() -> temporal.calls().size() == 2);

    temporal.fails(Status.UNAVAILABLE);

    soon().until(() -> done.get() == 100);
    assertThat(temporal.calls()).hasSizeLessThan(5);
  }

  /** A single run whose shard is slow, say. */
  @Test
  void a_call_that_is_not_answered_while_others_are_holds_only_its_own_resource() {
    temporal.holdsChecks();
    decide(resource(1), check());
    soon().until(() -> temporal.calls().contains("check orders-1"));
    clock.forward(Duration.ofSeconds(1));
    decideAndAwait(resource(2), upgrade());
    int before = done.get();

    temporal.fails(Status.DEADLINE_EXCEEDED);

    soon().until(() -> done.get() > before);
    assertThat(dispatcher.state(resource(1)).unavailable())
        .startsWith("Temporal at temporal:7233 does not answer");
    assertThat(dispatcher.state(resource(2)).unavailable()).isNull();
    assertThat(dispatcher.state(resource(3)).unavailable()).isNull();
  }

  /** Its run is on a shard that is dead, and nothing else was answered for a while. */
  @Test
  void who_has_failed_to_find_out_lets_another_one_go_first() {
    temporal.isSilentFor(resource(1));
    decideAndAwait(resource(1), upgrade());

    decide(resource(2), new Signal(ABORT, null));
    clock.forward(RETRY);

    decide(resource(1), upgrade());
    assertThat(done).as("the one that waits is called").hasValue(2);
    decide(resource(2), new Signal(ABORT, null));

    soon().until(() -> done.get() == 4);
    assertThat(temporal.calls()).containsExactly("start orders-1", "signal orders-2");
    assertThat(dispatcher.state(resource(3)).unavailable()).isNull();

    // and when
    clock.forward(RETRY);
    decideAndAwait(resource(1), upgrade());

    assertThat(dispatcher.state(resource(1)).unavailable()).isNotNull();
    assertThat(dispatcher.state(resource(3)).unavailable()).isNull();
  }

  @Test
  void one_that_waited_and_does_not_come_any_more_keeps_nobody_from_finding_out() {
    temporal.isSilentFor(resource(1));
    decideAndAwait(resource(1), upgrade());
    decide(resource(2), upgrade());

    for (int round = 0; round < 3; round++) {
      clock.forward(RETRY);
      decide(resource(1), upgrade());
    }

    soon().until(() -> temporal.calls().size() > 1);
    assertThat(temporal.calls()).containsOnly("start orders-1");
  }

  @Test
  void calls_for_runs_on_a_dead_shard_do_not_hold_the_others() {
    temporal.holdsTheSilent();
    for (int i = 1; i <= 4; i++) {
      temporal.isSilentFor(resource(i));
      decide(resource(i), new Signal(ABORT, null));
    }
    soon().until(() -> temporal.calls().size() == 4);
    clock.forward(Duration.ofSeconds(1));
    decideAndAwait(resource(5), check());
    temporal.deadlineComes();
    soon().until(() -> done.get() == 5);
    temporal.holdsTheSilent();
    clock.forward(RETRY);
    for (int i = 1; i <= 4; i++) {
      decide(resource(i), new Signal(ABORT, null));
    }
    soon().until(() -> temporal.calls().size() == 9);

    decideAndAwait(resource(5), new Signal(ABORT, null));

    assertThat(temporal.calls()).contains("signal orders-5");
  }

  @Test
  void nor_do_checks_of_such_runs_hold_other_checks() {
    for (int i = 1; i <= 4; i++) {
      temporal.isSilentFor(resource(i));
      failWhileAnotherIsAnswered(resource(i), check());
    }
    temporal.holdsTheSilent();
    clock.forward(ReconcileIntervals.defaults().resync());
    int before = temporal.calls().size();
    for (int i = 1; i <= 4; i++) {
      decide(resource(i), check());
    }
    soon().until(() -> temporal.calls().size() == before + 4);

    decideAndAwait(resource(6), check());

    assertThat(temporal.calls()).contains("check orders-6");
  }

  /** With many of them each is tried about once a minute. */
  @Test
  void the_time_that_a_call_was_under_way_belongs_to_the_pause_after_it() {
    temporal.isSilentFor(resource(1));
    failWhileAnotherIsAnswered(resource(1), upgrade());
    clock.forward(RETRY.minusSeconds(2));
    decide(resource(1), upgrade());
    assertThat(temporal.calls()).containsOnlyOnce("start orders-1");

    clock.forward(Duration.ofSeconds(1));
    decideAndAwait(resource(1), upgrade());

    assertThat(temporal.calls()).filteredOn("start orders-1"::equals).hasSize(2);
  }

  /** It takes a second until its deadline. */
  private void failWhileAnotherIsAnswered(ResourceRef resource, Start decision) {
    temporal.holdsTheSilent();
    int calls = temporal.calls().size();
    decide(resource, decision);
    soon().until(() -> temporal.calls().size() > calls);
    clock.forward(Duration.ofSeconds(1));
    decideAndAwait(resource(5), new Signal(ABORT, null));
    int before = done.get();
    temporal.deadlineComes();
    soon().until(() -> done.get() > before);
  }

  @Test
  void a_call_that_began_after_the_last_answer_finds_Temporal_silent() {
    decideAndAwait(resource(1), upgrade());
    clock.forward(Duration.ofSeconds(1));
    temporal.fails(Status.DEADLINE_EXCEEDED);

    decideAndAwait(resource(2), upgrade());

    assertThat(dispatcher.state(resource(3)).unavailable()).isNotNull();
  }

  @Test
  void silence_of_days_ago_says_nothing_of_Temporal_now() {
    temporal.fails(Status.UNAVAILABLE);
    decideAndAwait(resource(1), upgrade());

    clock.forward(Duration.ofDays(2));

    assertThat(dispatcher.state(resource(1)).unavailable()).isNull();
  }

  private void decide(ResourceRef resource, ReconcileAction decision) {
    dispatcher.submit(resource, decision, dispatcher.state(resource), done::incrementAndGet);
  }

  private void decideAndAwait(ResourceRef resource, ReconcileAction decision) {
    int before = done.get();
    decide(resource, decision);
    soon().until(() -> done.get() > before);
  }

  private static ResourceRef resource(int number) {
    return new ResourceRef(
        "kubernetes-1", "FlinkDeployment", "default", "orders-" + number, "uid-" + number);
  }

  private static Start upgrade() {
    return new Start(run(), 7, false, null);
  }

  private static Start check() {
    return new Start(run(), 7, true, null);
  }

  private static NewRun run() {
    return new NewRun(OperationType.UPGRADE, 7, "summary", "details", false);
  }

  private static ConditionFactory soon() {
    return await().atMost(Duration.ofMinutes(1)).pollInterval(Duration.ofMillis(5));
  }
}
