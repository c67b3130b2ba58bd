package dev.sluice.controller.common;

import dev.sluice.workflows.model.ResourceRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * The resources of which something is remembered. One whose finalizer was removed by hand goes
 * without a word: it is found by looking from time to time.
 */
public final class KnownResources {

  private static final Duration PAUSE = Duration.ofMinutes(5);

  private final Clock clock;
  private final ConcurrentMap<String, ResourceRef> known = new ConcurrentHashMap<>();
  private final AtomicReference<Instant> next;

  /** Measures the pauses between two looks by this clock. */
  public KnownResources(Clock clock) {
    this.clock = clock;
    this.next = new AtomicReference<>(clock.instant().plus(PAUSE));
  }

  /** Something is remembered of it from now on. */
  public void add(ResourceRef resource) {
    known.put(resource.uid(), resource);
  }

  /** Nothing is remembered of it any more. */
  public void remove(ResourceRef resource) {
    known.remove(resource.uid());
  }

  /**
   * Those that are gone, each told once; none before it is time to look again.
   *
   * @param exists whether this instance of a resource is still there
   */
  public List<ResourceRef> gone(Predicate<ResourceRef> exists) {
    Instant due = next.get();
    Instant now = clock.instant();
    if (now.isBefore(due) || !next.compareAndSet(due, now.plus(PAUSE))) {
      return List.of();
    }
    return known.values().stream()
        .filter(exists.negate())
        .filter(resource -> known.remove(resource.uid(), resource))
        .toList();
  }
}
