package dev.sluice.local.node.pod;

import dev.sluice.local.node.probe.Health;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.Attempt.Ended;
import dev.sluice.local.node.process.Attempt.Running;
import dev.sluice.local.node.process.Attempt.Starting;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is seen of one container.
 *
 * @param attempt number of the newest attempt; -1 before the first
 * @param process that attempt's process; null before the first
 * @param before how the attempt before it ended; null when there was none
 * @param delay the back-off that holds when the newest attempt ends; null before the first restart
 * @param asked when its process was asked to end; null when it was not
 * @param killed whether it was killed after that
 * @param health what its probes say of the newest attempt
 * @param blocked why the last try to start it came to nothing; null when it did not
 */
public record ContainerView(
    int attempt,
    Attempt.@Nullable State process,
    @Nullable Ended before,
    @Nullable Duration delay,
    @Nullable Instant asked,
    boolean killed,
    Health health,
    @Nullable Blocked blocked) {

  /**
   * A start that was not possible, or is not yet.
   *
   * @param reason the kubelet's word
   * @param message in words; null for none
   * @param nextTry when to try again
   */
  public record Blocked(String reason, @Nullable String message, Instant nextTry) {}

  /** A container that has not been started yet. */
  public static ContainerView untouched(@Nullable Blocked blocked) {
    return new ContainerView(-1, null, null, null, null, false, Health.NONE, blocked);
  }

  /** Whether there is, or is about to be, a process. */
  public boolean alive() {
    return process instanceof Running || process instanceof Starting;
  }

  /** How the newest attempt ended; empty when it has not. */
  public Optional<Ended> ended() {
    return process instanceof Ended ended ? Optional.of(ended) : Optional.empty();
  }

  /** Its process; empty when it does not run. */
  public Optional<Running> running() {
    return process instanceof Running running ? Optional.of(running) : Optional.empty();
  }
}
