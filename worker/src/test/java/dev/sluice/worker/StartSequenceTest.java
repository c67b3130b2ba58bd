package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bootstrap.HealthCheck;
import dev.sluice.worker.StartSequence.NotReadyException;
import dev.sluice.worker.StartSequence.Step;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StartSequenceTest {

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final AtomicReference<RuntimeException> away = new AtomicReference<>();

  @ParameterizedTest
  @MethodSource("absences")
  void itWaitsForWhatIsNotThereAndSaysSo(RuntimeException absence, String words) {
    away.set(absence);
    try (StartSequence start = start(Duration.ofMillis(1))) {
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(problem(start.check()))
                      .hasValueSatisfying(text -> assertThat(text).contains("Kubernetes", words)));
      assertThat(done).isEmpty();
      away.set(null);

      Awaitility.await().until(() -> problem(start.check()).isEmpty());
    }
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
  void everyStepIsDoneOnceAndInItsTurn() {
    try (StartSequence start = start(Duration.ofMillis(1))) {
      Awaitility.await().until(() -> problem(start.check()).isEmpty());

      assertThat(done).containsExactly("Kubernetes", "Temporal");
    }
  }

  @Test
  void whatIsThereAMomentLaterIsNotWaitedForAtLength() {
    away.set(new NotReadyException("being filled"));
    try (StartSequence start = start(Duration.ofHours(1))) {
      Awaitility.await().until(() -> problem(start.check()).orElse("").contains("being filled"));
      away.set(null);

      Awaitility.await().until(() -> problem(start.check()).isEmpty());
    }
  }

  @Test
  void aStopEndsTheWaiting() {
    away.set(new NotReadyException("never"));
    StartSequence start = start(Duration.ofHours(1));
    Awaitility.await()
        .until(() -> problem(start.check()).filter(text -> text.contains("never")).isPresent());

    start.close();

    Awaitility.await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("start")));
    assertThat(done).isEmpty();
  }

  private StartSequence start(Duration retry) {
    StartSequence start =
        new StartSequence(
            retry,
            List.of(
                new Step(
                    "Kubernetes",
                    () -> {
                      RuntimeException absence = away.get();
                      if (absence != null) {
                        throw absence;
                      }
                      done.add("Kubernetes");
                    }),
                new Step("Temporal", () -> done.add("Temporal"))));
    start.begin();
    return start;
  }

  private static Optional<String> problem(HealthCheck check) {
    return check.problem().get();
  }
}
