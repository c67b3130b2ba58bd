package dev.sluice.activities.status;

import dev.sluice.activities.cluster.ManifestApply;
import dev.sluice.activities.cluster.Outdated;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRequest;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the newest spec the target, once it is known that it can be deployed: whatever is wrong
 * with it shows before the old job is stopped.
 */
final class TargetFreeze {

  /** Stands for the job id and the state in the objects that are only checked. */
  private static final String SOME_JOB = "0".repeat(32);

  private static final StateRef SOME_STATE = new StateRef.Empty("only checked");

  private final WorkflowStatusWriter writer;
  private final ManifestApply manifests;

  TargetFreeze(WorkflowStatusWriter writer, ManifestApply manifests) {
    this.writer = writer;
    this.manifests = manifests;
  }

  /**
   * Freezes what was read. Blocks for some calls to the API server.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException with code 409 when it is not the
   *     newest version any more
   */
  FreezeResult freeze(
      ResourceStore store, StoredResource resource, FreezeRequest request, Instant now) {
    Outdated.check(
        resource,
        request.plannedFor(),
        request
            .plannedFor()
            .upgradingTo(request.generation(), request.keepRecorded(), request.stop()));
    TargetSpec newest = resource.newest();
    long generation = newest.target().generation();
    if (generation != request.generation()) {
      return takenOver(store, resource, request, now)
          .orElseGet(() -> new FreezeResult.Changed(generation));
    }
    String invalid = resource.problem();
    if (invalid != null) {
      return new FreezeResult.Invalid(invalid, true);
    }
    Checked checked = check(newest, resource.cluster(), request.resource());
    if (checked.problem() != null) {
      return new FreezeResult.Invalid(checked.problem());
    }
    writer.write(
        store.type(),
        request.resource(),
        resource,
        before -> StatusChange.freeze(before, newest.json(), request, now));
    FreezeResult.Frozen frozen = told(resource, newest);
    return checked.warning() == null ? frozen : frozen.warning(checked.warning());
  }

  /** What the workflow is told: a failed resume is not rolled back, it would only suspend again. */
  static FreezeResult.Frozen told(StoredResource resource, TargetSpec spec) {
    FreezeResult.Frozen frozen = frozen(resource, spec);
    Observation.Target stable = resource.stable().map(TargetSpec::target).orElse(null);
    if (stable == null) {
      return frozen;
    }
    if (stable.suspended()) {
      return frozen.neverRolledBack();
    }
    return stable.upgradeMode() == UpgradeMode.STATELESS ? frozen.overStateless() : frozen;
  }

  /** With what the resource asks for now, whichever of its specs it is. */
  static FreezeResult.Frozen frozen(StoredResource resource, TargetSpec spec) {
    return spec.frozen().stableAfter(resource.stableAfter().orElse(StableAfter.NONE));
  }

  /**
   * An operation for that generation is begun, by this run or one that was lost, or it is being
   * rolled back to: it goes on.
   */
  private Optional<FreezeResult> takenOver(
      ResourceStore store, StoredResource resource, FreezeRequest request, Instant now) {
    boolean begun = resource.observed().isBegun();
    Optional<TargetSpec> frozen =
        resource
            .frozen()
            .filter(target -> begun && target.target().generation() == request.generation());
    frozen.ifPresent(
        target ->
            writer.write(
                store.type(),
                request.resource(),
                resource,
                before -> StatusChange.freeze(before, target.json(), request, now)));
    return frozen.map(target -> told(resource, target));
  }

  /** Why Kubernetes would not take the cluster of that spec; empty when it would. */
  Optional<String> problem(TargetSpec spec, ClusterRef cluster, ResourceRef ref) {
    return Optional.ofNullable(check(spec, cluster, ref).problem());
  }

  private Checked check(TargetSpec spec, ClusterRef cluster, ResourceRef ref) {
    if (!spec.hasCluster()) {
      return new Checked(null, null);
    }
    try {
      Optional<String> warning =
          manifests.check(spec.render(new JobRef(cluster, SOME_JOB), SOME_STATE), ref);
      return new Checked(null, warning.orElse(null));
    } catch (IllegalArgumentException unrenderable) {
      return new Checked(String.valueOf(unrenderable.getMessage()), null);
    } catch (ApplicationFailure refused) {
      if (refused.isNonRetryable() && FailureType.REFUSED.equals(refused.getType())) {
        return new Checked(refused.getOriginalMessage(), null);
      }
      throw refused;
    }
  }

  /**
   * What Kubernetes says of a cluster.
   *
   * @param problem why it would not take it; null when it would
   * @param warning what of it could not be checked; null when everything was
   */
  private record Checked(@Nullable String problem, @Nullable String warning) {}
}
