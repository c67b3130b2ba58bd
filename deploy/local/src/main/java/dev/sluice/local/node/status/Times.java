package dev.sluice.local.node.status;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Kubernetes' times: RFC 3339 in UTC, whole seconds. */
public final class Times {
  private Times() {}

  /** For example {@code 2026-11-21T08:15:00Z}. */
  public static String text(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
