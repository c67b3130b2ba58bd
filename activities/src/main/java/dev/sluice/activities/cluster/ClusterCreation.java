package dev.sluice.activities.cluster;

import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.Resources;
import dev.sluice.activities.manifest.ClusterManifests;
import dev.sluice.activities.manifest.ClusterTarget;
import dev.sluice.activities.manifest.NativeApplicationManifests;
import dev.sluice.activities.manifest.Restore;
import dev.sluice.activities.manifest.SpecHash;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.cluster.CreateClusterRequest;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies the manifests of the frozen target: what the JobManager mounts and resolves first, the
 * Deployment last. What is there already as it should be is not written again.
 */
final class ClusterCreation {

  private final KubernetesClient client;
  private final Resources resources;
  private final ClusterReader reader;
  private final NativeApplicationManifests manifests = new NativeApplicationManifests();

  ClusterCreation(KubernetesClient client) {
    this.client = client;
    this.resources = new Resources(client);
    this.reader = new ClusterReader(client);
  }

  void create(CreateClusterRequest request) {
    ResourceRef ref = request.resource();
    FlinkDeployment resource =
        KubernetesFailure.told("read " + ref.display(), () -> resources.get(ref));
    FrozenSpec frozen = resource.getStatus().lastReconciled();
    if (frozen == null || frozen.generation() != request.generation()) {
      throw refused(
          "generation %d of %s is to be created, but the status has frozen %s: somebody else wrote"
                  .formatted(request.generation(), ref.display(), generation(frozen))
              + " status.reconciliationStatus");
    }
    Optional<Deployment> there = reader.deployment(ref);
    if (there.isPresent() && isDone(there.get(), request)) {
      return;
    }
    ClusterManifests target = render(request, frozen);
    for (HasMetadata object : target.all()) {
      apply(object, ref);
    }
  }

  private static String generation(@Nullable FrozenSpec frozen) {
    return frozen == null ? "nothing" : "generation " + frozen.generation();
  }

  private boolean isDone(Deployment there, CreateClusterRequest request) {
    boolean deleting = there.getMetadata().getDeletionTimestamp() != null;
    return switch (Ownership.of(there, request.resource())) {
      case SOMEBODY_ELSE -> throw taken(there, request.resource());
      case EARLIER_INSTANCE -> throw notGone(there);
      case OURS -> {
        if (deleting || !request.jobId().equals(RunningSpec.jobId(there))) {
          throw notGone(there);
        }
        yield Objects.equals(request.generation(), RunningSpec.generation(there));
      }
    };
  }

  private ClusterManifests render(CreateClusterRequest request, FrozenSpec frozen) {
    try {
      return manifests.render(
          new ClusterTarget(
              request.resource().namespace(),
              request.resource().name(),
              request.resource().uid(),
              frozen.spec(),
              request.generation(),
              request.jobId(),
              Restore.of(request.restoreFrom())));
    } catch (IllegalArgumentException wrong) {
      throw refused("no cluster can be made of this spec: " + wrong.getMessage());
    }
  }

  private void apply(HasMetadata object, ResourceRef ref) {
    String what = object.getKind() + " " + ref.namespace() + "/" + object.getMetadata().getName();
    HasMetadata there = KubernetesFailure.told("read " + what, () -> client.resource(object).get());
    if (there != null) {
      if (there.getMetadata().getDeletionTimestamp() != null) {
        throw notGone(there);
      }
      switch (Ownership.of(there, ref)) {
        case SOMEBODY_ELSE -> {
          if (!madeByFlink(there, ref)) {
            throw taken(there, ref);
          }
        }
        case EARLIER_INSTANCE -> throw notGone(there);
        case OURS -> {
          if (sameHash(there, object)) {
            return;
          }
        }
      }
    }
    KubernetesFailure.told("apply " + what, () -> client.resource(object).patch(Apply.context()));
  }

  /** Flink's own client makes the JobManager Deployment the owner; Apache's operator uses it. */
  private static boolean madeByFlink(HasMetadata there, ResourceRef ref) {
    return ClusterSelector.cluster(there).equals(ref.display())
        && there.getMetadata().getOwnerReferences().stream()
            .anyMatch(o -> "Deployment".equals(o.getKind()) && ref.name().equals(o.getName()));
  }

  private static boolean sameHash(HasMetadata there, HasMetadata wanted) {
    String hash = hash(wanted);
    return hash != null && hash.equals(hash(there));
  }

  private static @Nullable String hash(HasMetadata object) {
    Map<String, String> annotations = object.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(SpecHash.ANNOTATION);
  }

  private static ApplicationFailure refused(String message) {
    return ApplicationFailure.newNonRetryableFailure(message, FailureType.REFUSED);
  }

  private static ApplicationFailure taken(HasMetadata object, ResourceRef ref) {
    return ApplicationFailure.newNonRetryableFailure(
        "%s, not to FlinkDeployment %s: rename one of them"
            .formatted(Ownership.owners(object), ref.display()),
        FailureType.NAME_TAKEN);
  }

  /** Retryable: Kubernetes collects it, or a deletion in flight ends. */
  private static ApplicationFailure notGone(HasMetadata object) {
    return ApplicationFailure.newFailure(
        "%s %s of an earlier cluster is still there"
            .formatted(object.getKind(), object.getMetadata().getName()),
        FailureType.CLUSTER_NOT_GONE);
  }
}
