package dev.sluice.local.node.container;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a pod's volumes and environment are made of: objects of the pod's own namespace. */
public interface Sources {

  /** The ConfigMap of that name; empty when there is none. */
  Optional<ConfigMap> configMap(String name) throws StartProblem;

  /** The Secret of that name; empty when there is none. */
  Optional<Secret> secret(String name) throws StartProblem;

  /**
   * A new token of the pod's service account, bound to the pod.
   *
   * @param audience null for the API server's own
   * @param seconds how long it is to live
   */
  String token(@Nullable String audience, long seconds) throws StartProblem;
}
