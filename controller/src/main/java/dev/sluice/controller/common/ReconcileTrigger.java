package dev.sluice.controller.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.util.function.Consumer;

/**
 * An event source for changes that no informer reports. It also reports each resource that is gone,
 * so that the reconciler drops what it holds of it; a finalizer that was removed by hand makes no
 * difference.
 *
 * @param <P> the resource
 */
public final class ReconcileTrigger<P extends HasMetadata> extends SimpleInboundEventSource<P>
    implements ResourceEventAware<P> {

  private final Consumer<P> gone;

  /**
   * @param gone called once a resource is gone, on the thread of the informer
   */
  public ReconcileTrigger(Consumer<P> gone) {
    super("trigger");
    this.gone = gone;
  }

  /** Has the resource reconciled. */
  public void wake(P resource) {
    propagateEvent(ResourceID.fromResource(resource));
  }

  @Override
  public void onResourceDeleted(P resource) {
    gone.accept(resource);
  }
}
