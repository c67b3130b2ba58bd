package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.controller.common.MetadataPatch;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Optional;

/**
 * Puts back the labels by which the informer finds children: a child that Apache's operator made
 * has none of ours, and people remove what they do not know. Asks only when a child is missing.
 */
final class ChildLabels {

  private final KubernetesClient client;
  private final MetadataPatch metadata;

  /**
   * @param client stays the caller's to close
   */
  ChildLabels(KubernetesClient client) {
    this.client = SingleTry.of(client);
    this.metadata = new MetadataPatch(this.client);
  }

  /** Those that are known, with what there is of that child, labelled. */
  KnownChildren restore(ResourceRef parent, Color color, KnownChildren known) {
    KnownChildren found =
        known.child(color).isPresent()
            ? known
            : find(FlinkDeployment.class, parent, color)
                .map(it -> known.with(color, it))
                .orElse(known);
    boolean lacksJob = found.shown(color).filter(it -> !it.hasJob()).isPresent();
    return lacksJob
        ? find(FlinkSessionJob.class, parent, color)
            .map(it -> found.withJob(color, it))
            .orElse(found)
        : found;
  }

  /** With its labels; empty when it does not exist, or is somebody else's. */
  private <T extends HasMetadata> Optional<T> find(Class<T> kind, ResourceRef parent, Color color) {
    return Optional.ofNullable(
            client
                .resources(kind)
                .inNamespace(parent.namespace())
                .withName(color.child(parent.name()))
                .get())
        .filter(child -> KnownChildren.isOwned(child, parent))
        .map(child -> metadata.label(child, labels(parent, color)));
  }

  private static Map<String, String> labels(ResourceRef parent, Color color) {
    return Map.of(FlinkBlueGreenDeployment.LABEL, parent.name(), Color.LABEL, color.wire());
  }
}
