package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProcessLifecycleTest {

  private final AtomicInteger halted = new AtomicInteger(-1);

  @Test
  void partsStopNewestFirstAndOneThatFailsDoesNotKeepTheOthers() {
    ProcessLifecycle lifecycle = new ProcessLifecycle(Duration.ofMinutes(1), halted::set);
    List<String> stopped = new ArrayList<>();
    lifecycle.onEnd("connection", () -> stopped.add("connection"));
    lifecycle.onEnd(
        "broken",
        () -> {
          throw new IllegalStateException("on purpose");
        });
    lifecycle.onEnd("worker", () -> stopped.add("worker"));

    lifecycle.end();

    assertThat(stopped).containsExactly("worker", "connection");
    assertThat(halted).hasValue(ExitCode.OK.number());
  }

  @Test
  void whatDoesNotDrainInTimeIsCutOffAndSaysSo() {
    CountDownLatch cutOff = new CountDownLatch(1);
    ProcessLifecycle lifecycle =
        new ProcessLifecycle(
            Duration.ofMillis(1),
            code -> {
              halted.compareAndSet(-1, code);
              cutOff.countDown();
            });
    lifecycle.onEnd("stuck", cutOff::await);

    lifecycle.end();

    assertThat(halted).hasValue(ExitCode.DRAIN_TIMED_OUT.number());
  }

  @Test
  void exitCodesAreDifferent() {
    assertThat(ExitCode.values()).extracting(ExitCode::number).doesNotHaveDuplicates();
  }
}
