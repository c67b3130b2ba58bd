package dev.sluice.local.node;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the node hears from the API server: pods, Services, and its own Node object. */
final class Watching implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watching.class);

  private final List<SharedIndexInformer<?>> informers;

  /**
   * Returns at once; everything there is has been heard of when {@link LocalNode#synced} is called.
   */
  Watching(KubernetesClient client, String nodeName, LocalNode node, Registration registration) {
    var pods = client.pods().inAnyNamespace().runnableInformer(0);
    var services = client.services().inAnyNamespace().runnableInformer(0);
    var own = client.nodes().withField("metadata.name", nodeName).runnableInformer(0);
    pods.addEventHandler(handler((Pod pod, Boolean gone) -> node.seen(pod, gone)));
    services.addEventHandler(handler((Service service, Boolean gone) -> node.seen(service, gone)));
    own.addEventHandler(handler(registration::changed));
    informers = List.of(services, own, pods);
    for (SharedIndexInformer<?> informer : informers) {
      informer.exceptionHandler(
          (started, e) -> {
            LOG.warn("Watching failed, trying again: {}", e.getMessage());
            return true;
          });
    }
    services.start();
    own.start();
    pods.start().thenRun(node::synced);
  }

  /**
   * @param changed told the object, and whether it is gone
   */
  private static <T> ResourceEventHandler<T> handler(BiConsumer<T, Boolean> changed) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T object) {
        changed.accept(object, false);
      }

      @Override
      public void onUpdate(T before, T after) {
        changed.accept(after, false);
      }

      @Override
      public void onDelete(T object, boolean unknownFinalState) {
        changed.accept(object, true);
      }
    };
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::stop);
  }
}
