package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The snapshots of the jobs of one kind of resources that Sluice sees to: {@link JobSnapshots}, and
 * where FlinkStateSnapshots are switched off, or not served, those that are taken into the status.
 *
 * @param <R> the kind of the resources
 */
public final class SnapshotRequests<R extends HasMetadata> {

  private final JobSnapshots<R> made;
  private final StatusSnapshotRuns runs;

  /**
   * @param made those with a FlinkStateSnapshot
   * @param dispatcher starts the runs of what is taken without one
   */
  public SnapshotRequests(
      JobSnapshots<R> made, OperationDispatcher dispatcher, ReconcileIntervals intervals) {
    this.made = made;
    this.runs = new StatusSnapshotRuns(dispatcher, intervals);
  }

  /** As {@link JobSnapshots#eventSource}. */
  public Optional<EventSource<?, R>> eventSource(EventSourceContext<R> context) {
    return made.eventSource(context);
  }

  /**
   * Name of a snapshot of the job of a FlinkDeployment, or of a job on its session cluster, that
   * Flink is taking; empty when none is known.
   */
  Optional<String> inProgress(SnapshotOwner seen) {
    SnapshotCleanup.Others others = made.others(seen.ref().namespace());
    return inProgress(seen, others.snapshots().get(), others.resources().get());
  }

  static Optional<String> inProgress(
      SnapshotOwner seen,
      Collection<FlinkStateSnapshot> inNamespace,
      Collection<HasMetadata> known) {
    Set<JobReference> jobs = ReferencedJobs.onClusterOf(seen.ref(), known);
    Stream<String> resources =
        inNamespace.stream()
            .filter(it -> it.getStatus().state() == SnapshotState.IN_PROGRESS)
            .filter(it -> jobs.contains(it.getSpec().jobReference()))
            .map(it -> it.getMetadata().getName());
    Stream<String> inStatus =
        Stream.of(SnapshotType.values())
            .flatMap(type -> Stream.ofNullable(seen.status().snapshotsOrNone().of(type)))
            .filter(it -> SnapshotInStatus.status(it).state() == SnapshotState.IN_PROGRESS)
            .flatMap(it -> Stream.ofNullable(it.name()));
    return Stream.concat(resources, inStatus).findFirst();
  }

  /** As {@link JobSnapshots#carryOut}. */
  public JobSnapshots.Outcome carryOut(
      SnapshotOwner seen, Context<R> context, FlinkConfiguration defaults, Runnable wake) {
    JobSnapshots.Outcome asked = made.carryOut(seen, context, defaults, wake);
    Duration running = runs.carryOut(seen, wake);
    return asked.with(asked.triggers(), Stream.ofNullable(running));
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
    runs.forget(ref);
  }
}
