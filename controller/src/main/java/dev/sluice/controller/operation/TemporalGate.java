package dev.sluice.controller.operation;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether Temporal answers this process. While it does not, a call would only hold a thread until
 * its deadline: one in each pause finds out, the others wait. Who has failed to find out lets those
 * go first that have not, and those whose failure is longer ago: perhaps it is only its own run
 * that Temporal cannot get at, or those of many, which then are tried in turn.
 */
final class TemporalGate {

  private final Duration pause;
  private final Duration forgetAfter;

  /** When those had no answer that had none since. */
  private final Map<String, Instant> unanswered = new HashMap<>();

  /** What to run when one may go. */
  private final Map<String, Runnable> waiting = new LinkedHashMap<>();

  private @Nullable String why;
  private Instant tried = Instant.EPOCH;
  private Instant silent = Instant.EPOCH;
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
    Instant last = silent.isAfter(tried) ? silent : tried;
    return now.isBefore(last.plus(forgetAfter)) ? why : null;
  }

  /**
   * Whether a call may be made now; of a shut gate it is the one that finds out.
   *
   * @param who the call is for: a resource, or what else has a run of its own
   */
  synchronized boolean admits(String who, Instant now) {
    if (shut(now) == null) {
      return true;
    }
    if (isPaused(now) || before(who).isPresent()) {
      return false;
    }
    tried = now;
    waiting.remove(who);
    return true;
  }

  /** It is told once it may go. */
  synchronized void waits(String who, Runnable wake) {
    waiting.putIfAbsent(who, wake);
  }

  /**
   * Who may find out in place of one that has failed to, or has done so later; it does not wait any
   * more, and so keeps nobody from that if it does not come.
   */
  synchronized Optional<Runnable> insteadOf(String who, Instant now) {
    return isPaused(now) ? Optional.empty() : before(who).map(waiting::remove);
  }

  private boolean isPaused(Instant now) {
    return now.isBefore(tried.plus(pause));
  }

  /** Of those that wait, the one whose turn is next, if that comes before this one's. */
  private Optional<String> before(String who) {
    Instant failed = unanswered.get(who);
    return failed == null
        ? Optional.empty()
        : waiting.keySet().stream()
            .filter(it -> failedAt(it).isBefore(failed))
            .min(Comparator.comparing(this::failedAt));
  }

  private Instant failedAt(String who) {
    return unanswered.getOrDefault(who, Instant.EPOCH);
  }

  /**
   * A call was not answered. Where others were answered since it began, or since the last one of
   * the same one, Temporal is not silent: it is that one run that it cannot get at.
   *
   * @return whether that shuts the gate
   */
  synchronized boolean silent(String who, String why, Instant began, Instant now) {
    Instant before = unanswered.put(who, now);
    if (answered.isAfter(began) || (before != null && answered.isAfter(before))) {
      return false;
    }
    this.why = why;
    tried = began.isAfter(tried) ? began : tried;
    silent = now;
    return true;
  }

  /**
   * A call was answered, be it with a refusal.
   *
   * @return who waited for that
   */
  synchronized List<Runnable> answered(String who, Instant now) {
    unanswered.remove(who);
    why = null;
    answered = now;
    List<Runnable> waited = List.copyOf(waiting.values());
    waiting.clear();
    return waited;
  }

  /** It is gone. */
  synchronized void forget(String who) {
    unanswered.remove(who);
    waiting.remove(who);
  }
}
