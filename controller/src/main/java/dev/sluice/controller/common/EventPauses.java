package dev.sluice.controller.common;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * When events may be written after Kubernetes was not available for one. That holds all of them,
 * because each further one would hold a thread for as long; but a namespace whose webhook does not
 * work must not hold those of the others for ever. So a namespace that failed comes after the
 * others, and where any event was answered since, or a short time ago, it is paused alone.
 */
final class EventPauses {

  private static final Duration ITS_OWN = Duration.ofSeconds(30);
  private static final Duration OF_OTHERS = Duration.ofSeconds(25);

  /** When the namespaces failed that were not answered since. */
  private final Map<String, Instant> failed = new HashMap<>();

  private Instant allEnd = Instant.EPOCH;
  private Instant answered = Instant.EPOCH;

  /** When one of that namespace may be written; in the past when none is paused. */
  synchronized Instant end(String namespace) {
    Instant last = failed.get(namespace);
    return last == null || last.plus(ITS_OWN).isBefore(allEnd) ? allEnd : last.plus(ITS_OWN);
  }

  /** One was written, or refused: Kubernetes is available. */
  synchronized void answered(String namespace, Instant now) {
    failed.remove(namespace);
    answered = now;
  }

  /** Kubernetes was not available for one. */
  synchronized void failed(String namespace, Instant now) {
    Instant before = failed.put(namespace, now);
    boolean answeredSince = before != null && answered.isAfter(before);
    if (!answeredSince && !answered.isAfter(now.minus(ITS_OWN))) {
      allEnd = now.plus(OF_OTHERS);
    }
  }
}
