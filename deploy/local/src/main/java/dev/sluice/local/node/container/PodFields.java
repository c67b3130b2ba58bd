package dev.sluice.local.node.container;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The downward API: fields of a pod that its containers can read.
 *
 * @param pod the pod
 * @param ip its address
 */
public record PodFields(Pod pod, String ip) {

  /** The value of a field path such as {@code metadata.labels['app']}; "" for a missing label. */
  public String field(String path) throws StartProblem {
    int bracket = path.indexOf("['");
    if (bracket > 0 && path.endsWith("']")) {
      String key = path.substring(bracket + 2, path.length() - 2);
      return switch (path.substring(0, bracket)) {
        case "metadata.labels" -> value(pod.getMetadata().getLabels(), key);
        case "metadata.annotations" -> value(pod.getMetadata().getAnnotations(), key);
        default -> throw unknown(path);
      };
    }
    return switch (path) {
      case "metadata.name" -> pod.getMetadata().getName();
      case "metadata.namespace" -> pod.getMetadata().getNamespace();
      case "metadata.uid" -> pod.getMetadata().getUid();
      case "spec.nodeName" -> Optional.ofNullable(pod.getSpec().getNodeName()).orElse("");
      case "spec.serviceAccountName" -> serviceAccount(pod);
      case "status.podIP", "status.podIPs" -> ip;
      case "status.hostIP", "status.hostIPs" -> "127.0.0.1";
      default -> throw unknown(path);
    };
  }

  private static String value(@Nullable Map<String, String> map, String key) {
    return map == null ? "" : map.getOrDefault(key, "");
  }

  private static StartProblem unknown(String path) {
    return new StartProblem(
        "CreateContainerConfigError", "The local node does not know the field " + path);
  }

  /** The pod's service account; {@code default} when none is named. */
  public static String serviceAccount(Pod pod) {
    String name = pod.getSpec().getServiceAccountName();
    return name == null || name.isEmpty() ? "default" : name;
  }
}
