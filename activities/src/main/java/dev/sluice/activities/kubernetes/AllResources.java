package dev.sluice.activities.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.net.HttpURLConnection;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The resources of a kind, read page by page. Blocks for one call for each page, and fails as
 * {@link KubernetesFailure} says.
 *
 * @param <R> the kind
 */
public final class AllResources<R extends HasMetadata> {

  private static final long PAGE = 100;

  private final KubernetesClient client;
  private final Class<R> kind;
  private final Set<String> namespaces;
  private final long page;

  /**
   * @param namespaces that are read where a list of all namespaces is refused; empty when that must
   *     not be
   */
  public AllResources(KubernetesClient client, Class<R> kind, Set<String> namespaces) {
    this(client, kind, namespaces, PAGE);
  }

  /**
   * @param page how many are read with one call
   */
  AllResources(KubernetesClient client, Class<R> kind, Set<String> namespaces, long page) {
    this.client = client;
    this.kind = kind;
    this.namespaces = Set.copyOf(namespaces);
    this.page = page;
  }

  /**
   * Those of the whole Kubernetes cluster; has returned only when all of them were read.
   *
   * @param reader may be given one twice
   */
  public void forEach(Consumer<R> reader) {
    KubernetesFailure.told("list the %ss".formatted(HasMetadata.getKind(kind)), () -> read(reader));
  }

  /** The same; none where the API server does not serve the kind. */
  public void forEachServed(Consumer<R> reader) {
    KubernetesFailure.told(
        "list the %ss".formatted(HasMetadata.getKind(kind)),
        () -> unlessUnknown(() -> read(reader)));
  }

  /** Those of one namespace; none where the API server does not serve the kind. */
  public void forEachServedIn(String namespace, Consumer<R> reader) {
    told(namespace, () -> unlessUnknown(() -> readIn(namespace, reader)));
  }

  private static void unlessUnknown(Runnable list) {
    try {
      list.run();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw failed;
      }
    }
  }

  /** Those of one namespace. */
  public void forEachIn(String namespace, Consumer<R> reader) {
    told(namespace, () -> readIn(namespace, reader));
  }

  private void told(String namespace, Runnable list) {
    KubernetesFailure.told(
        "list the %ss of namespace %s".formatted(HasMetadata.getKind(kind), namespace), list);
  }

  private void readIn(String namespace, Consumer<R> reader) {
    read(client.resources(kind).inNamespace(namespace), reader);
  }

  private void read(Consumer<R> reader) {
    try {
      read(client.resources(kind).inAnyNamespace(), reader);
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_FORBIDDEN || namespaces.isEmpty()) {
        throw failed;
      }
      namespaces.forEach(it -> readIn(it, reader));
    }
  }

  private void read(Listable<? extends KubernetesResourceList<R>> all, Consumer<R> reader) {
    String next = null;
    do {
      KubernetesResourceList<R> read = list(all, next);
      read.getItems().forEach(reader);
      next = read.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
  }

  private KubernetesResourceList<R> list(
      Listable<? extends KubernetesResourceList<R>> all, @Nullable String from) {
    return all.list(new ListOptionsBuilder().withLimit(page).withContinue(from).build());
  }
}
