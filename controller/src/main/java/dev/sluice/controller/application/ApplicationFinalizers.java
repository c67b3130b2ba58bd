package dev.sluice.controller.application;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.controller.common.MetadataPatch;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps our finalizer on an application, in the place of that of Lyft's operator, which nobody
 * would remove any more. Leaves all others alone, and writes only onto the very version that was
 * seen, and only when something differs.
 */
final class ApplicationFinalizers {

  private final MetadataPatch metadata;

  ApplicationFinalizers(KubernetesClient client) {
    this.metadata = new MetadataPatch(client);
  }

  /** Whether a deletion waits for us: also one of which Lyft's operator was to take care. */
  static boolean holds(FlinkApplication resource) {
    return all(resource).stream().anyMatch(ApplicationFinalizers::isForUs);
  }

  /**
   * Puts ours on a resource that is not being deleted, and takes that of Lyft's operator away: one
   * that is being deleted takes no more.
   *
   * @return the resource as it is then; empty when it has changed meanwhile, or is gone
   */
  Optional<FlinkApplication> keep(FlinkApplication resource) {
    List<String> wanted = others(resource);
    wanted.add(FlinkApplication.FINALIZER);
    boolean kept = wanted.size() == all(resource).size() && all(resource).containsAll(wanted);
    return kept ? Optional.of(resource) : write(resource, wanted);
  }

  /**
   * Lets a deleted resource go.
   *
   * @return whether it is done; it is not when the resource has changed meanwhile
   */
  boolean release(FlinkApplication resource) {
    return !holds(resource) || write(resource, others(resource)).isPresent();
  }

  private static boolean isForUs(String finalizer) {
    return finalizer.equals(FlinkApplication.FINALIZER)
        || finalizer.equals(FlinkApplication.LYFT_FINALIZER);
  }

  private static List<String> others(FlinkApplication resource) {
    List<String> others = new ArrayList<>(all(resource));
    others.removeIf(ApplicationFinalizers::isForUs);
    return others;
  }

  private static List<String> all(FlinkApplication resource) {
    return Objects.requireNonNullElse(resource.getMetadata().getFinalizers(), List.of());
  }

  private Optional<FlinkApplication> write(FlinkApplication resource, List<String> finalizers) {
    try {
      return Optional.of(metadata.apply(resource, Map.of("finalizers", finalizers)));
    } catch (KubernetesClientException failed) {
      if (failed.getCode() == HttpURLConnection.HTTP_CONFLICT
          || failed.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw failed;
    }
  }
}
