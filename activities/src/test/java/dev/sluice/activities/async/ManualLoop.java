package dev.sluice.activities.async;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A loop whose thread is the test and whose time is what the test says. */
final class ManualLoop implements Loop {

  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparing(Due::order));
  private Duration now = Duration.ZERO;
  private long order;

  private record Due(Duration at, long order, Runnable task) {}

  @Override
  public void execute(Runnable task) {
    after(Duration.ZERO, task);
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    Due due = new Due(now.plus(delay), order++, task);
    queue.add(due);
    return () -> queue.remove(due);
  }

  /** Runs what is due now. */
  void settle() {
    advance(Duration.ZERO);
  }

  /** Lets time pass, running everything that becomes due on the way, in order. */
  void advance(Duration time) {
    Duration until = now.plus(time);
    while (!queue.isEmpty() && queue.peek().at().compareTo(until) <= 0) {
      Due due = queue.remove();
      now = due.at();
      due.task().run();
    }
    now = until;
  }

  /** Time since the test began. */
  Duration now() {
    return now;
  }

  @Override
  public Moment moment() {
    return new Moment(now.toNanos(), now.toMillis());
  }

  /** Tasks that are still to come. */
  int pending() {
    return queue.size();
  }

  @Override
  public void close() {
    queue.clear();
  }
}
