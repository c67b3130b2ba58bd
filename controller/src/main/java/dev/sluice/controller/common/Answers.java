package dev.sluice.controller.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.util.function.Consumer;

/**
 * Calls the reconciler when something was answered, and forgets what is remembered of a resource
 * that is gone, also of one whose finalizer somebody else has removed.
 *
 * @param <P> the resource
 */
public final class Answers<P extends HasMetadata> extends SimpleInboundEventSource<P>
    implements ResourceEventAware<P> {

  private final Consumer<P> gone;

  /** Calls this, on any thread, once a resource is gone. */
  public Answers(Consumer<P> gone) {
    super("answers");
    this.gone = gone;
  }

  /** Has the resource reconciled, whenever it is run. */
  public Runnable wake(P resource) {
    ResourceID id = ResourceID.fromResource(resource);
    return () -> propagateEvent(id);
  }

  @Override
  public void onResourceDeleted(P resource) {
    gone.accept(resource);
  }
}
