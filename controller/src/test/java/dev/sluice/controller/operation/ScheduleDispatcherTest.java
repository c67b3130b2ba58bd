package dev.sluice.controller.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
  private final Semaphore failed = new Semaphore(0);
  private volatile @Nullable RuntimeException refusal;
  private volatile Runnable during = () -> {};
  private final ScheduleDispatcher dispatcher =
      new ScheduleDispatcher(
          new ScheduleCalls() {
            @Override
            public void keep(Recurrence wanted) {
              calls.add("keep " + wanted.interval().text());
              during.run();
              RuntimeException now = refusal;
              if (now != null) {
                throw now;
              }
            }

            @Override
            public void end(String id) {
              calls.add("end " + id);
              RuntimeException now = refusal;
              if (now != null && id.equals(ID)) {
                throw now;
              }
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
    return keep(ID, wanted);
  }

  private Optional<Duration> keep(String id, @Nullable Recurrence wanted) {
    return dispatcher.keep(ORDERS, id, wanted, failed::release);
  }

  private void awaitFailures(int number) throws InterruptedException {
    assertThat(failed.tryAcquire(number, 2, TimeUnit.MINUTES)).isTrue();
  }

  /** Until all calls before are done: the thread works in order. */
  private void awaitCalls() {
    String id = "last-" + calls.size();
    dispatcher.end(ORDERS, id);
    await().until(() -> calls.remove("end " + id));
  }

  @Test
  void whatIsWantedIsBroughtToTemporalOnceAndWakesNobody() {
    keep(every("5"));
    awaitCalls();
    keep(every("5"));
    keep(every("5"));
    keep(every("6"));
    awaitCalls();

    assertThat(calls).containsExactly("keep 5", "keep 6");
    assertThat(failed.availablePermits()).isZero();
  }

  @Test
  void itIsLookedAtAgainAWhileAfterItWasDone() {
    during = () -> clock.forward(Duration.ofMinutes(11));
    keep(every("5"));
    awaitCalls();
    during = () -> {};
    keep(every("5"));
    awaitCalls();
    assertThat(calls).containsExactly("keep 5");

    clock.forward(Duration.ofMinutes(11));
    keep(every("5"));
    awaitCalls();
    assertThat(calls).containsExactly("keep 5", "keep 5");
  }

  @Test
  void oneCallWaitsForASlowTemporalHoweverOftenSomethingElseIsWanted() {
    Semaphore goesOn = new Semaphore(0);
    during = goesOn::acquireUninterruptibly;
    keep(every("5"));
    await().until(() -> calls.size() == 1);

    keep(every("6"));
    keep(every("5"));
    keep(every("7"));
    clock.forward(Duration.ofMinutes(11));
    keep(every("7"));
    goesOn.release(10);
    awaitCalls();

    assertThat(calls).containsExactly("keep 5", "keep 7");
  }

  /** One call for each resource and type at every start would be too many. */
  @Test
  void nothingIsAskedForWhatWasNeverWanted() {
    keep(null);
    keep("another", every("5"));
    await().until(() -> !calls.isEmpty());

    assertThat(calls).containsExactly("keep 5");
  }

  @Test
  void oneWhoseResourceIsGoneWithoutAWordIsEnded() {
    keep(every("5"));
    awaitCalls();

    dispatcher.forget(ID);
    awaitCalls();

    assertThat(calls).containsExactly("keep 5", "end " + ID);
  }

  @Test
  void whatIsNotWantedAnyMoreIsEndedOnce() {
    keep(every("5"));
    awaitCalls();
    keep(null);
    awaitCalls();
    keep(null);
    awaitCalls();

    assertThat(calls).containsExactly("keep 5", "end " + ID);
  }

  @Test
  void aFailureIsToldOnceAndTriedAgainAfterAPause() throws InterruptedException {
    refusal = new IllegalStateException("refused");
    keep(every("5"));
    awaitFailures(1);

    assertThat(dispatcher.untold(ID)).isPresent();
    assertThat(dispatcher.untold(ID)).isEmpty();
    assertThat(keep(every("5"))).hasValueSatisfying(it -> assertThat(it).isPositive());
    assertThat(calls).hasSize(1);

    clock.forward(Duration.ofSeconds(6));
    keep(every("5"));
    awaitFailures(1);
    assertThat(dispatcher.untold(ID)).isEmpty();

    refusal = null;
    clock.forward(Duration.ofSeconds(11));
    keep(every("5"));
    awaitCalls();
    assertThat(calls).hasSize(3);
    assertThat(keep(every("5"))).isEmpty();
    assertThat(dispatcher.untold(ID)).isEmpty();
  }

  @Test
  void aScheduleGoesWithItsResource() {
    keep(every("5"));
    awaitCalls();
    dispatcher.end(ORDERS, ID);
    keep(null);
    awaitCalls();

    assertThat(calls).containsExactly("keep 5", "end " + ID);
  }
}
