package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SnapshotDefinitionWatchTest {

  @Test
  void it_is_told_once_when_the_definition_has_come_also_after_a_question_without_an_answer() {
    AtomicInteger questions = new AtomicInteger();
    AtomicInteger told = new AtomicInteger();

    try (SnapshotDefinitionWatch watch =
        SnapshotDefinitionWatch.start(
            () -> {
              int number = questions.incrementAndGet();
              if (number == 2) {
                throw new KubernetesClientException("the API server is restarted");
              }
              return number >= 4;
            },
            Duration.ofMillis(1),
            told::incrementAndGet)) {
      await().until(() -> told.get() == 1);
    }

    assertThat(questions).hasValue(4);
  }
}
