package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The snapshots of the jobs of one kind of resources that Sluice sees to: {@link JobSnapshots}, and
 * where FlinkStateSnapshots are switched off, or not served, those that are taken into the status.
 *
 * @param <R> the kind of the resources
 */
public final class SnapshotRequests<R extends HasMetadata> {

  private final JobSnapshots<R> made;
  private final StatusCleanup statuses;
  private final StatusSnapshotRuns runs;

  /**
   * @param made those with a FlinkStateSnapshot
   * @param dispatcher starts the runs of what is taken without one
   */
  public SnapshotRequests(
      JobSnapshots<R> made,
      Clock clock,
      OperationDispatcher dispatcher,
      ReconcileIntervals intervals) {
    this.made = made;
    this.statuses = new StatusCleanup(clock, made.left());
    this.runs = new StatusSnapshotRuns(dispatcher, intervals);
  }

  /** As {@link JobSnapshots#eventSource}. */
  public Optional<EventSource<?, R>> eventSource(EventSourceContext<R> context) {
    return made.eventSource(context);
  }

  /** As {@link JobSnapshots#carryOut}. */
  public JobSnapshots.Outcome carryOut(
      SnapshotOwner seen, Context<R> context, FlinkConfiguration defaults, Runnable wake) {
    JobSnapshots.Outcome asked = made.carryOut(seen, context, defaults, wake);
    StatusCleanup.Cleaned history =
        statuses.carryOut(
            seen,
            asked.triggers(),
            made.others(seen.ref().namespace()),
            defaults,
            runs.isRemoving(seen.ref()));
    Duration running = runs.carryOut(seen, history.triggers(), wake);
    return asked.with(
        history.triggers(),
        Stream.concat(Stream.ofNullable(running), Stream.ofNullable(history.review())));
  }

  /** As {@link JobSnapshots#carryOutLast}. */
  public JobSnapshots.Outcome carryOutLast(SnapshotOwner seen) {
    return made.carryOutLast(seen);
  }

  /** The resource goes, and with it what was scheduled for it. */
  public void end(SnapshotOwner seen) {
    made.end(seen);
  }

  /** The resource is gone. */
  public void forget(ResourceRef ref) {
    made.forget(ref);
    statuses.forget(ref.uid());
    runs.forget(ref);
  }
}
