package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterObservation.Evidence;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Removes one cluster: the Deployment with all that it owns, then, once no pod is left that could
 * still write to it, the high-availability metadata. Nothing is removed for a resource that does
 * not exist any more: whatever has its name then may be somebody else's. One instance for each
 * attempt of the activity.
 */
final class ClusterDeletion {

  private final DeleteClusterRequest request;
  private final ResourceStore store;
  private final ClusterReader reader;
  private final Deletion deletion;
  private final PodsGone gone;

  ClusterDeletion(
      DeleteClusterRequest request,
      ResourceStore store,
      KubernetesClient client,
      ClusterAccess access) {
    this.request = request;
    this.store = store;
    this.reader = new ClusterReader(client);
    this.deletion = new Deletion(client);
    this.gone = new PodsGone(request.cluster(), access, true, request.deadlineMs());
  }

  /** Deletes the Deployment if it is ours and of one of the jobs. Blocks. */
  void begin() {
    store.require(owner());
    Optional<Deployment> found = reader.deployment(cluster());
    if (found.isEmpty()) {
      return;
    }
    Deployment deployment = found.get();
    switch (Ownership.of(deployment, owner())) {
      case OURS -> {
        // one that is being deleted by somebody is waited for, whatever its job
        if (deployment.getMetadata().getDeletionTimestamp() == null) {
          Outdated.check(deployment, request.jobIds());
          checkEvidence();
          deletion.deleteAfterItsOwn(deployment);
        }
      }
      case EARLIER_INSTANCE -> {
        // Kubernetes collects it; until then its pods are waited for like our own
      }
      case SOMEBODY_ELSE -> throw Ownership.taken(deployment, owner());
    }
  }

  /** What was true when it was decided to delete it must be true when it is deleted. */
  private void checkEvidence() {
    Evidence wanted = request.onlyWhile();
    if (wanted == null) {
      return;
    }
    Evidence now =
        ClusterEvidence.of(store.running(owner()), owner(), reader.objects(cluster()), null)
            .evidence();
    if (!now.equals(wanted)) {
      throw Outdated.failure(
          "cluster %s may have progressed: its JobManager was %s and is %s, its high availability was %s and is %s"
              .formatted(
                  cluster().display(),
                  wanted.jobManager(),
                  now.jobManager(),
                  wanted.highAvailability(),
                  now.highAvailability()));
    }
  }

  /** Whether all of it is gone. */
  CompletableFuture<ProbeResult<Void>> look() {
    return gone.look(this::finish);
  }

  /**
   * What is deleted was listed while there was no Deployment: a call that comes late, when another
   * attempt has finished and the next cluster is there, must not delete that one's metadata.
   */
  ProbeResult<Void> finish() {
    store.require(owner());
    List<ConfigMap> metadata = reader.highAvailability(cluster());
    if (reader.deployment(cluster()).isPresent()) {
      return ProbeResult.failed(
          FailureType.OUTDATED,
          "cluster %s was created again while it was being deleted".formatted(cluster().display()));
    }
    metadata.forEach(deletion::delete);
    if (request.everything()) {
      reader.kept(cluster(), owner()).forEach(deletion::delete);
    }
    return ProbeResult.done(null);
  }

  private ClusterRef cluster() {
    return request.cluster();
  }

  private ResourceRef owner() {
    return request.resource();
  }
}
