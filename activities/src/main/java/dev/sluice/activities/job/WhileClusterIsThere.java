package dev.sluice.activities.job;

import dev.sluice.activities.cluster.ClusterView;
import dev.sluice.activities.watch.Outcome;
import dev.sluice.workflows.lane.FailureType;
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
  private final ClusterView view;
  private final Freshness missing;
  private final Supplier<CompletableFuture<Outcome<T>>> look;

  WhileClusterIsThere(
      ResourceRef ref,
      ClusterView view,
      Clock clock,
      Supplier<CompletableFuture<Outcome<T>>> look) {
    this.ref = ref;
    this.view = view;
    this.missing = new Freshness(clock, MISSING);
    this.look = look;
  }

  CompletableFuture<Outcome<T>> look() {
    if (view.deployment(ref).isPresent()) {
      missing.reset();
    } else if (missing.reached()) {
      return CompletableFuture.completedFuture(
          Outcome.failed(
              FailureType.STATE_NOT_FOUND,
              "the JobManager Deployment of %s is gone, so the job cannot be asked for its state"
                  .formatted(ref.display())));
    }
    return look.get();
  }
}
