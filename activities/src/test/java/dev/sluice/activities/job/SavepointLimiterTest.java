package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.job.SavepointLimiter.Slot;
import dev.sluice.activities.support.TestClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SavepointLimiterTest {

  private final TestClock clock = new TestClock();
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final SavepointLimiter limiter = new SavepointLimiter(2, clock, registry);

  private Slot taken() {
    Slot slot = limiter.slot();
    assertThat(slot.acquire()).isTrue();
    return slot;
  }

  @Test
  void aWorkerHasNoMoreThanItsLimit() {
    Slot first = taken();
    taken();
    Slot third = limiter.slot();
    Slot fourth = limiter.slot();

    assertThat(third.acquire()).isFalse();
    assertThat(third.display()).isEqualTo("waiting for a savepoint slot: this worker takes 2 of 2");
    assertThat(fourth.acquire()).isFalse();
    assertThat(limiter.waiting()).isEqualTo(2);

    clock.advance(Duration.ofSeconds(3));
    first.close();
    first.close();

    assertThat(third.isWaiting()).as("takes what is free").isFalse();
    assertThat(third.queuedMs()).isEqualTo(3000);
    assertThat(fourth.isWaiting()).isTrue();
    fourth.close();
    assertThat(limiter.waiting()).isZero();
    assertThat(limiter.inUse()).isEqualTo(2);
    assertThat(first.acquire()).as("its wait is over").isFalse();
  }

  @Test
  void aSavepointInProgressCountsWhateverTheLimit() {
    limiter.slot().hold();
    limiter.slot().hold();
    limiter.slot().hold();

    assertThat(limiter.inUse()).isEqualTo(3);
    assertThat(limiter.slot().acquire()).isFalse();
  }

  /** Two hundred snapshots that wait must not hold up an upgrade. */
  @Test
  void aJobThatIsToBeStoppedComesBeforeSnapshotsThatWaitedLonger() {
    Slot first = taken();
    taken();
    Slot snapshot = limiter.patientSlot();
    Slot stop = limiter.slot();
    assertThat(snapshot.acquire()).isFalse();
    assertThat(stop.acquire()).isFalse();

    first.close();

    assertThat(snapshot.isWaiting()).isTrue();
    assertThat(stop.isWaiting()).isFalse();
    stop.close();
    assertThat(snapshot.isWaiting()).isFalse();
  }

  @Test
  void aStopThatIsNotWaitedForAnyMoreHoldsUpNoSnapshot() {
    Slot first = taken();
    taken();
    Slot stop = limiter.slot();
    assertThat(stop.acquire()).isFalse();

    stop.close();
    first.close();

    assertThat(limiter.patientSlot().acquire()).isTrue();
  }

  /** An attempt that finds a savepoint in progress does not know since when. */
  @Test
  void savepointsAreCountedAndTheTimeOfThoseThatWereTriggeredHere() {
    Slot triggered = taken();
    Slot found = limiter.slot();
    found.hold();
    clock.advance(Duration.ofSeconds(3));

    triggered.completed();
    found.completed();
    limiter.slot().failed();

    assertThat(registry.get("sluice.savepoints").tag("outcome", "completed").counter().count())
        .isEqualTo(2);
    assertThat(registry.get("sluice.savepoints").tag("outcome", "failed").counter().count())
        .isEqualTo(1);
    assertThat(registry.get("sluice.savepoint.duration").timer().totalTime(TimeUnit.SECONDS))
        .isEqualTo(3);
    assertThat(registry.get("sluice.savepoint.duration").timer().count()).isEqualTo(1);
  }
}
