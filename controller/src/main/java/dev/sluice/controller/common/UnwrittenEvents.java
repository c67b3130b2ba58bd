package dev.sluice.controller.common;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The events of each resource that are still to be written: the newest of each name, so many. */
final class UnwrittenEvents {

  private static final int MOST_OF_A_RESOURCE = 20;

  /** By the resource's uid and the event's name, oldest first. */
  private final ConcurrentMap<String, Map<String, StatusEvent>> events = new ConcurrentHashMap<>();

  void put(String uid, String name, StatusEvent event) {
    var unused =
        events.compute(
            uid,
            (k, before) -> {
              Map<String, StatusEvent> now =
                  before == null ? new LinkedHashMap<>() : new LinkedHashMap<>(before);
              now.remove(name);
              now.put(name, event);
              if (now.size() > MOST_OF_A_RESOURCE) {
                now.remove(now.keySet().iterator().next());
              }
              return now;
            });
  }

  /** Those of one resource as they are now. */
  Map<String, StatusEvent> of(String uid) {
    return events.getOrDefault(uid, Map.of());
  }

  void remove(String uid, String name) {
    var unused =
        events.computeIfPresent(
            uid,
            (k, before) -> {
              Map<String, StatusEvent> now = new LinkedHashMap<>(before);
              now.remove(name);
              return now.isEmpty() ? null : now;
            });
  }

  /** The resource is gone. */
  void forget(String uid) {
    events.remove(uid);
  }
}
