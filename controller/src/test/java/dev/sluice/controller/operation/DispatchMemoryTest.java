package dev.sluice.controller.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.DispatchMemory.Turn;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.WorkflowState.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DispatchMemoryTest {

  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Request RETRY = new Request.Retry("again");
  private static final Start UPGRADE = start(OperationType.UPGRADE, 8);
  private static final Start CHECK = new Start(UPGRADE.run(), 8, true, null);

  private final DispatchMemory memory = new DispatchMemory(ReconcileIntervals.defaults());

  @Test
  void one_call_is_made_at_a_time() {
    WorkflowState state = state(NOW);

    assertThat(begin(state, NOW)).isTrue();
    assertThat(begin(state, NOW)).isFalse();
  }

  @Test
  void a_request_that_was_answered_meanwhile_is_not_sent_again() {
    WorkflowState before = state(NOW);
    Turn turn = memory.begin(before, UPGRADE, NOW);
    memory.delivered(RETRY, NOW);
    memory.end(Objects.requireNonNull(turn));

    assertThat(begin(before, NOW)).isFalse();
  }

  @Test
  void a_decision_from_the_newest_state_is_carried_out() {
    Turn turn = memory.begin(state(NOW), UPGRADE, NOW);
    memory.delivered(RETRY, NOW);
    memory.end(Objects.requireNonNull(turn));

    assertThat(begin(state(NOW), NOW)).isTrue();
  }

  @Test
  void time_alone_does_not_make_a_decision_obsolete() {
    memory.open(NOW);
    WorkflowState fresh = state(NOW);

    assertThat(begin(fresh, NOW)).isTrue();
  }

  @Test
  void a_run_that_was_seen_open_is_taken_for_granted_until_the_next_resync() {
    memory.open(NOW);

    assertThat(state(NOW.plusSeconds(29)).fresh()).isTrue();
    assertThat(state(NOW.plusSeconds(30)).fresh()).isFalse();
  }

  @Test
  void a_run_that_was_found_open_is_not_looked_for_again_at_once() {
    memory.foundOpen(NOW);

    assertThat(memory.begin(state(NOW), CHECK, NOW.plusMillis(4_999))).isNull();
    assertThat(memory.begin(state(NOW), UPGRADE, NOW.plusMillis(4_999))).isNotNull();
  }

  @Test
  void a_run_that_was_found_open_is_looked_for_again_after_a_pause() {
    memory.foundOpen(NOW);

    assertThat(memory.begin(state(NOW), CHECK, NOW.plusSeconds(5))).isNotNull();
  }

  @Test
  void the_newest_generation_that_was_sent_is_kept() {
    memory.started(start(OperationType.UPGRADE, 8), NOW);
    memory.started(start(OperationType.UPGRADE, 7), NOW);

    assertThat(state(NOW).sent()).isEqualTo(8);
  }

  @Test
  void a_deletion_sends_no_generation() {
    memory.started(start(OperationType.DELETE, 8), NOW);

    assertThat(state(NOW).sent()).isNull();
    assertThat(state(NOW).started(OperationType.DELETE)).isTrue();
  }

  @Test
  void a_run_that_is_not_there_is_not_taken_for_granted_any_more() {
    memory.open(NOW);

    memory.notOpen(RETRY);

    assertThat(state(NOW).fresh()).isFalse();
    assertThat(state(NOW).answers()).containsEntry(RETRY, Answer.NOT_OPEN);
  }

  @Test
  void an_answer_is_kept_while_the_annotation_is() {
    memory.delivered(RETRY, NOW);

    memory.keepAnswers(List.of(RETRY));
    assertThat(state(NOW).answers()).containsKey(RETRY);

    memory.keepAnswers(List.of(new Request.Retry("another")));
    assertThat(state(NOW).answers()).isEmpty();
  }

  @Test
  void Temporal_is_available_again_as_soon_as_a_call_succeeds() {
    memory.refused(UPGRADE, "refused", NOW);
    assertThat(state(NOW).unavailable()).isEqualTo("refused");

    memory.open(NOW);

    assertThat(state(NOW).unavailable()).isNull();
  }

  @Test
  void a_call_that_was_refused_is_made_again_after_a_pause() {
    memory.refused(UPGRADE, "refused", NOW);

    assertThat(begin(state(NOW), NOW.plusMillis(4_999))).isFalse();
    assertThat(begin(state(NOW), NOW.plusSeconds(5))).isTrue();
  }

  @Test
  void another_decision_does_not_wait_for_one_that_was_refused() {
    memory.refused(UPGRADE, "refused", NOW);

    assertThat(memory.begin(state(NOW), new Signal(RETRY, null), NOW)).isNotNull();
  }

  @Test
  void a_check_that_was_refused_is_made_again_with_the_next_resync() {
    memory.refused(CHECK, "refused", NOW);

    assertThat(memory.begin(state(NOW), CHECK, NOW.plusSeconds(29))).isNull();
    assertThat(state(NOW.plusSeconds(31)).unavailable()).isEqualTo("refused");
    assertThat(memory.begin(state(NOW), CHECK, NOW.plusSeconds(30))).isNotNull();
  }

  /** It holds a thread until its deadline each time. */
  @Test
  void a_check_that_is_not_answered_is_made_less_often_but_about_once_in_a_minute() {
    Instant now = NOW;
    for (int pause : new int[] {30, 50, 50}) {
      memory.unanswered(CHECK, "silent", now, now);

      assertThat(memory.begin(state(now), CHECK, now.plusSeconds(pause - 1))).isNull();
      now = now.plusSeconds(pause);
      Turn turn = memory.begin(state(now), CHECK, now);
      assertThat(turn).as("after " + pause + " s").isNotNull();
      memory.end(Objects.requireNonNull(turn));
    }

    // and when
    memory.open(now);
    memory.unanswered(CHECK, "silent", now, now);

    assertThat(memory.begin(state(now), CHECK, now.plusSeconds(30))).isNotNull();
  }

  @Test
  void what_is_asked_for_is_too_but_at_least_once_in_a_minute() {
    Instant now = NOW;
    for (int pause : new int[] {5, 10, 20, 40, 50, 50}) {
      memory.unanswered(UPGRADE, "silent", now, now);

      assertThat(memory.begin(state(now), UPGRADE, now.plusSeconds(pause - 1))).isNull();
      now = now.plusSeconds(pause);
      Turn turn = memory.begin(state(now), UPGRADE, now);
      assertThat(turn).as("after " + pause + " s").isNotNull();
      memory.end(Objects.requireNonNull(turn));
    }
  }

  /** The deadline of a call is longer than the pause before the next one. */
  @Test
  void a_call_that_took_longer_than_its_pause_is_told_all_the_same_and_made_less_often() {
    Instant known = NOW.plusSeconds(10);
    memory.unanswered(UPGRADE, "silent", NOW, known);

    assertThat(state(known).unavailable()).isEqualTo("silent");
    Turn turn = Objects.requireNonNull(memory.begin(state(known), UPGRADE, known));
    memory.unanswered(UPGRADE, "silent", known, known.plusSeconds(10));
    memory.end(turn);

    assertThat(memory.begin(state(known), UPGRADE, known.plusSeconds(9)))
        .as("the pause has doubled")
        .isNull();
    assertThat(state(known.plusSeconds(10)).unavailable()).isEqualTo("silent");
  }

  @Test
  void what_is_asked_for_after_a_call_that_was_not_answered_may_hold_its_thread() {
    memory.unanswered(CHECK, "silent", NOW, NOW);

    Turn asked = Objects.requireNonNull(memory.begin(state(NOW), UPGRADE, NOW));
    assertThat(asked.isAfterSilence()).isTrue();

    // and when
    memory.end(asked);
    memory.open(NOW);

    assertThat(Objects.requireNonNull(memory.begin(state(NOW), UPGRADE, NOW)).isAfterSilence())
        .isFalse();
  }

  @Test
  void a_check_that_waits_for_a_thread_gives_way_to_what_is_asked_for() {
    Turn check = Objects.requireNonNull(memory.begin(state(NOW), CHECK, NOW));

    Turn asked = Objects.requireNonNull(memory.begin(state(NOW), UPGRADE, NOW));

    assertThat(memory.take(check)).isFalse();
    memory.end(check);
    assertThat(begin(state(NOW), NOW)).as("the other one is under way").isFalse();
    assertThat(memory.take(asked)).isTrue();
  }

  @Test
  void one_that_is_being_made_does_not() {
    Turn check = Objects.requireNonNull(memory.begin(state(NOW), CHECK, NOW));
    assertThat(memory.take(check)).isTrue();

    assertThat(begin(state(NOW), NOW)).isFalse();
  }

  @Test
  void a_check_does_not_take_the_turn_of_another_one() {
    Turn check = Objects.requireNonNull(memory.begin(state(NOW), CHECK, NOW));

    assertThat(memory.begin(state(NOW), CHECK, NOW)).isNull();
    assertThat(memory.take(check)).isTrue();
  }

  @Test
  void a_refusal_of_days_ago_says_nothing_of_Temporal_now() {
    memory.refused(UPGRADE, "refused", NOW);
    Instant later = NOW.plus(Duration.ofDays(2));

    assertThat(state(later).unavailable()).isNull();
    begin(state(later), later);
    assertThat(state(later).unavailable()).isNull();
  }

  @Test
  void a_refusal_stays_known_until_the_next_call_is_answered() {
    memory.refused(UPGRADE, "refused", NOW);
    begin(state(NOW), NOW.plusSeconds(5));

    assertThat(state(NOW.plusSeconds(14)).unavailable()).isEqualTo("refused");
  }

  private boolean begin(WorkflowState decidedFrom, Instant now) {
    return memory.begin(decidedFrom, UPGRADE, now) != null;
  }

  private WorkflowState state(Instant now) {
    return memory.state(now);
  }

  private static Start start(OperationType type, long generation) {
    return new Start(
        new NewRun(type, generation, "summary", "details", false), generation, false, null);
  }
}
