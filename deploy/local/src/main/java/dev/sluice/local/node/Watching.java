package dev.sluice.local.node;

import dev.sluice.local.node.loop.Worklist;
import dev.sluice.local.node.register.Registration;
import dev.sluice.local.node.service.Services;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the node hears from the API server: pods, Services, and its own Node object. */
final class Watching implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watching.class);

  private final List<SharedIndexInformer<?>> informers;

  /**
   * Returns at once; everything there is has been heard of when {@link LocalNode#synced} is called.
   */
  Watching(
      KubernetesClient client,
      String nodeName,
      LocalNode node,
      Services services,
      Registration registration,
      Worklist worklist) {
    SharedIndexInformer<Pod> pods =
        client
            .pods()
            .inAnyNamespace()
            .runnableInformer(0)
            .addEventHandler(handler(node::seen, node::gone));
    SharedIndexInformer<Service> all =
        client
            .services()
            .inAnyNamespace()
            .runnableInformer(0)
            .addEventHandler(
                handler(
                    service -> {
                      services.seen(service);
                      worklist.add(LocalNode.SERVICES);
                    },
                    service -> {
                      services.gone(service);
                      worklist.add(LocalNode.SERVICES);
                    }));
    SharedIndexInformer<Node> own =
        client
            .nodes()
            .withField("metadata.name", nodeName)
            .runnableInformer(0)
            .addEventHandler(
                handler(
                    seen -> changed(registration, seen, false),
                    seen -> changed(registration, seen, true)));
    informers = List.of(pods, all, own);
    for (SharedIndexInformer<?> informer : informers) {
      informer.exceptionHandler(
          (started, e) -> {
            LOG.warn("Watching failed, trying again: {}", e.getMessage());
            return true;
          });
    }
    all.start();
    own.start();
    pods.start().thenRun(node::synced);
  }

  private static void changed(Registration registration, Node seen, boolean deleted) {
    try {
      registration.changed(seen, deleted);
    } catch (IOException | RuntimeException e) {
      LOG.warn("The node could not be registered again: {}", e.getMessage());
    }
  }

  private static <T> ResourceEventHandler<T> handler(Consumer<T> seen, Consumer<T> gone) {
    return new ResourceEventHandler<>() {
      @Override
      public void onAdd(T object) {
        seen.accept(object);
      }

      @Override
      public void onUpdate(T before, T after) {
        seen.accept(after);
      }

      @Override
      public void onDelete(T object, boolean unknownFinalState) {
        gone.accept(object);
      }
    };
  }

  @Override
  public void close() {
    informers.forEach(SharedIndexInformer::stop);
  }
}
