package dev.sluice.activities.application;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.api.common.HighAvailabilityMode;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells a JobManager that does not answer from one that is not there any more, by what Kubernetes
 * says. One instance for each attempt of an activity.
 */
final class ClusterPresence {

  private static final Duration CONFIRM = Duration.ofSeconds(5);

  /** A JobManager that is only restarted is there again by then, or runs its containers. */
  private static final Duration DOWN = Duration.ofSeconds(20);

  private final FrozenVersion version;
  private final Supplier<VersionLook> kubernetes;
  private final Throttle confirm;
  private final SettleTimer down;

  /**
   * @param kubernetes asks the API server for the cluster of the version; blocks
   */
  ClusterPresence(FrozenVersion version, Supplier<VersionLook> kubernetes, ClusterAccess access) {
    this.version = version;
    this.kubernetes = kubernetes;
    this.confirm = new Throttle(access.clock(), CONFIRM);
    this.down = new SettleTimer(access.clock(), DOWN);
  }

  /**
   * Looks at Flink, and where that does not answer, at Kubernetes.
   *
   * @param gone decides once it is certain that no JobManager is left which could know the job
   */
  <T> ProbeResult<T> orGone(Supplier<ProbeResult<T>> look, Supplier<ProbeResult<T>> gone) {
    try {
      return look.get();
    } catch (FlinkRestException.Unreachable silent) {
      if (confirm.isDue() && whyGone().isPresent()) {
        return gone.get();
      }
      throw silent;
    }
  }

  /** The same, where it is known beforehand what that decides. */
  <T> ProbeResult<T> orElse(Supplier<ProbeResult<T>> look, T gone) {
    return orGone(look, () -> ProbeResult.done(gone));
  }

  /** Why no JobManager is left which could know the job; empty while one may be. Blocks. */
  private Optional<String> whyGone() {
    VersionLook seen = kubernetes.get();
    if (seen.jobManager() == null) {
      return jobManagers(seen) ? Optional.empty() : Optional.of("its cluster is gone");
    }
    // with high availability the next JobManager has the job again
    boolean comesBack = HighAvailabilityMode.of(version.configuration()).isOn();
    if (comesBack || seen.pods().stream().anyMatch(ClusterPresence::runsJobManager)) {
      down.reset();
      return Optional.empty();
    }
    return down.reached()
        ? Optional.of("its JobManager is down, and without high availability it has lost its job")
        : Optional.empty();
  }

  private static boolean jobManagers(VersionLook seen) {
    return seen.pods().stream().anyMatch(VersionLook::isJobManager);
  }

  private static boolean runsJobManager(Pod pod) {
    return VersionLook.isJobManager(pod)
        && pod.getStatus() != null
        && pod.getStatus().getContainerStatuses().stream().anyMatch(ClusterPresence::runs);
  }

  private static boolean runs(ContainerStatus container) {
    return container.getState() != null && container.getState().getRunning() != null;
  }
}
