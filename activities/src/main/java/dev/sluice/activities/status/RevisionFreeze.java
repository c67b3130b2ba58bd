package dev.sluice.activities.status;

import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.revision.RevisionChoice;
import dev.sluice.activities.revision.RevisionChoice.Found;
import dev.sluice.activities.revision.RevisionChoice.NotFound;
import dev.sluice.activities.revision.SpecRevisions;
import dev.sluice.activities.status.RevisionFreeze.Result.Nothing;
import dev.sluice.activities.status.RevisionFreeze.Result.Target;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRevisionRequest;
import dev.sluice.workflows.activity.ResourceActivities.OperationReport;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the earlier spec that a person goes back to. Blocks for one call to the API server. */
final class RevisionFreeze {

  private final SpecRevisions revisions;

  RevisionFreeze(SpecRevisions revisions) {
    this.revisions = revisions;
  }

  /** What is to be frozen. */
  sealed interface Result {

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
    PlannedFor.check(resource, request.plannedFor(), request.plannedFor());
    ResourceRef ref = request.resource();
    long deployed = resource.frozen().map(it -> it.target().generation()).orElse(0L);
    RevisionChoice choice =
        RevisionChoice.of(
            revisions.known(ref, resource),
            deployed,
            annotation(resource, Annotations.ROLLBACK_TO),
            annotation(resource, Annotations.ROLLBACK_STATE));
    if (choice instanceof NotFound not) {
      return new Nothing(not.problem());
    }
    Found found = (Found) choice;
    StateRef from = found.from();
    RestorePoint recorded =
        from == null ? null : new RestorePoint(from, request.runningJob(), request.startedJob());
    return new Target(found.spec(), recorded, report(request.report(), found, reason(resource)));
  }

  private static OperationReport report(OperationReport asked, Found found, String reason) {
    StateRef from = found.from();
    return asked.saying(
        "Rolling back to generation %d, from %s%s"
            .formatted(
                found.spec().target().generation(),
                from == null ? "the newest state of the job" : from.display(),
                reason.isEmpty() ? "" : ": " + reason));
  }

  private static String reason(StoredResource resource) {
    String text = annotation(resource, Annotations.ROLLBACK);
    return text == null ? "" : text;
  }

  private static @Nullable String annotation(StoredResource resource, String name) {
    Map<String, String> annotations = resource.metadata().getAnnotations();
    String value = annotations == null ? null : annotations.get(name);
    return value == null || value.isBlank() ? null : value.trim();
  }
}
