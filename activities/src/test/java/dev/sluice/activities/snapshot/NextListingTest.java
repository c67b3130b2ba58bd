package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class NextListingTest {

  private final Queue<Runnable> background = new ArrayDeque<>();
  private int lists;
  private Runnable duringTheFirst = () -> {};
  private final NextListing<Integer> listing =
      new NextListing<>(
          () -> {
            if (++lists == 1) {
              duringTheFirst.run();
            }
            if (lists == 3) {
              throw new IllegalStateException("away");
            }
            return lists;
          },
          background::add);

  private void list() {
    background.remove().run();
  }

  @Test
  void allWhoAskBeforeItBeginsShareOne() {
    CompletableFuture<Integer> one = listing.get();
    CompletableFuture<Integer> other = listing.get();
    assertThat(one).isNotDone();

    list();

    assertThat(one).isCompletedWithValue(1);
    assertThat(other).isCompletedWithValue(1);
    assertThat(background).isEmpty();
  }

  /** What it has read already may have changed since. */
  @Test
  void whoAsksWhileItIsMadeGetsTheNext() {
    AtomicReference<CompletableFuture<Integer>> late = new AtomicReference<>();
    duringTheFirst = () -> late.set(listing.get());
    CompletableFuture<Integer> first = listing.get();

    list();

    assertThat(first).isCompletedWithValue(1);
    assertThat(late.get()).isNotDone();
    list();
    assertThat(late.get()).isCompletedWithValue(2);
  }

  @Test
  void oneThatFailsIsToldAndTheNextIsMade() {
    lists = 2;
    CompletableFuture<Integer> failed = listing.get();
    list();
    assertThat(failed).isCompletedExceptionally();

    CompletableFuture<Integer> next = listing.get();
    list();

    assertThat(next).isCompletedWithValue(4);
  }

  @Test
  void whoGivesUpDoesNotEndThatOfTheOthers() {
    CompletableFuture<Integer> one = listing.get();
    CompletableFuture<Integer> other = listing.get();
    assertThat(one.cancel(true)).isTrue();

    list();

    assertThat(other).isCompletedWithValue(1);
  }
}
