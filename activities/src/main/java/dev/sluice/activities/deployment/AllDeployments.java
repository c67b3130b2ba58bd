package dev.sluice.activities.deployment;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.deployment.FlinkDeployment;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The FlinkDeployments of the Kubernetes cluster, read page by page: a savepoint of one namespace
 * may be what a job of another one starts from.
 */
final class AllDeployments {

  private static final long PAGE = 100;

  private final KubernetesClient client;
  private final Set<String> namespaces;
  private final long page;

  /**
   * @param namespaces that are read where a list of all namespaces is refused; empty when that must
   *     not be
   */
  AllDeployments(KubernetesClient client, Set<String> namespaces) {
    this(client, namespaces, PAGE);
  }

  /**
   * @param page how many are read with one call
   */
  AllDeployments(KubernetesClient client, Set<String> namespaces, long page) {
    this.client = client;
    this.namespaces = Set.copyOf(namespaces);
    this.page = page;
  }

  /**
   * The first that fits; empty only when all of them were read.
   *
   * @throws io.temporal.failure.ApplicationFailure as {@link KubernetesFailure} says
   */
  Optional<FlinkDeployment> first(Predicate<FlinkDeployment> fits) {
    return KubernetesFailure.told("list the FlinkDeployments", () -> find(fits));
  }

  private Optional<FlinkDeployment> find(Predicate<FlinkDeployment> fits) {
    try {
      return find(client.resources(FlinkDeployment.class).inAnyNamespace(), fits);
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_FORBIDDEN || namespaces.isEmpty()) {
        throw failed;
      }
    }
    return namespaces.stream()
        .flatMap(it -> find(client.resources(FlinkDeployment.class).inNamespace(it), fits).stream())
        .findFirst();
  }

  private Optional<FlinkDeployment> find(
      Listable<? extends KubernetesResourceList<FlinkDeployment>> all,
      Predicate<FlinkDeployment> fits) {
    String next = null;
    do {
      KubernetesResourceList<FlinkDeployment> read = list(all, next);
      Optional<FlinkDeployment> found = read.getItems().stream().filter(fits).findFirst();
      if (found.isPresent()) {
        return found;
      }
      next = read.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    return Optional.empty();
  }

  private KubernetesResourceList<FlinkDeployment> list(
      Listable<? extends KubernetesResourceList<FlinkDeployment>> all, @Nullable String from) {
    return all.list(new ListOptionsBuilder().withLimit(page).withContinue(from).build());
  }
}
