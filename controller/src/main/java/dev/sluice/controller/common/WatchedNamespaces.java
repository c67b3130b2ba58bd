package dev.sluice.controller.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces whose resources are run: all, those of a list, or those with labels, which may
 * change at any time.
 */
public final class WatchedNamespaces implements AutoCloseable {

  private final Set<String> fixed;
  private final @Nullable SharedIndexInformer<Namespace> labelled;

  /**
   * Returns once it is known which namespaces have the labels.
   *
   * @param fixed their names; empty for all
   * @param selector of their labels, such as {@code sluice.dev/watch=true}; null where they do not
   *     matter
   */
  public WatchedNamespaces(
      KubernetesClient kubernetes, Collection<String> fixed, @Nullable String selector) {
    this.fixed = Set.copyOf(fixed);
    this.labelled = selector == null ? null : watch(kubernetes, selector);
  }

  private static SharedIndexInformer<Namespace> watch(KubernetesClient kubernetes, String labels) {
    return kubernetes
        .namespaces()
        .withLabelSelector(labels)
        .runnableInformer(0)
        .exceptionHandler((started, failure) -> started) // tries again, but not the first time
        .run();
  }

  /** Why the labels of namespaces are not known now; empty where they are, or do not matter. */
  public Optional<String> problem() {
    return labelled == null || labelled.isWatching()
        ? Optional.empty()
        : Optional.of("the labels of namespaces are not watched");
  }

  /** Whether resources in this namespace are run. */
  public boolean contains(String namespace) {
    return labelled == null
        ? fixed.isEmpty() || fixed.contains(namespace)
        : labelled.getStore().getByKey(namespace) != null;
  }

  /** Whether this resource, or what belongs to one, is in such a namespace. */
  public boolean hold(HasMetadata namespaced) {
    return contains(namespaced.getMetadata().getNamespace());
  }

  /** Names each namespace that gets or loses the labels, once that is so. */
  public void onChange(Consumer<String> listener) {
    if (labelled != null) {
      labelled.addEventHandler(new Changes(listener));
    }
  }

  @Override
  public void close() {
    if (labelled != null) {
      labelled.close();
    }
  }

  private record Changes(Consumer<String> listener) implements ResourceEventHandler<Namespace> {

    @Override
    public void onAdd(Namespace added) {
      listener.accept(added.getMetadata().getName());
    }

    @Override
    public void onUpdate(Namespace before, Namespace now) {}

    @Override
    public void onDelete(Namespace gone, boolean stateUnknown) {
      listener.accept(gone.getMetadata().getName());
    }
  }
}
