package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorklistTest {
  private final Deque<Runnable> handed = new ArrayDeque<>();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<String> worked = new ArrayList<>();

  private Worklist list(Worklist.Worker worker) {
    return new Worklist(handed::add, timer, Clock.systemUTC(), worker);
  }

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  private void runAll() {
    for (Runnable next = handed.poll(); next != null; next = handed.poll()) {
      next.run();
    }
  }

  @Test
  void aKeyAddedTwiceWhileItWaitsIsLookedAtOnce() {
    Worklist list = list(worked::add);
    list.add("a");
    list.add("a");
    list.add("b");

    runAll();

    assertThat(worked).containsExactly("a", "b");
  }

  @Test
  void aKeyAddedWhileItIsLookedAtIsLookedAtOnceMore() {
    AtomicReference<Worklist> own = new AtomicReference<>();
    Worklist list =
        list(
            key -> {
              worked.add(key);
              if (worked.size() == 1) {
                own.get().add(key);
                own.get().add(key);
              }
            });
    own.set(list);
    list.add("a");

    runAll();

    assertThat(worked).containsExactly("a", "a");
  }

  @Test
  void aKeyWhoseTimeHasComeIsLookedAt() throws InterruptedException {
    CountDownLatch looked = new CountDownLatch(1);
    Worklist direct =
        new Worklist(Runnable::run, timer, Clock.systemUTC(), key -> looked.countDown());

    direct.addAt("a", Clock.systemUTC().instant());

    assertThat(looked.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aLookThatFailsIsTriedAgain() throws InterruptedException {
    CountDownLatch looks = new CountDownLatch(2);
    Worklist.Worker failing =
        key -> {
          looks.countDown();
          if (looks.getCount() == 1) {
            throw new IllegalStateException("on purpose");
          }
        };
    Worklist direct = new Worklist(Runnable::run, timer, Clock.systemUTC(), failing);

    direct.add("a");

    assertThat(looks.await(30, TimeUnit.SECONDS)).isTrue();
  }
}
