package dev.sluice.activities.application;

import dev.sluice.activities.application.ApplicationStatusWriter.Change;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.common.FrozenDocument;
import dev.sluice.workflows.application.ApplicationActivities.FreezeVersionRequest;
import dev.sluice.workflows.application.ApplicationDecision.Kind;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.FreezeVersionResult;
import dev.sluice.workflows.application.FreezeVersionResult.Changed;
import dev.sluice.workflows.application.FreezeVersionResult.Frozen;
import dev.sluice.workflows.application.FreezeVersionResult.Invalid;
import dev.sluice.workflows.application.VersionRef;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the newest spec the target of an application. */
final class VersionFreeze {

  private final FlinkApplicationStore store;
  private final ApplicationStatusWriter writer;
  private final Clusters clusters;
  private final ApplicationRules rules;
  private final Clock clock;

  /** What is asked of Kubernetes for a new version. Blocks. */
  interface Clusters {
    /** As {@link VersionClusters#name}. */
    VersionRef name(StoredApplication application, @Nullable Colour colour);

    /** As {@link VersionClusters#nameInPlace}. */
    VersionRef nameInPlace(StoredApplication application, VersionRef deployed);

    /** As {@link VersionClusters#problem}. */
    Optional<String> problem(VersionTarget target);

    /** Those of an application. */
    static Clusters of(VersionClusters all) {
      return new Clusters() {
        @Override
        public VersionRef name(StoredApplication application, @Nullable Colour colour) {
          return all.name(application.ref(), application.spec(), application.generation(), colour);
        }

        @Override
        public VersionRef nameInPlace(StoredApplication application, VersionRef deployed) {
          return all.nameInPlace(
              application.ref(), application.spec(), application.generation(), deployed);
        }

        @Override
        public Optional<String> problem(VersionTarget target) {
          return all.problem(target);
        }
      };
    }
  }

  VersionFreeze(
      FlinkApplicationStore store,
      ApplicationStatusWriter writer,
      Clusters clusters,
      ApplicationRules rules,
      Clock clock) {
    this.store = store;
    this.writer = writer;
    this.clusters = clusters;
    this.rules = rules;
    this.clock = clock;
  }

  /** As {@code ApplicationActivities.freeze}. */
  FreezeVersionResult freeze(FreezeVersionRequest request) {
    StoredApplication read = store.read(request.resource());
    if (read.generation() != request.generation()) {
      return new Changed(read.generation());
    }
    WantedVersion newest = new WantedVersion(read, rules);
    if (newest.problem() != null) {
      return new Invalid(newest.problem());
    }
    ApplicationRecord planned = request.plannedFor();
    ApplicationRecord record = read.record();
    VersionRef target = record.target();
    if (target != null && isFrozen(read, target, request)) {
      return frozen(read, record);
    }
    if (!record.equals(planned)) {
      throw outdated(record);
    }
    VersionRef version = name(read, request.kind(), record.deployed());
    Optional<String> problem =
        clusters.problem(VersionTarget.of(read.ref(), read.resource(), version, read.spec()));
    if (problem.isPresent()) {
      return new Invalid(problem.get());
    }
    // naming and the dry run took time: it is decided anew from what stands there then
    return writer.write(request.report(), now -> freeze(now, request, version));
  }

  private Change<FreezeVersionResult> freeze(
      StoredApplication now, FreezeVersionRequest request, VersionRef version) {
    if (now.generation() != request.generation()) {
      return new Change<>(now.status(), new Changed(now.generation()));
    }
    ApplicationRecord next = next(request, version, now.spec().savepointRedeployNonce());
    if (now.record().equals(next)) {
      return new Change<>(now.status(), frozen(now, next));
    }
    if (!now.record().equals(request.plannedFor())) {
      throw outdated(now.record());
    }
    Map<String, String> specs = new HashMap<>(now.specs());
    specs.put(ApplicationStatuses.key(version), document(now, next.deployed() == null));
    return new Change<>(
        ApplicationStatuses.with(now.status(), next, specs, clock.instant())
            .withDeploymentMode(now.spec().deploymentMode())
            .withReason(ReportedStatus.message(request.report())),
        frozen(now, next));
  }

  private FreezeVersionResult frozen(StoredApplication application, ApplicationRecord record) {
    FlinkApplicationSpec spec = application.spec();
    return new Frozen(
        record,
        new WantedVersion(application, rules).limits(Optional.empty()),
        "%s, parallelism %s".formatted(spec.image(), spec.parallelism()));
  }

  /** Whether an earlier attempt has frozen it, whatever else was there before. */
  private static boolean isFrozen(
      StoredApplication read, VersionRef target, FreezeVersionRequest request) {
    return !target.equals(request.plannedFor().target())
        && target.generation() == request.generation()
        && read.record().equals(next(request, target, read.spec().savepointRedeployNonce()));
  }

  private static ApplicationRecord next(
      FreezeVersionRequest request, VersionRef version, @Nullable Long nonce) {
    ApplicationRecord planned = request.plannedFor();
    return planned
        .in(
            request.kind() == Kind.IN_PLACE
                ? ApplicationPhase.RESCALING
                : ApplicationPhase.UPDATING)
        .with(planned.deployed(), version)
        .starting(planned.startFor(nonce))
        .taking(null);
  }

  private VersionRef name(StoredApplication application, Kind kind, @Nullable VersionRef deployed) {
    if (kind == Kind.IN_PLACE) {
      if (deployed == null) {
        throw FlinkApplicationStore.outdated("nothing is deployed that could be scaled in place");
      }
      return clusters.nameInPlace(application, deployed);
    }
    return clusters.name(application, colour(application.spec(), deployed));
  }

  /** The first version is green, as with Lyft's operator. */
  private static @Nullable Colour colour(FlinkApplicationSpec spec, @Nullable VersionRef deployed) {
    if (!spec.isBlueGreen()) {
      return null;
    }
    Colour other = deployed == null ? null : deployed.colour();
    return other == null ? Colour.GREEN : other.other();
  }

  static String document(StoredApplication application, boolean first) {
    return document(application.spec(), application.generation(), first);
  }

  static String document(FlinkApplicationSpec spec, long generation, boolean first) {
    return new FrozenDocument(FrozenDocument.tree(spec), generation, first, null)
        .toJson(FlinkApplication.API_VERSION);
  }

  private static RuntimeException outdated(ApplicationRecord record) {
    return FlinkApplicationStore.outdated(
        "the status says %s, which this was not planned for".formatted(record.standing()));
  }
}
