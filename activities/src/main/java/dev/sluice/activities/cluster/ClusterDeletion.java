package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.workflows.cluster.DeleteClusterRequest;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * Removes one cluster: the Deployment with all that it owns, then, once no pod is left that could
 * still write to it, the high-availability metadata. One instance for each attempt of the activity.
 */
final class ClusterDeletion {

  private final DeleteClusterRequest request;
  private final ClusterReader reader;
  private final Deletion deletion;
  private final ClusterCache view;
  private final Executor background;
  private final Clock clock;
  private String progress = "nothing was seen yet";

  ClusterDeletion(
      DeleteClusterRequest request,
      KubernetesClient client,
      ClusterCache view,
      Executor background,
      Clock clock) {
    this.request = request;
    this.reader = new ClusterReader(client);
    this.deletion = new Deletion(client);
    this.view = view;
    this.background = background;
    this.clock = clock;
  }

  /** Deletes the Deployment if it is ours. Blocks. */
  void begin() {
    Optional<Deployment> deployment = reader.deployment(ref());
    if (deployment.isEmpty()) {
      return;
    }
    switch (Ownership.of(deployment.get(), ref())) {
      case OURS -> deletion.deleteAfterItsOwn(deployment.get());
      case EARLIER_INSTANCE -> {
        // Kubernetes collects it; until then its pods are waited for like our own
      }
      case SOMEBODY_ELSE ->
          throw ApplicationFailure.newNonRetryableFailure(
              "%s, not to FlinkDeployment %s: rename one of them"
                  .formatted(Ownership.owners(deployment.get()), ref().display()),
              FailureType.NAME_TAKEN);
    }
  }

  /** Whether all of it is gone. Asks the API server only when memory says so. */
  CompletableFuture<ProbeResult<Void>> look() {
    boolean quiet =
        isQuiet(
            view.deployment(RestEndpoint.cluster(ref())), view.pods(RestEndpoint.cluster(ref())));
    if (clock.millis() >= request.deadlineMs()) {
      return CompletableFuture.completedFuture(
          ProbeResult.failed(
              FailureType.CLUSTER_NOT_GONE,
              "the old cluster of %s did not go in time: %s".formatted(ref().display(), progress)));
    }
    return quiet
        ? CompletableFuture.supplyAsync(this::finish, background)
        : CompletableFuture.completedFuture(ProbeResult.notYet(progress));
  }

  private ProbeResult<Void> finish() {
    try {
      if (!isQuiet(reader.deployment(ref()), reader.pods(ref()))) {
        return ProbeResult.notYet(progress);
      }
      reader.highAvailability(ref()).forEach(deletion::delete);
      if (request.everything()) {
        reader.kept(ref()).forEach(deletion::delete);
      }
      return ProbeResult.done(null);
    } catch (ApplicationFailure failure) {
      if (failure.getType().equals(KubernetesFailure.UNAVAILABLE)) {
        throw failure;
      }
      return ProbeResult.failed(failure.getType(), failure.getOriginalMessage());
    }
  }

  private boolean isQuiet(Optional<Deployment> deployment, List<Pod> pods) {
    if (!pods.isEmpty()) {
      progress =
          "%d pods left: %s"
              .formatted(
                  pods.size(), pods.stream().map(this::pod).collect(Collectors.joining(", ")));
    } else if (deployment.isPresent()) {
      progress = Ownership.owners(deployment.get()) + " and is not gone yet";
    }
    return pods.isEmpty() && deployment.isEmpty();
  }

  private String pod(Pod pod) {
    String name = pod.getMetadata().getName();
    if (PodEnd.isOverdue(pod, clock.instant())) {
      return name
          + " (should have ended at %s; is node %s well?)"
              .formatted(pod.getMetadata().getDeletionTimestamp(), PodEnd.node(pod));
    }
    return pod.getMetadata().getDeletionTimestamp() == null ? name : name + " (Terminating)";
  }

  private ResourceRef ref() {
    return request.resource();
  }
}
