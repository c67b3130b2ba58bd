package dev.sluice.controller.common;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something to tell people, as a Kubernetes event.
 *
 * @param warning whether action may be required
 * @param reason one of {@link dev.sluice.api.condition.EventReasons}
 * @param message of the event
 * @param repeats what makes it the same as an earlier one, with which it is then counted
 */
public record StatusEvent(boolean warning, String reason, String message, Repeats repeats) {

  /**
   * What makes an event the same as an earlier one on the same resource: its reason, and this.
   *
   * @param subject of the event
   * @param at when it happened, oldest first: what is known to have been told up to a time is not
   *     told again. Empty for one that happens whenever it is written
   */
  public record Repeats(String subject, List<Instant> at) {

    public Repeats {
      at = List.copyOf(at);
    }

    /** When it happened last; null for one that is not dated. */
    @Nullable Instant newest() {
      return at.isEmpty() ? null : at.get(at.size() - 1);
    }

    /** How often it happened after what is known. */
    int timesAfter(@Nullable Instant known) {
      return at.isEmpty()
          ? 1
          : (int) at.stream().filter(it -> known == null || it.isAfter(known)).count();
    }
  }

  /** An event of type Normal, which repeats when all its words are the same. */
  public static StatusEvent normal(String reason, String message) {
    return new StatusEvent(false, reason, message, new Repeats(message, List.of()));
  }

  /** An event of type Warning, which repeats when all its words are the same. */
  public static StatusEvent warning(String reason, String message) {
    return new StatusEvent(true, reason, message, new Repeats(message, List.of()));
  }

  /**
   * An event of type Normal of something that happened at a known time, and so is told once, also
   * over a restart of this process.
   */
  public static StatusEvent dated(String reason, String message, String subject, Instant at) {
    return new StatusEvent(false, reason, message, new Repeats(subject, List.of(at)));
  }

  /**
   * An event of type Warning of something that happened at known times, and so is told once, also
   * over a restart of this process.
   *
   * @param at oldest first
   */
  public static StatusEvent observed(
      String reason, String message, String subject, List<Instant> at) {
    return new StatusEvent(true, reason, message, new Repeats(subject, at));
  }
}
