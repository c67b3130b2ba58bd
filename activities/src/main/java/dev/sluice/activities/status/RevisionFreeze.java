package dev.sluice.activities.status;

import dev.sluice.activities.cluster.Outdated;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.revision.RevisionChoice;
import dev.sluice.activities.revision.RevisionChoice.Found;
import dev.sluice.activities.revision.RevisionChoice.NotFound;
import dev.sluice.activities.revision.SpecRevisions;
import dev.sluice.activities.status.RevisionFreeze.Result.Nothing;
import dev.sluice.activities.status.RevisionFreeze.Result.Target;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRevisionRequest;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the earlier spec that a rollback request asks for, and whether Kubernetes takes it. Blocks
 * for some calls to the API server.
 */
final class RevisionFreeze {

  private final SpecRevisions revisions;
  private final TargetFreeze freeze;

  RevisionFreeze(SpecRevisions revisions, TargetFreeze freeze) {
    this.revisions = revisions;
    this.freeze = freeze;
  }

  /** What to freeze. */
  sealed interface Result {

    /** What the workflow is told. */
    default FreezeResult answer(StoredResource resource) {
      return this instanceof Target target
          ? TargetFreeze.frozen(resource, target.spec())
          : new FreezeResult.Invalid(((Nothing) this).problem());
    }

    /**
     * An earlier spec.
     *
     * @param recorded what its job starts from; null for what the job that runs leaves
     * @param report what to write into {@code status.operation}
     */
    record Target(TargetSpec spec, @Nullable RestorePoint recorded, OperationReport report)
        implements Result {}

    /** Nothing, for that problem. */
    record Nothing(String problem) implements Result {}
  }

  /** The spec of a rollback that was begun before. */
  static Optional<TargetSpec> begun(StoredResource resource) {
    return resource.observed().phase() == Phase.ROLLING_BACK ? resource.frozen() : Optional.empty();
  }

  /** Finds it. */
  Result find(StoredResource resource, FreezeRevisionRequest request) {
    Outdated.check(resource, request.plannedFor(), request.plannedFor());
    String problem = notAsked(resource);
    if (problem != null) {
      return new Nothing(problem);
    }
    long deployed = resource.frozen().map(it -> it.target().generation()).orElse(0L);
    RevisionChoice choice =
        RevisionChoice.of(
            revisions.known(request.resource(), resource),
            deployed,
            RollbackRequest.of(resource).to(),
            RollbackRequest.of(resource).state());
    if (choice instanceof NotFound not) {
      return new Nothing(not.problem());
    }
    Found found = (Found) choice;
    return freeze
        .problem(found.spec(), resource.cluster(), request.resource())
        .<Result>map(Nothing::new)
        .orElseGet(
            () ->
                new Target(
                    found.spec(),
                    recorded(found, resource, request),
                    report(request.report(), found, RollbackRequest.of(resource).reason())));
  }

  /** Kubernetes says what is asked for, and once: a run may be reset, or started twice. */
  private static @Nullable String notAsked(StoredResource resource) {
    if (!RollbackRequest.of(resource).isThere()) {
      return "the annotation " + Annotations.ROLLBACK + " is not there (any more)";
    }
    boolean newerSpec = !resource.observed().newest().sameAsFrozen();
    return newerSpec && RollbackRequest.of(resource).to() == null
        ? "generation %d is not what is deployed. To go back further all the same, name the generation with %s"
            .formatted(resource.newest().target().generation(), Annotations.ROLLBACK_TO)
        : null;
  }

  /** The newest state of a suspended job is the one that it left. */
  private static @Nullable RestorePoint recorded(
      Found found, StoredResource resource, FreezeRevisionRequest request) {
    RestorePoint left = resource.observed().recorded();
    if (found.from() != null) {
      return new RestorePoint(found.from(), request.runningJob(), request.startedJob());
    }
    return left == null
        ? null
        : RestorePoint.of(left.state(), left.takenFrom(), request.startedJob());
  }

  private static OperationReport report(OperationReport asked, Found found, String reason) {
    StateRef from = found.from();
    return asked.withMessage(
        "Rolling back to generation %d, from %s%s"
            .formatted(
                found.spec().target().generation(),
                from == null ? "the newest state of the job" : from.display(),
                reason.isEmpty() ? "" : ": " + reason));
  }
}
