package dev.sluice.controller.common;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The events of each resource that are still to be written: the newest of each name, so many. */
final class UnwrittenEvents {

  private static final int MOST_OF_A_RESOURCE = 20;

  /** By the resource's uid and the event's name, oldest first. */
  private final ConcurrentMap<String, Map<String, Unwritten>> events = new ConcurrentHashMap<>();

  /** It is told again, or has failed: it comes after the others. */
  void put(String uid, String name, Unwritten event) {
    var unused =
        events.compute(
            uid,
            (k, before) -> {
              Map<String, Unwritten> now =
                  before == null ? new LinkedHashMap<>() : new LinkedHashMap<>(before);
              now.remove(name);
              now.put(name, event);
              if (now.size() > MOST_OF_A_RESOURCE) {
                now.remove(now.keySet().iterator().next());
              }
              return now;
            });
  }

  /** One that is told now; it may be there already. */
  Unwritten told(String uid, String name, StatusEvent event, Instant now) {
    Unwritten before = of(uid).get(name);
    return before == null
        ? new Unwritten(event, now, now, 0)
        : new Unwritten(event, before.first, now, before.tries);
  }

  /** Those of one resource as they are now. */
  Map<String, Unwritten> of(String uid) {
    return events.getOrDefault(uid, Map.of());
  }

  void remove(String uid, String name) {
    var unused =
        events.computeIfPresent(
            uid,
            (k, before) -> {
              Map<String, Unwritten> now = new LinkedHashMap<>(before);
              now.remove(name);
              return now.isEmpty() ? null : now;
            });
  }

  /** The resource is gone. */
  void forget(String uid) {
    events.remove(uid);
  }

  /**
   * An event that is still to be written.
   *
   * @param first when it was told first
   * @param last when it was told last
   * @param tries how often Kubernetes was not available for it
   */
  record Unwritten(StatusEvent event, Instant first, Instant last, int tries) {

    /** Ten minutes and more, for one that its own namespace does not take. */
    private static final int MOST_TRIES = 20;

    Unwritten failed() {
      return new Unwritten(event, first, last, tries + 1);
    }

    boolean isGivenUp() {
      return tries >= MOST_TRIES;
    }
  }
}
