package dev.sluice.controller.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.controller.support.MovableClock;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScheduleDispatcherTest {

  private static final ResourceRef ORDERS =
      new ResourceRef("kubernetes-1", "FlinkDeployment", "shop", "orders", "0a1b2c3d");
  private static final String ID = "orders_periodic-savepoint";

  private final MovableClock clock = new MovableClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final Semaphore answered = new Semaphore(0);
  private volatile boolean refuses;
  private final ScheduleDispatcher dispatcher =
      new ScheduleDispatcher(
          new ScheduleCalls() {
            @Override
            public void keep(Recurrence wanted) {
              calls.add("keep " + wanted.interval().text());
              if (refuses) {
                throw new IllegalStateException("refused");
              }
            }

            @Override
            public void end(String id) {
              calls.add("end " + id);
            }
          },
          clock,
          "test:7233");

  @AfterEach
  void close() {
    dispatcher.close();
  }

  private static Recurrence every(String minutes) {
    return new Recurrence(
        ID,
        ORDERS,
        "Some",
        "input",
        "summary",
        new SnapshotInterval.Every(minutes, Duration.ofMinutes(Long.parseLong(minutes))));
  }

  private Optional<Duration> keep(@Nullable Recurrence wanted) {
    return dispatcher.keep(ORDERS, ID, wanted, answered::release);
  }

  private void await(int answers) throws InterruptedException {
    assertThat(answered.tryAcquire(answers, 30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whatIsWantedIsBroughtToTemporalOnce() throws InterruptedException {
    keep(every("5"));
    await(1);
    keep(every("5"));
    keep(every("5"));
    keep(every("6"));
    await(1);

    assertThat(calls).containsExactly("keep 5", "keep 6");
  }

  @Test
  void itIsLookedAtAgainAfterAWhile() throws InterruptedException {
    keep(every("5"));
    await(1);
    clock.forward(Duration.ofMinutes(11));
    keep(every("5"));
    await(1);

    assertThat(calls).containsExactly("keep 5", "keep 5");
  }

  @Test
  void whatIsNotWantedAnyMoreIsEndedOnceAndNothingIsAskedForWhatNeverWas()
      throws InterruptedException {
    keep(null);
    keep(every("5"));
    await(1);
    keep(null);
    await(1);
    keep(null);

    assertThat(calls).containsExactly("keep 5", "end " + ID);
  }

  @Test
  void aFailureIsToldOnceAndTriedAgainAfterAPause() throws InterruptedException {
    refuses = true;
    keep(every("5"));
    await(1);

    assertThat(dispatcher.untold(ID)).isPresent();
    assertThat(dispatcher.untold(ID)).isEmpty();
    assertThat(keep(every("5"))).hasValueSatisfying(it -> assertThat(it).isPositive());
    assertThat(calls).hasSize(1);

    refuses = false;
    clock.forward(Duration.ofSeconds(6));
    keep(every("5"));
    await(1);
    assertThat(calls).hasSize(2);
    assertThat(keep(every("5"))).isEmpty();
    assertThat(dispatcher.untold(ID)).isEmpty();
  }

  @Test
  void aScheduleGoesWithItsResource() throws InterruptedException {
    keep(every("5"));
    await(1);
    dispatcher.end(ORDERS, ID);
    keep(null);
    // the thread works in order
    dispatcher.keep(ORDERS, "other", every("7"), answered::release);
    await(1);

    assertThat(calls).containsExactly("keep 5", "end " + ID, "keep 7");
  }
}
