package dev.sluice.controller.application;

import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.ClusterStatus;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.application.VersionStatus;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.reconcile.StatusProjection;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which fields of an application's status are the controller's, and what they are to say. */
final class ApplicationStatusFields
    implements StatusProjection<FlinkApplication, FlinkApplicationStatus, SeenApplication> {

  private final Clock clock;

  /** Dates conditions by this clock. */
  ApplicationStatusFields(Clock clock) {
    this.clock = clock;
  }

  @Override
  public FlinkApplicationStatus project(SeenApplication seen, ReconcileAction decision) {
    FlinkApplicationStatus before = owned(seen.resource());
    if (tooEarly(seen, before)) {
      return before.withRequests(seen.requests().handled());
    }
    ConditionHistory history =
        ConditionHistory.of(
            new ApplicationStatusView(before)::condition, seen.generation(), clock.instant());
    ObservedVersion shown = seen.shown().orElse(null);
    return FlinkApplicationStatus.EMPTY
        .withClusterStatus(
            shown == null ? null : statuses(seen, shown).cluster(lastCluster(before, shown)))
        .withJobStatus(
            shown == null
                ? null
                : statuses(seen, shown).job(LostVersion.lastOf(seen, shown).orElse(null)))
        .withVersionStatuses(versions(seen, before))
        .withObservedGeneration(seen.generation())
        .withConditions(new ApplicationConditions(seen, decision, history).all())
        .withRequests(seen.requests().handled());
  }

  /** While the answer of Flink is on its way, half of a new status is worse than the old one. */
  private static boolean tooEarly(SeenApplication seen, FlinkApplicationStatus before) {
    return seen.phase().isIdle()
        && Objects.equals(before.observedGeneration(), seen.generation())
        && !before.conditions().isEmpty()
        && seen.running().stream()
            .anyMatch(it -> it.flink() instanceof Pending && it.cluster().answerable());
  }

  private static VersionStatuses statuses(SeenApplication seen, ObservedVersion version) {
    return new VersionStatuses(seen.ref(), version, seen.at());
  }

  /** The deployed version first; in mode Dual there is only one. */
  private static List<VersionStatus> versions(SeenApplication seen, FlinkApplicationStatus before) {
    return Stream.of(seen.observed().deployed(), seen.observed().target())
        .flatMap(Optional::stream)
        .filter(version -> version.ref().colour() != null)
        .map(
            version ->
                new VersionStatus(
                    version.ref().colour(),
                    version.ref().hash(),
                    statuses(seen, version).cluster(lastCluster(before, version)),
                    statuses(seen, version).job(LostVersion.lastOf(seen, version).orElse(null))))
        .toList();
  }

  private static @Nullable ClusterStatus lastCluster(
      FlinkApplicationStatus before, ObservedVersion version) {
    ApplicationJobStatus job = before.jobStatus();
    boolean same = job != null && Objects.equals(job.jobID(), version.ref().jobId());
    return before.versionStatuses().stream()
        .filter(it -> Objects.equals(it.versionHash(), version.ref().hash()))
        .map(VersionStatus::clusterStatus)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(same ? before.clusterStatus() : null);
  }

  @Override
  public FlinkApplicationStatus owned(FlinkApplication resource) {
    FlinkApplicationStatus status = resource.getStatus();
    return FlinkApplicationStatus.EMPTY
        .withClusterStatus(status.clusterStatus())
        .withJobStatus(status.jobStatus())
        .withVersionStatuses(status.versionStatuses())
        .withObservedGeneration(status.observedGeneration())
        .withConditions(status.conditions())
        .withRequests(status.requests());
  }
}
