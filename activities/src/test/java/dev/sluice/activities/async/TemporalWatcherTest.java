package dev.sluice.activities.async;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TemporalWatcherTest {

  private final FakeTemporal temporal = new FakeTemporal();
  private final ManualLoop loop = new ManualLoop();
  private final TemporalWatcher watcher =
      new TemporalWatcher(
          temporal.client(), loop, new DirectExecutor(), WaitReporter.NONE, Runnable::run);
  private final Map<String, Integer> looks = new HashMap<>();

  @AfterEach
  void close() {
    watcher.close();
  }

  private ActivityTask task() {
    return new ActivityTask(
        temporal.client(), new byte[] {1}, WaitRig.WAITING, ofSeconds(30), Duration.ZERO);
  }

  private Wait<String> counting(String key) {
    return Wait.of(
        key,
        key,
        ofMinutes(5),
        () -> {
          looks.merge(key, 1, Integer::sum);
          return WaitRig.answer(ProbeResult.notYet("nothing"));
        });
  }

  @Test
  void aWakeReachesEveryWaitOfTheKeyAndNoOther() {
    watcher.register(task(), counting("default/orders"));
    watcher.register(task(), counting("default/orders"));
    watcher.register(task(), counting("default/billing"));
    loop.settle();

    watcher.wake("default/orders");
    loop.advance(ofMillis(20));

    assertThat(looks).containsEntry("default/orders", 4).containsEntry("default/billing", 1);
  }

  @Test
  void aWakeForNobodyIsHarmless() {
    watcher.wake("default/unheard-of");
    loop.settle();

    assertThat(watcher.open()).isZero();
  }

  @Test
  void countsWhatIsOpen() {
    watcher.register(task(), counting("default/orders"));
    watcher.register(
        task(),
        Wait.of("default/x", "x", ofMinutes(5), () -> WaitRig.answer(ProbeResult.done("x"))));
    assertThat(watcher.open()).isEqualTo(2);

    loop.settle();
    assertThat(watcher.open()).isEqualTo(1);
  }

  @Test
  void takesNoWaitWhenClosedSoThatTemporalTriesAnotherWorker() {
    watcher.close();

    assertThatThrownBy(() -> watcher.register(task(), counting("default/orders")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void handsEveryOpenWaitOverBeforeTheWorkerStops() {
    try (TemporalWatcher real = new TemporalWatcher(temporal.client(), 2)) {
      for (int i = 0; i < 20; i++) {
        real.register(task(), Wait.of("k" + i, "k", ofMinutes(5), CompletableFuture::new));
      }

      real.handOver(ofMinutes(2));

      assertThat(temporal.failures).hasSize(20);
      assertThat(real.open()).isZero();
    }
  }

  @Test
  void handsOverAtOnceWhenNothingIsOpen() {
    try (TemporalWatcher real = new TemporalWatcher(temporal.client(), 2)) {
      real.handOver(ofMinutes(10));

      assertThat(temporal.failures).isEmpty();
    }
  }

  @Test
  void doesNotWaitForATemporalThatIsAwayLongerThanItMay() {
    temporal.onEnding = new IllegalStateException("UNAVAILABLE");
    try (TemporalWatcher real = new TemporalWatcher(temporal.client(), 2)) {
      real.register(task(), Wait.of("k", "k", ofMinutes(5), CompletableFuture::new));

      real.handOver(ofMillis(200));

      assertThat(real.open()).isEqualTo(1);
    }
  }

  @Test
  void fiveThousandWaitsShareOneThread() {
    int waits = 5_000;
    Set<String> threads = ConcurrentHashMap.newKeySet();
    AtomicInteger probes = new AtomicInteger();
    Polling quick = new Polling(ofMillis(5), ofMillis(20), 20, ofMillis(50), ofSeconds(30));
    try (TemporalWatcher real = new TemporalWatcher(temporal.client(), 4)) {
      for (int i = 0; i < waits; i++) {
        String id = "default/job-" + i;
        AtomicInteger own = new AtomicInteger();
        real.register(
            task(),
            Wait.of(
                    id,
                    id,
                    ofMinutes(10),
                    () -> {
                      threads.add(Thread.currentThread().getName());
                      probes.incrementAndGet();
                      int seen = own.incrementAndGet();
                      return CompletableFuture.<ProbeResult<String>>completedFuture(
                          seen < 5 ? ProbeResult.notYet(seen + " of 5") : ProbeResult.done(id));
                    })
                .polling(quick));
      }

      await().atMost(ofMinutes(2)).until(() -> real.open() == 0);
    }
    assertThat(temporal.completions).hasSize(waits).doesNotHaveDuplicates();
    assertThat(probes).hasValue(5 * waits);
    assertThat(threads).containsExactly("watcher");
  }
}
