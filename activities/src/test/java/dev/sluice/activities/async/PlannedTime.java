package dev.sluice.activities.async;

import dev.sluice.activities.async.Pacer.Moment;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** The time of a test: it passes only while the wait sleeps, and planned events happen in it. */
final class PlannedTime implements Pacer {

  private final PriorityQueue<Event> plan = new PriorityQueue<>(Comparator.comparing(Event::at));
  private Duration now = Duration.ZERO;
  private boolean signalled;

  private record Event(Duration at, Runnable task) {}

  /** Plans an event, on the thread of the wait. */
  void at(Duration when, Runnable task) {
    plan.add(new Event(when, task));
  }

  /** Time since the test began. */
  Duration now() {
    return now;
  }

  /** Time passes without a sleep: the wait is busy. */
  void pass(Duration time) {
    now = now.plus(time);
  }

  @Override
  public Moment moment() {
    return new Moment(now.toNanos(), now.toMillis());
  }

  @Override
  public void sleep(Duration atMost) {
    Duration end = now.plus(atMost);
    while (!signalled && !plan.isEmpty() && plan.peek().at().compareTo(end) <= 0) {
      Event next = plan.remove();
      now = next.at().compareTo(now) > 0 ? next.at() : now;
      next.task().run();
    }
    now = signalled ? now : end;
    signalled = false;
  }

  @Override
  public void signal() {
    signalled = true;
  }
}
