package dev.sluice.local.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WakeLoopTest {
  /** One thread: what is handed to it later runs later. */
  private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1);

  private final AtomicInteger looks = new AtomicInteger();

  private WakeLoop loop(WakeLoop.Look look) {
    return new WakeLoop("test", executor, look);
  }

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  private void awaitAllThatWasHandedOver() throws Exception {
    executor.submit(() -> {}).get(30, TimeUnit.SECONDS);
  }

  @Test
  void wokenTwiceWhileItWaitsItLooksOnce() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    executor.execute(() -> await(go));
    WakeLoop loop =
        loop(
            () -> {
              looks.incrementAndGet();
              return Optional.empty();
            });
    loop.wake();
    loop.wake();

    go.countDown();

    awaitAllThatWasHandedOver();
    awaitAllThatWasHandedOver();
    assertThat(looks).hasValue(1);
  }

  @Test
  void wokenWhileItLooksItLooksOnceMore() throws Exception {
    AtomicReference<WakeLoop> own = new AtomicReference<>();
    own.set(
        loop(
            () -> {
              if (looks.incrementAndGet() == 1) {
                own.get().wake();
                own.get().wake();
              }
              return Optional.empty();
            }));

    own.get().wake();

    awaitAllThatWasHandedOver();
    awaitAllThatWasHandedOver();
    assertThat(looks).hasValue(2);
  }

  @Test
  void itLooksAgainWhenTheTimeHasCome() throws Exception {
    CountDownLatch looked = new CountDownLatch(2);

    loop(() -> {
          looked.countDown();
          return looked.getCount() == 0 ? Optional.empty() : Optional.of(Duration.ZERO);
        })
        .wake();

    assertThat(looked.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aLaterTimeTakesThePlaceOfAnEarlierOne() throws Exception {
    executor.setRemoveOnCancelPolicy(true);
    WakeLoop loop = loop(() -> Optional.of(Duration.ofHours(looks.incrementAndGet())));
    loop.wake();
    awaitAllThatWasHandedOver();
    loop.wake();
    awaitAllThatWasHandedOver();

    assertThat(executor.getQueue())
        .singleElement()
        .isInstanceOfSatisfying(
            Delayed.class, alarm -> assertThat(alarm.getDelay(TimeUnit.MINUTES)).isGreaterThan(60));
  }

  @Test
  void aLookThatFailsIsTriedAgain() throws Exception {
    looksAgainAfter(
        () -> {
          throw new IllegalStateException("on purpose");
        });
  }

  @Test
  void anErrorDoesNotEndTheLoop() throws Exception {
    looksAgainAfter(
        () -> {
          throw new AssertionError("on purpose");
        });
  }

  private void looksAgainAfter(Runnable failure) throws Exception {
    CountDownLatch looked = new CountDownLatch(2);
    WakeLoop failing =
        loop(
            () -> {
              looked.countDown();
              if (looked.getCount() == 1) {
                failure.run();
              }
              return Optional.empty();
            });

    failing.wake();

    assertThat(looked.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
