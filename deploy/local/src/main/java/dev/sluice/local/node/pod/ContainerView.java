package dev.sluice.local.node.pod;

import dev.sluice.local.node.probe.ContainerProbes.Health;
import dev.sluice.local.node.process.Attempt;
import dev.sluice.local.node.process.Attempt.Ended;
import dev.sluice.local.node.process.Attempt.Running;
import dev.sluice.local.node.process.Attempt.Starting;
import io.fabric8.kubernetes.api.model.Container;
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
 * @param terminationRequestedAt when its process was asked to end; null when it was not
 * @param killed whether it was killed after that
 * @param health what its probes say of the newest attempt
 * @param blocked why the last try to start it came to nothing; null when it did not
 */
record ContainerView(
    Container container,
    int attempt,
    Attempt.@Nullable State process,
    @Nullable Ended before,
    @Nullable Duration delay,
    @Nullable Instant terminationRequestedAt,
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
  record Blocked(String reason, @Nullable String message, Instant nextTry) {}

  String name() {
    return container.getName();
  }

  /** Whether there is, or is about to be, a process. */
  boolean alive() {
    return process instanceof Running || process instanceof Starting;
  }

  /** How the newest attempt ended; empty when it has not. */
  Optional<Ended> ended() {
    return process instanceof Ended ended ? Optional.of(ended) : Optional.empty();
  }

  boolean succeeded() {
    return process instanceof Ended ended && ended.exitCode() == 0;
  }

  Optional<Running> running() {
    return process instanceof Running running ? Optional.of(running) : Optional.empty();
  }
}
