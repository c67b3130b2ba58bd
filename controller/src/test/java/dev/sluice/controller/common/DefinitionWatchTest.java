package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefinitionWatchTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void it_is_told_once_when_the_definition_has_come_or_gone_also_after_no_answer(boolean before) {
    AtomicInteger questions = new AtomicInteger();
    AtomicInteger told = new AtomicInteger();

    try (DefinitionWatch watch =
        DefinitionWatch.start(
            () -> {
              int number = questions.incrementAndGet();
              if (number == 2) {
                throw new KubernetesClientException("the API server is restarted");
              }
              return before != number >= 4;
            },
            before,
            Duration.ofMillis(1),
            told::incrementAndGet)) {
      await().until(() -> told.get() == 1);
    }

    assertThat(questions).hasValue(4);
  }
}
