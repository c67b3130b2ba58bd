package dev.sluice.controller.deployment;

import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.SnapshotResources;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.SnapshotInStatus;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.ScheduleDispatcher;
import dev.sluice.controller.snapshot.SnapshotCreation;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The FlinkStateSnapshots of a job that Sluice makes: those of a nonce and of what operations took,
 * while periodic ones are scheduled; the ones that are too many are deleted. Where they are
 * switched off, or not served, what a nonce or a period asks for is taken into the status.
 */
public final class SnapshotRequests {

  private final ManualSnapshots manual;
  private final UpgradeSnapshots upgrades;
  private final PeriodicSchedules periodic;
  private final SnapshotCleanup cleanup;
  private final StatusCleanup statuses;
  private final StatusSnapshotRuns runs;
  private final boolean served;
  private volatile @Nullable InformerEventSource<FlinkStateSnapshot, FlinkDeployment> snapshots;

  /**
   * @param client makes and deletes them
   * @param schedules keeps what is taken periodically
   * @param runs starts those of what is taken without a FlinkStateSnapshot
   * @param served whether the API server knows FlinkStateSnapshots
   */
  private SnapshotRequests(
      KubernetesClient client,
      Clock clock,
      ScheduleDispatcher schedules,
      StatusSnapshotRuns runs,
      boolean served) {
    SnapshotCreation creation = new SnapshotCreation(client, clock);
    this.manual = new ManualSnapshots(new SnapshotTries(creation, clock));
    this.upgrades = new UpgradeSnapshots(new SnapshotTries(creation, clock), served);
    this.periodic = new PeriodicSchedules(schedules);
    this.cleanup = new SnapshotCleanup(client, clock);
    this.statuses = new StatusCleanup(clock);
    this.runs = runs;
    this.served = served;
  }

  /**
   * Wires it.
   *
   * @param client makes and deletes them
   * @param schedules keeps what is taken periodically
   * @param dispatcher starts the runs of what is taken without a FlinkStateSnapshot
   * @param served whether the API server knows FlinkStateSnapshots
   */
  public static SnapshotRequests of(
      KubernetesClient client,
      Clock clock,
      ScheduleDispatcher schedules,
      OperationDispatcher dispatcher,
      ReconcileIntervals intervals,
      boolean served) {
    return new SnapshotRequests(
        client, clock, schedules, new StatusSnapshotRuns(dispatcher, intervals), served);
  }

  /**
   * What came of it.
   *
   * @param triggers for the status
   * @param handled values of annotations that are answered, by the type of snapshot
   * @param review when to look again; empty when not
   */
  record Outcome(
      SnapshotTriggers triggers,
      Map<SnapshotType, String> handled,
      List<StatusEvent> events,
      Optional<Duration> review) {

    /** The status with what came of it. */
    FlinkDeploymentStatus in(FlinkDeploymentStatus status) {
      HandledRequests requests =
          Objects.requireNonNullElse(status.requests(), HandledRequests.NONE);
      for (Map.Entry<SnapshotType, String> answered : handled.entrySet()) {
        requests = requests.with(answered.getKey(), answered.getValue());
      }
      return status
          .withSnapshotTriggers(triggers.orNull())
          .withRequests(requests.equals(HandledRequests.NONE) ? null : requests);
    }
  }

  /** Wakes a resource when a snapshot of its history has changed; knows all the others, too. */
  Optional<EventSource<?, FlinkDeployment>> eventSource(
      EventSourceContext<FlinkDeployment> context) {
    if (!served) {
      return Optional.empty();
    }
    var source =
        new InformerEventSource<FlinkStateSnapshot, FlinkDeployment>(
            InformerEventSourceConfiguration.from(FlinkStateSnapshot.class, FlinkDeployment.class)
                .withSecondaryToPrimaryMapper(SnapshotRequests::ownerOf)
                .withNamespacesInheritedFromController()
                .build(),
            context);
    snapshots = source;
    return Optional.of(source);
  }

  private Collection<FlinkStateSnapshot> inNamespace(String namespace) {
    return Objects.requireNonNull(snapshots, "event sources are made before anything is reconciled")
        .list(namespace, it -> true)
        .toList();
  }

  /** Name of a snapshot of its job that Flink is taking; empty when none is known. */
  Optional<String> inProgress(DeploymentSnapshot seen) {
    return inProgress(seen, served ? inNamespace(seen.ref().namespace()) : List.of());
  }

  static Optional<String> inProgress(
      DeploymentSnapshot seen, Collection<FlinkStateSnapshot> inNamespace) {
    JobReference job = new JobReference(JobKind.FLINK_DEPLOYMENT, seen.ref().name());
    Stream<String> resources =
        inNamespace.stream()
            .filter(it -> it.getStatus().state() == SnapshotState.IN_PROGRESS)
            .filter(it -> job.equals(it.getSpec().jobReference()))
            .map(it -> it.getMetadata().getName());
    Stream<String> inStatus =
        Stream.of(SnapshotType.values())
            .flatMap(type -> Stream.ofNullable(seen.status().snapshotsOrNone().of(type)))
            .filter(it -> SnapshotInStatus.status(it).state() == SnapshotState.IN_PROGRESS)
            .flatMap(it -> Stream.ofNullable(it.name()));
    return Stream.concat(resources, inStatus).findFirst();
  }

  private static Set<ResourceID> ownerOf(FlinkStateSnapshot snapshot) {
    Map<String, String> labels =
        Objects.requireNonNullElse(snapshot.getMetadata().getLabels(), Map.of());
    String name = labels.get(SnapshotLabels.REFERENCE_NAME);
    boolean ofHistory =
        FlinkDeployment.KIND.equals(labels.get(SnapshotLabels.REFERENCE_KIND))
            && RequestedSnapshot.isOfHistory(
                snapshot, labels.getOrDefault(Labels.REFERENCE_UID, ""));
    return name == null || !ofHistory
        ? Set.of()
        : Set.of(new ResourceID(name, snapshot.getMetadata().getNamespace()));
  }

  /**
   * Carries out what the newest spec asks for.
   *
   * @param all resources that may be started from a snapshot
   * @param defaults the operator's Flink configuration for the resource, as it is now
   * @param wake brings the resource back
   */
  Outcome carryOut(
      DeploymentSnapshot seen,
      Context<FlinkDeployment> context,
      Supplier<Collection<FlinkDeployment>> all,
      FlinkConfiguration defaults,
      Runnable wake) {
    boolean resources = served && SnapshotResources.isEnabled(seen.operatorConfiguration());
    SnapshotCleanup.Others others =
        new SnapshotCleanup.Others(
            all, () -> served ? inNamespace(seen.ref().namespace()) : List.of());
    ManualSnapshots.Made made = manual.carryOut(seen, resources, others.snapshots());
    UpgradeSnapshots.Made told = upgrades.carryOut(seen, made.triggers());
    PeriodicSchedules.Kept kept = periodic.carryOut(seen, wake);
    StatusCleanup.Cleaned history = statuses.carryOut(seen, told.triggers(), others, defaults);
    Duration running = runs.carryOut(seen, history.triggers(), wake);
    SnapshotCleanup.Cleaned cleaned =
        served
            ? cleanup.carryOut(
                seen, context.getSecondaryResources(FlinkStateSnapshot.class), others, defaults)
            : new SnapshotCleanup.Cleaned(List.of(), null);
    return new Outcome(
        history.triggers(),
        made.handled(),
        Stream.of(made.events(), told.events(), kept.events(), cleaned.events())
            .flatMap(Collection::stream)
            .toList(),
        Stream.of(
                Stream.ofNullable(made.review()),
                Stream.ofNullable(told.review()),
                Stream.ofNullable(kept.review()),
                Stream.ofNullable(running),
                Stream.ofNullable(history.review()),
                Stream.ofNullable(cleaned.review()))
            .flatMap(Function.identity())
            .min(Duration::compareTo));
  }

  /**
   * The resource is being deleted: what its job left is made known first.
   *
   * @return with a review as long as the resource has to stay for that
   */
  Outcome carryOutLast(DeploymentSnapshot seen) {
    UpgradeSnapshots.Made told = upgrades.last(seen, SnapshotNonces.known(seen));
    return new Outcome(
        told.triggers(), Map.of(), told.events(), Optional.ofNullable(told.review()));
  }

  /** The resource goes, and with it what was scheduled for it. */
  void end(DeploymentSnapshot seen) {
    periodic.end(seen);
  }

  /** The resource is gone. */
  void forget(ResourceRef ref) {
    manual.forget(ref.uid());
    upgrades.forget(ref.uid());
    cleanup.forget(ref.uid());
    runs.forget(ref);
    for (SnapshotType type : SnapshotType.values()) {
      periodic.forget(ref, type);
    }
  }
}
