package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterCache;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.resource.ResourceRef;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Ends a wait for the state of a job when its cluster is gone (deleted by hand, or with its
 * namespace): nobody is left to answer, and the deadline of a savepoint is far away.
 */
final class WhileClusterIsThere<T> {

  // far longer than a watch lags behind, or takes to begin
  private static final Duration MISSING = Duration.ofSeconds(30);

  private final ResourceRef ref;
  private final ClusterCache view;
  private final SettleTimer missing;
  private final Supplier<CompletableFuture<ProbeResult<T>>> look;

  WhileClusterIsThere(
      ResourceRef ref,
      ClusterCache view,
      Clock clock,
      Supplier<CompletableFuture<ProbeResult<T>>> look) {
    this.ref = ref;
    this.view = view;
    this.missing = new SettleTimer(clock, MISSING);
    this.look = look;
  }

  CompletableFuture<ProbeResult<T>> look() {
    if (view.deployment(ref).isPresent()) {
      missing.reset();
    } else if (missing.reached()) {
      return CompletableFuture.completedFuture(
          ProbeResult.failed(
              FailureType.STATE_NOT_FOUND,
              "the JobManager Deployment of %s is gone, so the job cannot be asked for its state"
                  .formatted(ref.display())));
    }
    return look.get();
  }
}
