package dev.sluice.controller.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.controller.support.FakeFlink;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class VersionQuestionsTest {

  private static final String JOB = "00000000000000000000000000000001";
  private static final Endpoint ENDPOINT =
      new Endpoint(new ClusterRef("default", "words-aaaaaaaaaa"), 8081, "words-aaaaaaaaaa");

  private final FakeFlink flink =
      new FakeFlink().job(JOB, FlinkJobState.RUNNING, 3, 3).checkpointAt("file:/chk-1");
  private final MovableClock clock = new MovableClock(ApplicationScene.NOW);
  private final AtomicInteger changes = new AtomicInteger();
  private final VersionQuestions questions =
      new VersionQuestions(flink.client(), clock, Duration.ofSeconds(10));

  private Duration ask(String subject) {
    return questions.ask("key", subject, ENDPOINT, JOB, changes::incrementAndGet);
  }

  @Test
  void what_was_answered_is_known_and_not_asked_for_again_before_it_is_time() {
    ask("a");
    int asked = flink.jobsAsked();

    assertThat(questions.details("key", "a").known()).isTrue();
    assertThat(questions.details("key", "a").taskManagers()).hasSize(1);
    assertThat(questions.details("key", "a").job()).isPresent();
    assertThat(questions.details("key", "a").checkpoints()).isPresent();
    assertThat(changes).hasValue(1);
    clock.forward(Duration.ofSeconds(4));
    assertThat(ask("a")).isEqualTo(Duration.ofSeconds(6));
    assertThat(flink.jobsAsked()).isEqualTo(asked);
    clock.forward(Duration.ofSeconds(6));
    ask("a");
    assertThat(flink.jobsAsked()).isEqualTo(asked + 1);
  }

  @Test
  void what_is_known_of_another_subject_is_void() {
    ask("a");

    assertThat(questions.details("key", "b").known()).isFalse();
    ask("b");
    assertThat(questions.details("key", "b").known()).isTrue();
  }

  @Test
  void a_job_that_is_not_known_has_no_checkpoints() {
    flink.without(JOB);

    ask("a");

    assertThat(questions.details("key", "a").known()).isTrue();
    assertThat(questions.details("key", "a").job()).isEmpty();
    assertThat(questions.details("key", "a").checkpoints()).isEmpty();
  }

  @Test
  void without_an_answer_nothing_is_known_and_it_is_asked_again() {
    flink.fails();
    ask("a");
    assertThat(questions.details("key", "a").known()).isFalse();
    assertThat(changes).hasValue(0);

    flink.job(JOB, FlinkJobState.RUNNING, 3, 3);
    clock.forward(Duration.ofSeconds(10));
    ask("a");

    assertThat(questions.details("key", "a").known()).isTrue();
  }
}
