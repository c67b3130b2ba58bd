package dev.sluice.activities.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The resources of a kind. Each method blocks for one call, or one for each namespace, and fails as
 * {@link KubernetesFailure} says.
 *
 * @param <R> the kind
 */
public final class AllResources<R extends HasMetadata> {

  private final KubernetesClient client;
  private final Class<R> kind;
  private final Set<String> namespaces;

  /**
   * @param namespaces that are read where a list of all namespaces is refused; empty when that must
   *     not be
   */
  public AllResources(KubernetesClient client, Class<R> kind, Set<String> namespaces) {
    this.client = client;
    this.kind = kind;
    this.namespaces = Set.copyOf(namespaces);
  }

  /** Those of the whole Kubernetes cluster; none where the API server does not serve the kind. */
  public void forEachServed(Consumer<R> reader) {
    served(
        "",
        () -> {
          try {
            return client.resources(kind).inAnyNamespace().list().getItems();
          } catch (KubernetesClientException failed) {
            if (failed.getCode() != HttpURLConnection.HTTP_FORBIDDEN || namespaces.isEmpty()) {
              throw failed;
            }
            return namespaces.stream().flatMap(it -> in(it).stream()).toList();
          }
        },
        reader);
  }

  /** Those of one namespace; none where the API server does not serve the kind. */
  public void forEachServedIn(String namespace, Consumer<R> reader) {
    served(" of namespace " + namespace, () -> in(namespace), reader);
  }

  private List<R> in(String namespace) {
    return client.resources(kind).inNamespace(namespace).list().getItems();
  }

  private void served(String where, Supplier<List<R>> list, Consumer<R> reader) {
    KubernetesFailure.translate(
            "list the %ss%s".formatted(HasMetadata.getKind(kind), where),
            () -> {
              try {
                return list.get();
              } catch (KubernetesClientException failed) {
                if (failed.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                  throw failed;
                }
                return List.<R>of();
              }
            })
        .forEach(reader);
  }
}
