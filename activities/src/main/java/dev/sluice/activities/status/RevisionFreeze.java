package dev.sluice.activities.status;

import dev.sluice.activities.cluster.Outdated;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.revision.RevisionChoice;
import dev.sluice.activities.revision.SpecRevisions;
import dev.sluice.api.Annotations;
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

  /** The spec of a rollback that was begun before. */
  static Optional<TargetSpec> begun(StoredResource resource) {
    return resource.observed().phase() == Phase.ROLLING_BACK ? resource.frozen() : Optional.empty();
  }

  /** Finds it. A request is carried out once, also by a run that is reset or started twice. */
  RevisionChoice find(StoredResource resource, FreezeRevisionRequest request) {
    Outdated.check(resource, request.plannedFor(), request.plannedFor());
    RollbackRequest asked = RollbackRequest.of(resource);
    if (!asked.isThere()) {
      return RevisionChoice.none(
          "the annotation " + Annotations.ROLLBACK + " is not there (any more)");
    }
    if (!resource.observed().newest().sameAsFrozen() && asked.to() == null) {
      return RevisionChoice.none(
          "generation %d is not what is deployed. To go back further all the same, name the generation with %s"
              .formatted(resource.newest().target().generation(), Annotations.ROLLBACK_TO));
    }
    long deployed = resource.frozen().map(it -> it.target().generation()).orElse(0L);
    RevisionChoice choice =
        RevisionChoice.of(
            revisions.known(request.resource(), resource), deployed, asked.to(), asked.state());
    return Optional.ofNullable(choice.spec())
        .flatMap(spec -> freeze.problem(spec, resource.cluster(), request.resource()))
        .map(RevisionChoice::none)
        .orElse(choice);
  }

  /** The newest state of a suspended job is the one that it left. */
  static @Nullable RestorePoint recorded(
      @Nullable StateRef from, StoredResource resource, FreezeRevisionRequest request) {
    RestorePoint left = resource.observed().recorded();
    if (from != null) {
      return new RestorePoint(from, request.runningJob(), request.startedJob());
    }
    return left == null
        ? null
        : RestorePoint.of(left.state(), left.takenFrom(), request.startedJob());
  }

  static OperationReport report(
      OperationReport asked, TargetSpec spec, @Nullable StateRef from, String reason) {
    return asked.withMessage(
        "Rolling back to generation %d, from %s%s"
            .formatted(
                spec.target().generation(),
                from == null ? "the newest state of the job" : from.display(),
                reason.isEmpty() ? "" : ": " + reason));
  }
}
