package dev.sluice.activities.application;

import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.manifest.application.VersionManifests;
import dev.sluice.activities.manifest.application.VersionRenderer;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes what is missing of the cluster of a version, or has it checked. Blocks. */
final class VersionCreation {

  private final KubernetesClient client;
  private final VersionRenderer renderer;

  VersionCreation(KubernetesClient client, VersionRenderer renderer) {
    this.client = client;
    this.renderer = renderer;
  }

  /** Why Kubernetes would not take it; empty when it would. */
  Optional<String> problem(VersionTarget target) {
    VersionObjects objects = new VersionObjects(client, target.application());
    try {
      VersionManifests manifests = renderer.render(target);
      objects.check(manifests.versioned());
      // of an application that runs it stays as it is
      if (objects.read(manifests.generic()) == null) {
        objects.check(manifests.generic());
      }
      if (manifests.ingress() != null) {
        objects.check(manifests.ingress());
      }
      objects.check(manifests.jobManager());
      objects.check(manifests.taskManagers());
      return Optional.empty();
    } catch (IllegalArgumentException unrenderable) {
      return Optional.of(String.valueOf(unrenderable.getMessage()));
    } catch (ApplicationFailure refused) {
      if (refused.isNonRetryable() && FailureType.REFUSED.equals(refused.getType())) {
        return Optional.of(refused.getOriginalMessage());
      }
      throw refused;
    }
  }

  /**
   * Makes it, unless it is there.
   *
   * @param window no write begins after it
   */
  void create(VersionTarget target, EffectWindow window) {
    VersionObjects objects = new VersionObjects(client, target.application());
    VersionManifests manifests = rendered(() -> renderer.render(target));
    Deployment jobManager = ofVersion(objects.staying(manifests.jobManager()), target);
    Deployment taskManagers = ofVersion(objects.staying(manifests.taskManagers()), target);
    Service versioned = objects.staying(manifests.versioned());
    String selector = VersionObjects.jobManagerSelector(jobManager, versioned, target);
    VersionManifests wanted = rendered(() -> renderer.render(target, selector));
    if (versioned == null || !leadsTo(versioned, selector)) {
      Service unused = objects.apply(wanted.versioned(), window);
    }
    if (objects.staying(wanted.generic()) == null) {
      Service unused = objects.apply(wanted.generic(), window);
    }
    if (wanted.ingress() != null && objects.staying(wanted.ingress()) == null) {
      var unused = objects.apply(wanted.ingress(), window);
    }
    if (jobManager == null) {
      Deployment unused = objects.apply(wanted.jobManager(), window);
    }
    if (taskManagers == null) {
      Deployment unused = objects.apply(wanted.taskManagers(), window);
    }
  }

  private static boolean leadsTo(Service service, String selector) {
    return Objects.equals(selector, VersionObjects.podSelector(service.getSpec().getSelector()));
  }

  /** The name is that of a part of the hash only. */
  private static @Nullable Deployment ofVersion(@Nullable Deployment there, VersionTarget target) {
    if (there != null && !VersionObjects.isOf(there, target.version())) {
      throw ApplicationFailure.newNonRetryableFailure(
          "Deployment %s is of the version with the whole hash %s, not of %s"
              .formatted(
                  there.getMetadata().getName(),
                  VersionObjects.fullHash(there),
                  target.version().fullHash()),
          FailureType.NAME_TAKEN);
    }
    return there;
  }

  private static VersionManifests rendered(Supplier<VersionManifests> render) {
    try {
      return render.get();
    } catch (IllegalArgumentException wrong) {
      throw ApplicationFailure.newNonRetryableFailure(
          "No cluster can be made of this spec: " + wrong.getMessage(), FailureType.REFUSED);
    }
  }
}
