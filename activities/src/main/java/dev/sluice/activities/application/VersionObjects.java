package dev.sluice.activities.application;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.application.VersionRenderer;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.api.Annotations;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes single objects of a version, and refuses those of others. Blocks; fails with
 * {@code NameTaken} for what is somebody else's and else as {@link KubernetesFailure} says.
 */
final class VersionObjects {

  private final KubernetesClient client;
  private final ResourceRef application;

  VersionObjects(KubernetesClient client, ResourceRef application) {
    this.client = client;
    this.application = application;
  }

  /**
   * What has that name; null when nothing has.
   *
   * @throws ApplicationFailure {@code NameTaken}
   */
  <T extends HasMetadata> @Nullable T read(T object) {
    T there =
        KubernetesFailure.translate("read " + name(object), () -> client.resource(object).get());
    if (there != null && Ownership.of(there, application) == Ownership.SOMEBODY_ELSE) {
      throw Ownership.taken(there, application);
    }
    return there;
  }

  /**
   * The same; null also when it is about to go.
   *
   * @throws ApplicationFailure also {@code Refused}, retryable, when it is about to go
   */
  <T extends HasMetadata> @Nullable T staying(T object) {
    T there = read(object);
    if (there != null && !Ownership.isRunning(there, application)) {
      throw ApplicationFailure.newFailure(
          name(there) + " of an earlier cluster is still there", FailureType.REFUSED);
    }
    return there;
  }

  /** Makes it. */
  <T extends HasMetadata> T apply(T object, EffectWindow window) {
    window.check();
    return KubernetesFailure.translate(
        "apply " + name(object), () -> client.resource(object).patch(Apply.strict()));
  }

  /**
   * Has it checked as it would be when it is made, with the rights of this process. One that is
   * about to go is not in the way.
   */
  void check(HasMetadata object) {
    HasMetadata there = read(object);
    if (there == null || Ownership.isRunning(there, application)) {
      KubernetesFailure.translate(
          "apply " + name(object), () -> client.resource(object).patch(Apply.strictDryRun()));
    }
  }

  /** Changes a Deployment. */
  Deployment edit(Deployment there, UnaryOperator<Deployment> change, EffectWindow window) {
    window.check();
    return KubernetesFailure.translate(
        "change " + name(there), () -> client.resource(there).edit(change));
  }

  /** Changes a Service. */
  Service edit(Service there, UnaryOperator<Service> change, EffectWindow window) {
    window.check();
    return KubernetesFailure.translate(
        "change " + name(there), () -> client.resource(there).edit(change));
  }

  /** The whole hash that it was made for; null when it does not say. */
  static @Nullable String fullHash(HasMetadata object) {
    return Annotations.of(object, ApplicationLabels.FULL_HASH);
  }

  /**
   * Whether it is of that version: Lyft's operator notes no whole hash, so there the name decides.
   */
  static boolean isOf(HasMetadata deployment, VersionRef version) {
    String fullHash = fullHash(deployment);
    return fullHash == null ? version.adopted() : fullHash.equals(version.fullHash());
  }

  /** By which the pods of a Deployment, or of a Service, are told from others. */
  static @Nullable String podSelector(@Nullable Map<String, String> selector) {
    return selector == null ? null : selector.get(ApplicationLabels.POD_DEPLOYMENT_SELECTOR);
  }

  static @Nullable String podSelector(Deployment deployment) {
    return podSelector(deployment.getSpec().getSelector().getMatchLabels());
  }

  /**
   * By which the pods of the JobManager of a version are told: that of the JobManager that is
   * there, else the one that the Service of the version has from an earlier JobManager, to which
   * the Service of the application may lead as well.
   */
  static String jobManagerSelector(
      @Nullable Deployment jobManager, @Nullable Service versioned, VersionTarget target) {
    return Optional.ofNullable(jobManager)
        .map(VersionObjects::podSelector)
        .or(() -> Optional.ofNullable(versioned).map(it -> podSelector(it.getSpec().getSelector())))
        .orElseGet(() -> VersionRenderer.jobManagerSelector(target));
  }

  private static String name(HasMetadata object) {
    return "%s %s/%s"
        .formatted(
            object.getKind(), object.getMetadata().getNamespace(), object.getMetadata().getName());
  }
}
