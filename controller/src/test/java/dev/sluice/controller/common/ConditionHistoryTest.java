package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConditionHistoryTest {

  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00.5Z");
  private static final Condition BEFORE =
      new Condition("2020-01-01T00:00:00Z", "earlier", 6L, "UpToDate", "True", "Ready");

  private final ConditionHistory history =
      ConditionHistory.of(
          type -> Optional.of(BEFORE).filter(old -> old.getType().equals(type)), 7, NOW);

  @Test
  void a_condition_keeps_its_time_while_its_status_stays() {
    Condition now = history.condition("Ready", ConditionStatus.TRUE, "Other", "other");

    assertThat(now.getLastTransitionTime()).isEqualTo("2020-01-01T00:00:00Z");
    assertThat(now.getReason()).isEqualTo("Other");
  }

  @Test
  void a_condition_is_dated_when_its_status_changes() {
    Condition now = history.condition("Ready", ConditionStatus.FALSE, "Upgrading", "...");

    assertThat(now.getLastTransitionTime()).isEqualTo("2026-11-21T10:00:00Z");
  }

  @Test
  void a_kept_condition_is_about_the_newest_generation() {
    Condition now = history.kept("Ready", "Pending", "unused");

    assertThat(now.getMessage()).isEqualTo("earlier");
    assertThat(now.getObservedGeneration()).isEqualTo(7);
  }

  @Test
  void a_condition_that_never_was_is_unknown() {
    Condition now = history.kept("Running", "Pending", "Flink was not queried yet.");

    assertThat(now.getStatus()).isEqualTo("Unknown");
    assertThat(now.getReason()).isEqualTo("Pending");
  }

  @Test
  void a_message_is_no_longer_than_readers_take() {
    Condition now =
        history.condition("Ready", ConditionStatus.TRUE, "UpToDate", "x".repeat(100_000));

    assertThat(now.getMessage()).hasSize(4096);
  }
}
