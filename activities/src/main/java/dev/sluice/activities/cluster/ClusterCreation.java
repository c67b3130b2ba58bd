package dev.sluice.activities.cluster;

import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import java.util.Optional;

/**
 * Applies the manifests of the frozen target: the configuration, which says for which job it is,
 * first, the Deployments last.
 */
final class ClusterCreation {

  private final ResourceStore store;
  private final ClusterReader clusters;
  private final ManifestApply manifests;
  private final EffectWindow window;

  /**
   * @param window no write begins after it
   */
  ClusterCreation(
      ResourceStore store, ClusterReader clusters, ManifestApply manifests, EffectWindow window) {
    this.window = window;
    this.store = store;
    this.clusters = clusters;
    this.manifests = manifests;
  }

  /** Creates it, unless it is there. Blocks. */
  void create(CreateClusterRequest request) {
    TargetSpec target = target(request);
    Optional<Deployment> there = clusters.deployment(request.job().cluster());
    if (there.isPresent()
        && isDone(there.get(), request)
        && hasTaskManagers(there.get(), request)) {
      return;
    }
    if (request.restoreFrom() instanceof StateRef.HaMetadata metadata) {
      mustBeThere(metadata, request.job().cluster());
    }
    manifests.apply(render(target, request), request.resource(), window);
  }

  /** They are made after the JobManager: an attempt may have ended in between. */
  private boolean hasTaskManagers(Deployment jobManager, CreateClusterRequest request) {
    return !ClusterSelector.isStandalone(jobManager)
        || clusters
            .taskManagers(request.job().cluster())
            .filter(found -> found.getMetadata().getDeletionTimestamp() == null)
            .filter(found -> Ownership.isOwnedBy(found, jobManager))
            .isPresent();
  }

  /** Flink itself would find out later, and end the job, whose id cannot be used again then. */
  private void mustBeThere(StateRef.HaMetadata metadata, ClusterRef cluster) {
    boolean there =
        HighAvailabilityMetadata.hasCheckpoint(
            cluster, metadata.jobId(), clusters.highAvailability(cluster));
    if (!there) {
      throw Outdated.failure("the %s has no checkpoint any more".formatted(metadata.display()));
    }
  }

  private TargetSpec target(CreateClusterRequest request) {
    return new PlannedStart(
            request.resource(), request.job().jobId(), request.generation(), request.restoreFrom())
        .check(store.read(request.resource()));
  }

  private static boolean isDone(Deployment there, CreateClusterRequest request) {
    return switch (Ownership.of(there, request.resource())) {
      case SOMEBODY_ELSE -> throw Ownership.taken(there, request.resource());
      case EARLIER_INSTANCE -> throw ManifestApply.notGone(there);
      case OURS -> {
        if (there.getMetadata().getDeletionTimestamp() != null) {
          throw ManifestApply.notGone(there);
        }
        boolean fits =
            request.job().jobId().equals(ClusterAnnotations.jobId(there))
                && Objects.equals(request.generation(), ClusterAnnotations.generation(there));
        if (!fits) {
          throw Outdated.failure(
              "Deployment %s already exists, for generation %s and job %s"
                  .formatted(
                      request.job().cluster().display(),
                      ClusterAnnotations.generation(there),
                      ClusterAnnotations.jobId(there)));
        }
        yield true;
      }
    };
  }

  private static ClusterManifests render(TargetSpec target, CreateClusterRequest request) {
    try {
      return target.render(request.job(), request.restoreFrom());
    } catch (IllegalArgumentException wrong) {
      throw ApplicationFailure.newNonRetryableFailure(
          "No cluster can be made of this spec: " + wrong.getMessage(), FailureType.REFUSED);
    }
  }
}
