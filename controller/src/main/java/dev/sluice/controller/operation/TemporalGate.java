package dev.sluice.controller.operation;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether Temporal answers this process. While it does not, a call would only hold a thread until
 * its deadline: one in each pause finds out, the others wait.
 */
final class TemporalGate {

  private final Duration pause;
  private final Duration forgetAfter;
  private @Nullable String why;
  private Instant tried = Instant.EPOCH;
  private Instant answered = Instant.EPOCH;

  /**
   * @param pause between two calls while Temporal does not answer
   * @param forgetAfter how long silence is taken for granted when no call is made
   */
  TemporalGate(Duration pause, Duration forgetAfter) {
    this.pause = pause;
    this.forgetAfter = forgetAfter;
  }

  /** Why Temporal cannot be used; null while it can, as far as is known. */
  synchronized @Nullable String shut(Instant now) {
    return now.isBefore(tried.plus(forgetAfter)) ? why : null;
  }

  /** Whether a call may be made now; of a shut gate it is the one that finds out. */
  synchronized boolean admits(Instant now) {
    if (shut(now) == null) {
      return true;
    }
    if (now.isBefore(tried.plus(pause))) {
      return false;
    }
    tried = now;
    return true;
  }

  /**
   * A call was not answered. Where others were answered since it began, Temporal is not silent: it
   * is that one run that it cannot get at.
   *
   * @return whether that shuts the gate
   */
  synchronized boolean silent(String why, Instant began, Instant now) {
    if (answered.isAfter(began)) {
      return false;
    }
    this.why = why;
    tried = now;
    return true;
  }

  /**
   * A call was answered, be it with a refusal.
   *
   * @return whether that opens the gate
   */
  synchronized boolean answered(Instant now) {
    boolean opens = why != null;
    why = null;
    answered = now;
    return opens;
  }
}
