package dev.sluice.controller.observation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;

/**
 * Watches pods, and notes of each how it ended: it may be gone when its resource is reconciled.
 *
 * @param <R> the resource
 */
public final class PodEventSource<R extends HasMetadata> extends InformerEventSource<Pod, R> {

  private final MemoryKills kills;

  /** Tells these of each pod. */
  public PodEventSource(
      InformerEventSourceConfiguration<Pod> configuration,
      EventSourceContext<R> context,
      MemoryKills kills) {
    super(configuration, context);
    this.kills = kills;
  }

  @Override
  public void onAdd(Pod pod) {
    kills.note(pod);
    super.onAdd(pod);
  }

  @Override
  public void onUpdate(Pod before, Pod pod) {
    kills.note(pod);
    super.onUpdate(before, pod);
  }

  @Override
  public void onDelete(Pod pod, boolean unknownState) {
    kills.note(pod);
    super.onDelete(pod, unknownState);
  }
}
