package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.worker.StartSequence.NotReadyException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StartSequenceTest {

  private final StartSequence start = new StartSequence(Duration.ofMillis(1));

  @ParameterizedTest
  @MethodSource("absences")
  void awaits_what_is_not_there_and_says_so(RuntimeException absence, String words)
      throws Exception {
    List<Optional<String>> problems = new ArrayList<>();

    start.await(
        "Kubernetes",
        () -> {
          problems.add(problem());
          if (problems.size() < 3) {
            throw absence;
          }
        });

    assertThat(problems).hasSize(3);
    assertThat(problems.get(2))
        .hasValueSatisfying(text -> assertThat(text).contains("Kubernetes", words));
  }

  static List<Arguments> absences() {
    return List.of(
        Arguments.of(
            new NotReadyException("not watched yet"), "Waiting for Kubernetes: not watched yet"),
        Arguments.of(new KubernetesClientException("connection refused"), "connection refused"),
        Arguments.of(Status.UNAVAILABLE.asRuntimeException(), "UNAVAILABLE"),
        Arguments.of(new IllegalStateException("a bug"), "Cannot start with Kubernetes"));
  }

  @Test
  void is_started_once_all_steps_are_done() throws Exception {
    start.await("Kubernetes", () -> {});
    assertThat(problem()).isPresent();

    start.done();

    assertThat(problem()).isEmpty();
  }

  private Optional<String> problem() {
    return start.check().problem().get();
  }
}
