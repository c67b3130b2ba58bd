package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.job.SavepointLimiter.Slot;
import dev.sluice.activities.support.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SavepointLimiterTest {

  private final TestClock clock = new TestClock();
  private final SavepointLimiter limiter = new SavepointLimiter(2, 3, clock);

  private Slot taken(String namespace) {
    Slot slot = limiter.slot(namespace);
    assertThat(slot.acquire()).isTrue();
    return slot;
  }

  @Test
  void aNamespaceAndAWorkerHaveNoMoreThanTheirLimits() {
    Slot first = taken("x");
    taken("x");
    Slot third = limiter.slot("x");

    assertThat(third.acquire()).isFalse();
    assertThat(third.display()).isEqualTo("waiting for a savepoint slot: 2 of 2 in namespace x");
    taken("y");
    Slot ofOther = limiter.slot("z");
    assertThat(ofOther.acquire()).isFalse();
    assertThat(ofOther.display())
        .isEqualTo("waiting for a savepoint slot: 3 of 3 in all namespaces");

    clock.advance(Duration.ofSeconds(3));
    first.close();
    first.close();

    assertThat(third.isWaiting()).as("takes what is free").isFalse();
    assertThat(third.queuedMs()).isEqualTo(3000);
    assertThat(ofOther.isWaiting()).isTrue();
    ofOther.close();
    assertThat(limiter.waiting()).isZero();
    assertThat(limiter.inUse()).isEqualTo(3);
    assertThat(first.acquire()).as("its wait is over").isFalse();
  }

  @Test
  void aSavepointInProgressCountsWhateverTheLimit() {
    limiter.slot("x").hold();
    limiter.slot("x").hold();
    limiter.slot("x").hold();

    assertThat(limiter.inUse()).isEqualTo(3);
    assertThat(limiter.slot("x").acquire()).isFalse();
  }

  /** Two hundred snapshots that wait must not hold up an upgrade. */
  @Test
  void aJobThatIsToBeStoppedComesBeforeSnapshotsThatWaitedLonger() {
    SavepointLimiter one = new SavepointLimiter(1, 1, clock);
    Slot running = one.slot("default");
    assertThat(running.acquire()).isTrue();
    Slot snapshot = one.patientSlot("default", 0);
    Slot stop = one.slot("default");
    assertThat(snapshot.acquire()).isFalse();
    assertThat(stop.acquire()).isFalse();

    running.close();

    assertThat(snapshot.isWaiting()).isTrue();
    assertThat(stop.isWaiting()).isFalse();
    stop.close();
    assertThat(snapshot.isWaiting()).isFalse();
  }
}
