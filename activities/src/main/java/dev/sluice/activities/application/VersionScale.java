package dev.sluice.activities.application;

import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.manifest.application.VersionNames;
import dev.sluice.activities.manifest.application.VersionRenderer;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationLabels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives the cluster of a version the TaskManagers of another version, and its hash. Changes no pod
 * that runs: what is changed is in no pod template. Blocks.
 */
final class VersionScale {

  private final KubernetesClient client;
  private final VersionReader reader;
  private final VersionTarget target;
  private final VersionObjects objects;

  VersionScale(KubernetesClient client, VersionReader reader, VersionTarget target) {
    this.client = client;
    this.reader = reader;
    this.target = target;
    this.objects = new VersionObjects(client, target.application());
  }

  /**
   * Of what is missing nothing is scaled: the cluster is made whole once it is known whose it is.
   *
   * @param window no write begins after it
   */
  void scale(EffectWindow window) {
    Deployment jobManager = ours(reader.deployment(target.cluster()).orElse(null));
    Deployment taskManagers = ours(reader.taskManagers(target.cluster()).orElse(null));
    int replicas = VersionRenderer.taskManagers(target.spec());
    String name = VersionNames.cluster(target.application().name(), target.version().hash());
    boolean there = jobManager != null || taskManagers != null;
    if (there && !name.equals(target.version().cluster())) {
      addService(jobManager, window);
    }
    if (taskManagers != null && !isScaled(taskManagers, replicas)) {
      scale(taskManagers, replicas, window);
    }
    // last: it says that all is done
    if (jobManager != null && !isLabelled(jobManager)) {
      Deployment unused = objects.edit(jobManager, this::labelled, window);
    }
    removeOtherCopies(name, window);
  }

  private boolean isScaled(Deployment taskManagers, int replicas) {
    return isLabelled(taskManagers)
        && Objects.equals(taskManagers.getSpec().getReplicas(), replicas);
  }

  private void scale(Deployment taskManagers, int replicas, EffectWindow window) {
    Deployment unused =
        objects.edit(
            taskManagers,
            it -> labelled(it).edit().editSpec().withReplicas(replicas).endSpec().build(),
            window);
  }

  private @Nullable Deployment ours(@Nullable Deployment found) {
    if (found != null && !Ownership.isRunning(found, target.application())) {
      throw VersionOutdated.failure(
          "Deployment %s is about to go, or somebody else's"
              .formatted(found.getMetadata().getName()));
    }
    return found;
  }

  private void addService(@Nullable Deployment jobManager, EffectWindow window) {
    Service versioned = objects.read(VersionRenderer.versionedService(target, ""));
    String selector = VersionObjects.jobManagerSelector(jobManager, versioned, target);
    Service copy = VersionRenderer.copyOfService(target, selector);
    if (objects.staying(copy) == null) {
      Service unused = objects.apply(copy, window);
    }
  }

  private boolean isLabelled(HasMetadata deployment) {
    return target.version().hash().equals(Labels.of(deployment, ApplicationLabels.FLINK_APP_HASH))
        && Objects.equals(target.version().fullHash(), VersionObjects.fullHash(deployment));
  }

  private Deployment labelled(Deployment deployment) {
    Deployment changed =
        deployment
            .edit()
            .editMetadata()
            .addToLabels(ApplicationLabels.FLINK_APP_HASH, target.version().hash())
            .addToAnnotations(Annotations.GENERATION, Long.toString(target.version().generation()))
            .addToAnnotations("flink-job-properties", VersionRenderer.jobProperties(target.spec()))
            .endMetadata()
            .build();
    String fullHash = target.version().fullHash();
    if (fullHash == null) {
      changed.getMetadata().getAnnotations().remove(ApplicationLabels.FULL_HASH);
    } else {
      changed.getMetadata().getAnnotations().put(ApplicationLabels.FULL_HASH, fullHash);
    }
    return changed;
  }

  /** Those of versions that were on the cluster before, or were to be. */
  private void removeOtherCopies(String name, EffectWindow window) {
    Deletion deletion = new Deletion(client);
    for (Service copy : copies()) {
      if (!copy.getMetadata().getName().equals(name)) {
        window.check();
        deletion.delete(copy);
      }
    }
  }

  private List<Service> copies() {
    return KubernetesFailure.translate(
        "list the Services of " + target.cluster().display(),
        () ->
            client
                .services()
                .inNamespace(target.application().namespace())
                .withLabel(ApplicationLabels.FLINK_APP, target.application().name())
                .list()
                .getItems()
                .stream()
                .filter(it -> Ownership.isRunning(it, target.application()))
                .filter(
                    it ->
                        target
                            .version()
                            .cluster()
                            .equals(Annotations.of(it, ApplicationLabels.CLUSTER)))
                .filter(it -> !it.getMetadata().getName().equals(target.version().cluster()))
                .toList());
  }
}
