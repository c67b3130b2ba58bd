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
   * Those of the whole Kubernetes cluster, none where the API server does not serve the kind; has
   * returned only when all of them were read.
   *
   * @param reader may be given one twice
   */
  public void forEachServed(Consumer<R> reader) {
    served(
        "",
        () -> {
          try {
            read(client.resources(kind).inAnyNamespace(), reader);
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != HttpURLConnection.HTTP_FORBIDDEN || namespaces.isEmpty()) {
              throw failed;
            }
            namespaces.forEach(it -> read(client.resources(kind).inNamespace(it), reader));
          }
        });
  }

  /** Those of one namespace; none where the API server does not serve the kind. */
  public void forEachServedIn(String namespace, Consumer<R> reader) {
    served(
        " of namespace " + namespace,
        () -> read(client.resources(kind).inNamespace(namespace), reader));
  }

  private void served(String where, Runnable list) {
    KubernetesFailure.told(
        "list the %ss%s".formatted(HasMetadata.getKind(kind), where),
        () -> {
          try {
            list.run();
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
              throw failed;
            }
          }
        });
  }

  private void read(Listable<? extends KubernetesResourceList<R>> all, Consumer<R> reader) {
    String next = null;
    do {
      KubernetesResourceList<R> read =
          all.list(new ListOptionsBuilder().withLimit(page).withContinue(next).build());
      read.getItems().forEach(reader);
      next = read.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
  }
}
