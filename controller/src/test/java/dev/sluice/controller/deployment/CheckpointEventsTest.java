package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.FailedCheckpoints;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checkpoints of a job that runs, which fail. */
class CheckpointEventsTest {

  private static final Instant AT = Instant.parse("2026-11-23T10:00:00Z");

  @Test
  void it_says_how_many_failed_why_and_what_state_is_left() {
    Deployed given = failing(Optional.of(AT.minusSeconds(60)));

    assertThat(DeploymentEvents.problems(given.snapshot()))
        .singleElement()
        .satisfies(event -> assertThat(event.warning()).isTrue())
        .satisfies(event -> assertThat(event.reason()).isEqualTo("CheckpointError"))
        .extracting(StatusEvent::message)
        .isEqualTo(
            "The last 2 checkpoints of job job-1 failed: disk full. The last completed one:"
                + " 2026-11-23T09:59:00Z.");
  }

  @Test
  void each_that_fails_counts_on_the_same_event() {
    assertThat(DeploymentEvents.problems(failing(Optional.empty()).snapshot()))
        .extracting(event -> event.repeats().at())
        .containsExactly(List.of(AT, AT.plusSeconds(5)));
  }

  @Test
  void nothing_is_told_of_what_is_being_deleted() {
    assertThat(DeploymentEvents.problems(failing(Optional.empty()).deleted().snapshot())).isEmpty();
  }

  private static Deployed failing(Optional<Instant> completed) {
    return Deployed.running()
        .job(
            new Answered(
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.of(
                    new FailedCheckpoints(
                        "job-1", List.of(AT, AT.plusSeconds(5)), completed, "disk full"))));
  }
}
