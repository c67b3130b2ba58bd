package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.bootstrap.HealthCheck;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class TemporalStartTest {

  private final AtomicBoolean up = new AtomicBoolean();
  private final AtomicInteger tries = new AtomicInteger();

  @Test
  void itWaitsForTemporalAndSaysSo() {
    try (TemporalStart start = start(Duration.ofMillis(1))) {
      Awaitility.await().until(() -> tries.get() > 2);

      assertThat(problem(start.check()))
          .hasValueSatisfying(text -> assertThat(text).contains("server:7233", "UNAVAILABLE"));
      up.set(true);

      Awaitility.await().until(() -> problem(start.check()).isEmpty());
    }
  }

  @Test
  void onceItPollsItDoesNotStartAgain() {
    up.set(true);
    try (TemporalStart start = start(Duration.ofMillis(1))) {
      Awaitility.await().until(() -> problem(start.check()).isEmpty());

      assertThat(tries).hasValue(1);
    }
  }

  @Test
  void aStopEndsTheWaiting() {
    TemporalStart start = start(Duration.ofHours(1));
    Awaitility.await().until(() -> tries.get() == 1);

    start.close();

    Awaitility.await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("temporal-start")));
  }

  private TemporalStart start(Duration retry) {
    TemporalStart start =
        new TemporalStart(
            "server:7233",
            retry,
            () -> {
              tries.incrementAndGet();
              if (!up.get()) {
                throw Status.UNAVAILABLE.asRuntimeException();
              }
            });
    start.begin();
    return start;
  }

  private static Optional<String> problem(HealthCheck check) {
    return check.problem().get();
  }
}
