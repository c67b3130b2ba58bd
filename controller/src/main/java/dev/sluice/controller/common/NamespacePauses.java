package dev.sluice.controller.common;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * When something may be written after Kubernetes was not available for it. That holds all of its
 * kind, because each further one would hold a thread for as long; but a namespace whose webhook
 * does not work must not hold those of the others for ever. So a namespace that failed comes after
 * the others, and where any was answered since, or a short time ago, it is paused alone.
 */
public final class NamespacePauses {

  private final Duration itsOwn;
  private final Duration ofOthers;

  /** When the namespaces failed that were not answered since. */
  private final Map<String, Instant> failed = new HashMap<>();

  private Instant allEnd = Instant.EPOCH;
  private Instant answered = Instant.EPOCH;

  /**
   * @param itsOwn pause of a namespace that failed
   * @param ofOthers pause of all the others; shorter, so that one of them goes first
   */
  public NamespacePauses(Duration itsOwn, Duration ofOthers) {
    this.itsOwn = itsOwn;
    this.ofOthers = ofOthers;
  }

  /** When one of that namespace may be written; in the past when none is paused. */
  public synchronized Instant end(String namespace) {
    Instant last = failed.get(namespace);
    return last == null || last.plus(itsOwn).isBefore(allEnd) ? allEnd : last.plus(itsOwn);
  }

  /** Whether its newest one had no answer; what is paused for others only has its turn next. */
  public synchronized boolean hasFailed(String namespace) {
    return failed.containsKey(namespace);
  }

  /** One was written, or refused: Kubernetes is available. */
  public synchronized void answered(String namespace, Instant now) {
    failed.remove(namespace);
    answered = now;
  }

  /** Kubernetes was not available for one. */
  public synchronized void failed(String namespace, Instant now) {
    Instant before = failed.put(namespace, now);
    boolean answeredSince = before != null && answered.isAfter(before);
    if (!answeredSince && !answered.isAfter(now.minus(itsOwn))) {
      allEnd = now.plus(ofOthers);
    }
  }
}
