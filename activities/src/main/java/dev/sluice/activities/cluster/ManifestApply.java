package dev.sluice.activities.cluster;

import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.api.Labels;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sends the objects of a cluster to the API server, to be written or only to be checked. Blocks;
 * fails with {@code NameTaken} for what belongs to somebody else and else as {@link
 * KubernetesFailure} says.
 */
public final class ManifestApply {

  private static final int ALREADY_EXISTS = 409;

  /** Words of refusals that say nothing about the pod itself. */
  private static final List<String> NO_VERDICTS =
      List.of("exceeded quota: ", "does not support dry run", "cannot create resource \"pods\"");

  private final KubernetesClient client;

  public ManifestApply(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Applies all of them, in their order.
   *
   * @param window no write begins after it
   * @throws ApplicationFailure also {@code ClusterNotGone}, retryable: an object of an earlier
   *     cluster is still there
   */
  void apply(ClusterManifests manifests, ResourceRef owner, EffectWindow window) {
    Stream.of(manifests.configMaps(), manifests.services())
        .flatMap(List::stream)
        .forEach(object -> apply(object, owner, null, window));
    HasMetadata jobManager = apply(manifests.deployment(), owner, null, window);
    Deployment taskManagers = manifests.taskManagers();
    if (taskManagers != null) {
      HasMetadata unused = apply(ownedBy(jobManager, taskManagers), owner, jobManager, window);
    }
  }

  private static Deployment ownedBy(HasMetadata jobManager, Deployment taskManagers) {
    return taskManagers
        .edit()
        .editMetadata()
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion(jobManager.getApiVersion())
                .withKind(jobManager.getKind())
                .withName(jobManager.getMetadata().getName())
                .withUid(jobManager.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build())
        .endMetadata()
        .build();
  }

  /**
   * Has all of them checked as they would be when they are written, with the rights of this
   * process: schema, admission, quota. In native mode also a TaskManager pod, which Flink makes
   * later. Writes nothing.
   *
   * @return why the pod could not be checked, which hinders nothing: a quota that is used up, maybe
   *     by the pods that this cluster has now, a webhook that takes no dry run, or a missing right
   */
  public Optional<String> check(ClusterManifests manifests, ResourceRef owner) {
    manifests.all().forEach(object -> check(object, owner));
    return Optional.ofNullable(manifests.taskManagerPod()).flatMap(this::checkTaskManager);
  }

  private Optional<String> checkTaskManager(Pod pod) {
    String what = "create a TaskManager pod in " + pod.getMetadata().getNamespace();
    return KubernetesFailure.translate(
        what,
        () -> {
          try {
            client.resource(pod).dryRun().fieldValidation(Validation.STRICT).create();
            return Optional.empty();
          } catch (KubernetesClientException failed) {
            String words = String.valueOf(failed.getMessage());
            if (NO_VERDICTS.stream().noneMatch(words::contains)) {
              throw failed;
            }
            return Optional.of("Kubernetes did not check whether it can " + what + ": " + words);
          }
        });
  }

  /** What the API server has of it then. */
  private HasMetadata apply(
      HasMetadata object,
      ResourceRef owner,
      @Nullable HasMetadata jobManager,
      EffectWindow window) {
    HasMetadata there = read(object);
    if (there != null) {
      if (isOnItsWayOut(there, owner, jobManager)) {
        throw notGone(there);
      }
      if (isHeadless(there) != isHeadless(object)) {
        window.check();
        var unused =
            KubernetesFailure.translate(
                "delete " + name(there), () -> client.resource(there).delete());
        throw notGone(there); // the next attempt finds it gone, or on its way out
      }
    }
    window.check();
    return KubernetesFailure.translate(
        "apply " + name(object), () -> client.resource(object).patch(Apply.context()));
  }

  /**
   * The address of a Service cannot be changed, nor be taken away: the API server refuses the one,
   * and ignores the other. Its cluster is replaced, so the Service is, too.
   */
  private static boolean isHeadless(HasMetadata object) {
    return object instanceof Service service && "None".equals(service.getSpec().getClusterIP());
  }

  private void check(HasMetadata object, ResourceRef owner) {
    HasMetadata there = read(object);
    boolean replaced =
        there != null
            && (isOnItsWayOut(there, owner, null)
                || !isMadeBySluice(there)
                || isHeadless(there) != isHeadless(object));
    KubernetesFailure.translate(
        "apply " + name(object),
        () -> {
          if (replaced) {
            checkAsNew(object);
          } else {
            client.resource(object).patch(Apply.dryRun());
          }
        });
  }

  /** Every check comes before the one whether the name is free. */
  private void checkAsNew(HasMetadata object) {
    try {
      client.resource(object).dryRun().create();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != ALREADY_EXISTS) {
        throw failed;
      }
    }
  }

  private @Nullable HasMetadata read(HasMetadata object) {
    return KubernetesFailure.translate("read " + name(object), () -> client.resource(object).get());
  }

  /**
   * Whether it goes before ours can come; fails when it stays, because it is somebody else's.
   *
   * @param jobManager that it belongs to, or to one that is gone; null for what the resource owns
   */
  private static boolean isOnItsWayOut(
      HasMetadata there, ResourceRef owner, @Nullable HasMetadata jobManager) {
    Ownership whose = Ownership.of(there, owner);
    boolean ours =
        jobManager == null ? whose == Ownership.OURS : Ownership.isOwnedBy(there, jobManager);
    if (!ours && whose == Ownership.SOMEBODY_ELSE && !isMadeByFlink(there)) {
      throw Ownership.taken(there, owner);
    }
    return !ours || there.getMetadata().getDeletionTimestamp() != null;
  }

  /** Flink's own client makes the JobManager Deployment the owner; Apache's operator uses it. */
  private static boolean isMadeByFlink(HasMetadata there) {
    String cluster = ClusterSelector.cluster(there);
    String namespace = there.getMetadata().getNamespace();
    return there.getMetadata().getOwnerReferences().stream()
        .anyMatch(
            owner ->
                "Deployment".equals(owner.getKind())
                    && cluster.equals(namespace + "/" + owner.getName()));
  }

  private static boolean isMadeBySluice(HasMetadata there) {
    return Labels.MANAGED_BY_SLUICE.equals(Labels.of(there, Labels.MANAGED_BY));
  }

  private static String name(HasMetadata object) {
    return "%s %s/%s"
        .formatted(
            object.getKind(), object.getMetadata().getNamespace(), object.getMetadata().getName());
  }

  /** Retryable: Kubernetes collects it, or a deletion in flight ends. */
  static ApplicationFailure notGone(HasMetadata object) {
    return ApplicationFailure.newFailure(
        "%s %s of an earlier cluster is still there"
            .formatted(object.getKind(), object.getMetadata().getName()),
        FailureType.CLUSTER_NOT_GONE);
  }
}
