package dev.sluice.activities.application;

import dev.sluice.activities.application.ApplicationStatusWriter.Change;
import dev.sluice.workflows.application.ApplicationActivities.FreezeVersionRequest;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.application.FreezeVersionResult;
import dev.sluice.workflows.application.FreezeVersionResult.Changed;
import dev.sluice.workflows.application.FreezeVersionResult.Frozen;
import dev.sluice.workflows.application.VersionRef;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes over what Lyft's operator has deployed, and changes nothing of it. */
final class LyftAdoption {

  private final ApplicationStatusWriter writer;
  private final Found clusters;
  private final ApplicationRules rules;
  private final Clock clock;

  /** Finds the clusters of an application by its Deployments; blocks. */
  @FunctionalInterface
  interface Found {
    /** Those whose both Deployments are there. */
    List<VersionRef> of(StoredApplication application);
  }

  LyftAdoption(
      ApplicationStatusWriter writer, Found clusters, ApplicationRules rules, Clock clock) {
    this.writer = writer;
    this.clusters = clusters;
    this.rules = rules.unchecked();
    this.clock = clock;
  }

  /** What Lyft's operator has left in the status; null once it is adopted, or nothing is left. */
  @Nullable LyftLeft left(StoredApplication application) {
    return application.status().deployment() == null ? status(application).left() : null;
  }

  private LyftStatus status(StoredApplication application) {
    return new LyftStatus(application, clusters.of(application));
  }

  /** As {@code ApplicationActivities.adopt}. */
  FreezeVersionResult adopt(FreezeVersionRequest request) {
    return writer.write(request.report(), now -> adopt(now, request));
  }

  private Change<FreezeVersionResult> adopt(StoredApplication now, FreezeVersionRequest request) {
    VersionRef known = now.record().deployed();
    if (known != null && known.adopted() && known.generation() == request.generation()) {
      return new Change<>(now.status(), adopted(now, now.record()));
    }
    LyftStatus status = status(now);
    LyftLeft left = status.left();
    if (known != null || left == null) {
      throw FlinkApplicationStore.outdated("Lyft's operator has left nothing to take over");
    }
    if (now.generation() != request.generation()) {
      return new Change<>(now.status(), new Changed(now.generation()));
    }
    Map<String, String> specs = new HashMap<>();
    ApplicationRecord record = status.adopted(left.deployHash(), specs);
    if (now.isDeleting()) {
      record = LyftUnderway.of(now, record, status.whole(), clock);
    }
    return new Change<>(
        ApplicationStatuses.with(now.status(), record, specs, clock.instant())
            .withDeploymentMode(now.spec().deploymentMode())
            .withReason(ReportedStatus.message(request.report())),
        adopted(now, record));
  }

  private FreezeVersionResult adopted(StoredApplication now, ApplicationRecord record) {
    VersionRef deployed = Objects.requireNonNull(record.deployed());
    return new Frozen(
        record,
        new WantedVersion(now, rules).limits(Optional.empty()),
        "%s of Lyft's operator".formatted(deployed.display()));
  }
}
