package dev.sluice.local.node.probe;

import dev.sluice.local.node.process.Attempt;
import io.fabric8.kubernetes.api.model.Container;
import java.time.Instant;

/**
 * A running container to probe.
 *
 * @param podUid its pod
 * @param ip the pod's address
 * @param container its spec
 * @param attempt which start of it
 * @param startedAt when it was started
 */
public record Target(
    String podUid, String ip, Container container, Attempt attempt, Instant startedAt) {

  /** Whether there is anything to probe. */
  boolean hasProbes() {
    return container.getStartupProbe() != null
        || container.getReadinessProbe() != null
        || container.getLivenessProbe() != null;
  }
}
