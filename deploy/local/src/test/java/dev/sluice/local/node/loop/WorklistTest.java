package dev.sluice.local.node.loop;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorklistTest {
  private final Deque<Runnable> handed = new ArrayDeque<>();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<String> worked = new ArrayList<>();
  private final Worklist list = new Worklist(handed::add, timer, Clock.systemUTC());

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
    list.serve(worked::add);
    list.add("a");
    list.add("a");
    list.add("b");

    runAll();

    assertThat(worked).containsExactly("a", "b");
  }

  @Test
  void aKeyAddedWhileItIsLookedAtIsLookedAtOnceMore() {
    list.serve(
        key -> {
          worked.add(key);
          if (worked.size() == 1) {
            list.add(key);
            list.add(key);
          }
        });
    list.add("a");

    runAll();

    assertThat(worked).containsExactly("a", "a");
  }

  @Test
  void keysAddedBeforeThereIsAWorkerAreKept() {
    list.add("a");
    assertThat(handed).isEmpty();

    list.serve(worked::add);
    runAll();

    assertThat(worked).containsExactly("a");
  }

  @Test
  void aKeyWhoseTimeHasComeIsLookedAt() throws InterruptedException {
    CountDownLatch looked = new CountDownLatch(1);
    Worklist direct = new Worklist(Runnable::run, timer, Clock.systemUTC());
    direct.serve(key -> looked.countDown());

    direct.addAt("a", Clock.systemUTC().instant());

    assertThat(looked.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aLookThatFailsIsTriedAgain() throws InterruptedException {
    CountDownLatch looks = new CountDownLatch(2);
    Worklist direct = new Worklist(Runnable::run, timer, Clock.systemUTC());
    direct.serve(
        key -> {
          looks.countDown();
          if (looks.getCount() == 1) {
            throw new IllegalStateException("on purpose");
          }
        });

    direct.add("a");

    assertThat(looks.await(30, TimeUnit.SECONDS)).isTrue();
  }
}
