package dev.sluice.controller.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VersionPollTest {

  private static final String JOB = "job-1";

  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final FakeFlink flink = new FakeFlink().job(JOB, FlinkJobState.RUNNING, 3, 3);
  private ObservedJob job = new Answered(Optional.empty(), Map.of());
  private final VersionPoll poll =
      new VersionPoll(
          new PollTarget(Endpoint.of(new ClusterRef("default", "orders")), JOB, "a", null, false),
          () -> job,
          flink.client(),
          clock,
          Duration.ofSeconds(10));

  @Test
  void details_are_asked_for_with_the_first_pass_and_then_once_in_an_interval() {
    VersionDetails first = poll.get().details();

    assertThat(first.known()).isTrue();
    assertThat(first.taskManagers()).hasSize(1);
    assertThat(first.job()).isPresent();
    clock.forward(Duration.ofSeconds(9));
    assertThat(poll.get().details()).isSameAs(first);
    clock.forward(Duration.ofSeconds(1));
    assertThat(poll.get().details().at()).isEqualTo(clock.instant());
    assertThat(flink.jobsAsked()).isEqualTo(2);
  }

  @Test
  void the_details_of_a_job_that_Flink_does_not_know_have_no_checkpoints() {
    flink.checkpointAt("s3://bucket/chk-1");
    assertThat(poll.get().details().checkpoints()).isPresent();

    flink.without(JOB);
    clock.forward(Duration.ofSeconds(10));

    assertThat(poll.get().details().known()).isTrue();
    assertThat(poll.get().details().job()).isEmpty();
    assertThat(poll.get().details().checkpoints()).isEmpty();
  }

  @Test
  void details_without_an_answer_are_those_that_were_known_before() {
    flink.fails();
    assertThat(poll.get().details().known()).isFalse();

    flink.job(JOB, FlinkJobState.RUNNING, 3, 3);
    clock.forward(Duration.ofSeconds(10));
    VersionDetails known = poll.get().details();
    assertThat(known.known()).isTrue();

    flink.fails();
    clock.forward(Duration.ofSeconds(10));
    assertThat(poll.get().details()).isSameAs(known);
  }

  @Test
  void a_cluster_that_does_not_answer_is_not_asked_for_details() {
    job = new Unreachable("away");

    assertThat(poll.get().details()).isSameAs(VersionDetails.NONE);
    assertThat(flink.jobsAsked()).isZero();
  }
}
