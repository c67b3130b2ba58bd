package dev.sluice.controller.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.ReconcileAction.Start;
import dev.sluice.controller.operation.WorkflowState.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DispatchMemoryTest {

  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration RESYNC = Duration.ofSeconds(30);
  private static final Request RETRY = new Request.Retry("again");

  private final DispatchMemory memory = new DispatchMemory();

  @Test
  void one_call_is_made_at_a_time() {
    WorkflowState state = state(NOW);

    assertThat(memory.begin(state)).isTrue();
    assertThat(memory.begin(state)).isFalse();
  }

  @Test
  void a_request_that_was_answered_meanwhile_is_not_sent_again() {
    WorkflowState before = state(NOW);
    memory.begin(before);
    memory.delivered(RETRY, NOW);
    memory.end();

    assertThat(memory.begin(before)).isFalse();
  }

  @Test
  void a_decision_from_the_newest_state_is_carried_out() {
    memory.begin(state(NOW));
    memory.delivered(RETRY, NOW);
    memory.end();

    assertThat(memory.begin(state(NOW))).isTrue();
  }

  @Test
  void time_alone_does_not_make_a_decision_obsolete() {
    memory.open(NOW);
    WorkflowState fresh = state(NOW);

    assertThat(memory.begin(fresh)).isTrue();
  }

  @Test
  void a_run_that_was_seen_open_is_taken_for_granted_until_the_next_resync() {
    memory.open(NOW);

    assertThat(state(NOW.plusSeconds(29)).fresh()).isTrue();
    assertThat(state(NOW.plusSeconds(30)).fresh()).isFalse();
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
    memory.failed("away");
    assertThat(state(NOW).unavailable()).isEqualTo("away");

    memory.open(NOW);

    assertThat(state(NOW).unavailable()).isNull();
  }

  private WorkflowState state(Instant now) {
    return memory.state(now, RESYNC);
  }

  private static Start start(OperationType type, long generation) {
    return new Start(
        new NewRun(type, generation, "summary", "details", false), generation, false, null);
  }
}
