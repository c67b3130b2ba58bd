package dev.sluice.activities.support;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until it is told to go on. */
public final class TestClock extends Clock {

  private Instant now = Instant.parse("2026-11-21T08:00:00Z");

  public void advance(Duration by) {
    now = now.plus(by);
  }

  /** Ms since the epoch, this much later. */
  public long in(Duration later) {
    return now.plus(later).toEpochMilli();
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
