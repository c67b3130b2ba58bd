package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.support.TestClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SavepointLimiterTest {

  private final TestClock clock = new TestClock();
  private final SavepointLimiter limiter = new SavepointLimiter(2, 3, clock);
  private final List<String> granted = new ArrayList<>();

  private SavepointLimiter.Slot slot(String namespace, String name) {
    return limiter.slot(namespace, () -> granted.add(name));
  }

  @Test
  void aNamespaceHasNoMoreThanItsLimit() {
    assertThat(slot("x", "a").acquire()).isTrue();
    assertThat(slot("x", "b").acquire()).isTrue();
    SavepointLimiter.Slot third = slot("x", "c");

    assertThat(third.acquire()).isFalse();
    assertThat(third.display()).isEqualTo("waiting for a savepoint slot: 2 of 2 in namespace x");
  }

  @Test
  void aWorkerHasNoMoreThanItsLimit() {
    slot("x", "a").acquire();
    slot("x", "b").acquire();
    slot("y", "c").acquire();
    SavepointLimiter.Slot fourth = slot("z", "d");

    assertThat(fourth.acquire()).isFalse();
    assertThat(fourth.display())
        .isEqualTo("waiting for a savepoint slot: 3 of 3 in all namespaces");
  }

  @Test
  void whoWaitsLongestIsServedFirst() {
    SavepointLimiter.Slot first = slot("x", "a");
    first.acquire();
    slot("x", "b").acquire();
    SavepointLimiter.Slot third = slot("x", "c");
    SavepointLimiter.Slot fourth = slot("x", "d");
    third.acquire();
    fourth.acquire();

    first.close();

    assertThat(granted).containsExactly("c");
    assertThat(third.acquire()).isTrue();
    assertThat(fourth.acquire()).isFalse();
  }

  @Test
  void aFullNamespaceDoesNotHoldUpAnother() {
    slot("x", "a").acquire();
    slot("x", "b").acquire();
    slot("x", "c").acquire();

    assertThat(slot("y", "d").acquire()).isTrue();
  }

  @Test
  void whoComesLaterDoesNotOvertakeWhoWaits() {
    SavepointLimiter.Slot first = slot("x", "a");
    first.acquire();
    slot("x", "b").acquire();
    SavepointLimiter.Slot waits = slot("x", "c");
    waits.acquire();

    first.close();

    assertThat(slot("x", "d").acquire()).isFalse();
    assertThat(waits.acquire()).isTrue();
  }

  @Test
  void aSavepointInProgressCountsWhateverTheLimit() {
    slot("x", "a").hold();
    slot("x", "b").hold();
    slot("x", "c").hold();

    assertThat(limiter.inUse()).isEqualTo(3);
    assertThat(slot("x", "d").acquire()).isFalse();
  }

  @Test
  void whoStopsWaitingIsForgotten() {
    SavepointLimiter.Slot first = slot("x", "a");
    first.acquire();
    slot("x", "b").acquire();
    SavepointLimiter.Slot waits = slot("x", "c");
    waits.acquire();

    waits.close();
    first.close();

    assertThat(granted).isEmpty();
    assertThat(limiter.waiting()).isZero();
    assertThat(limiter.inUse()).isEqualTo(1);
  }

  @Test
  void aSlotIsGivenBackOnce() {
    SavepointLimiter.Slot slot = slot("x", "a");
    slot.acquire();

    slot.close();
    slot.close();

    assertThat(limiter.inUse()).isZero();
    assertThat(slot.acquire()).as("its wait is over").isFalse();
    assertThat(limiter.waiting()).isZero();
  }

  @Test
  void thereIsAlwaysRoomForOne() {
    assertThatThrownBy(() -> new SavepointLimiter(0, 1, clock))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Two hundred snapshots in the queue must not hold up an upgrade. */
  @Test
  void aJobThatIsToBeStoppedComesBeforeSnapshotsThatWaitedLonger() {
    SavepointLimiter one = new SavepointLimiter(1, 1, clock);
    SavepointLimiter.Slot running = one.slot("default", () -> {});
    assertThat(running.acquire()).isTrue();
    SavepointLimiter.Slot snapshot = one.new Slot("default", () -> {}, true, 0);
    SavepointLimiter.Slot stop = one.slot("default", () -> {});
    assertThat(snapshot.acquire()).isFalse();
    assertThat(stop.acquire()).isFalse();

    running.close();
    assertThat(stop.isWaiting()).isFalse();
    assertThat(snapshot.isWaiting()).isTrue();
    stop.close();

    assertThat(snapshot.acquire()).isTrue();
  }
}
