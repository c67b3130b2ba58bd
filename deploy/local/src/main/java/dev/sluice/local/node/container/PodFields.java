package dev.sluice.local.node.container;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The downward API: fields of a pod that its containers can read.
 *
 * @param pod the pod
 * @param ip its address
 * @param capacity what the node has, for a limit that is not set
 */
public record PodFields(Pod pod, String ip, Map<String, Quantity> capacity) {

  /** The value of a field path such as {@code metadata.labels['app']}; "" for a missing label. */
  public String field(String path) throws StartProblem {
    int bracket = path.indexOf("['");
    if (bracket > 0 && path.endsWith("']")) {
      String key = path.substring(bracket + 2, path.length() - 2);
      return map(path.substring(0, bracket)).getOrDefault(key, "");
    }
    return switch (path) {
      case "metadata.name" -> pod.getMetadata().getName();
      case "metadata.namespace" -> pod.getMetadata().getNamespace();
      case "metadata.uid" -> pod.getMetadata().getUid();
      case "metadata.labels", "metadata.annotations" ->
          map(path).entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .map(e -> e.getKey() + "=\"" + e.getValue().replace("\"", "\\\"") + "\"")
              .collect(Collectors.joining("\n"));
      case "spec.nodeName" -> Optional.ofNullable(pod.getSpec().getNodeName()).orElse("");
      case "spec.serviceAccountName" -> serviceAccount(pod);
      case "status.podIP", "status.podIPs" -> ip;
      case "status.hostIP", "status.hostIPs" -> "127.0.0.1";
      default ->
          throw new StartProblem(
              "CreateContainerConfigError", "The local node does not know the field " + path);
    };
  }

  /** A request or limit, divided and rounded up as Kubernetes does. */
  public String resource(ResourceFieldSelector selector, Container container) throws StartProblem {
    String[] path = selector.getResource().split("\\.", 2);
    if (path.length != 2 || !(path[0].equals("limits") || path[0].equals("requests"))) {
      throw new StartProblem(
          "CreateContainerConfigError",
          "resourceFieldRef " + selector.getResource() + " is neither limits.* nor requests.*");
    }
    Quantity amount = declared(container, path[0], path[1]);
    Quantity divisor = selector.getDivisor();
    BigDecimal by =
        divisor == null ? BigDecimal.ONE : Quantity.getAmountInBytes(divisor).max(BigDecimal.ZERO);
    if (by.signum() == 0) {
      by = BigDecimal.ONE;
    }
    BigDecimal value = amount == null ? BigDecimal.ZERO : Quantity.getAmountInBytes(amount);
    return value.divide(by, 0, RoundingMode.CEILING).toPlainString();
  }

  private @Nullable Quantity declared(Container container, String kind, String resource) {
    if (container.getResources() == null) {
      return capacity.get(resource);
    }
    Map<String, Quantity> declared =
        kind.equals("limits")
            ? container.getResources().getLimits()
            : container.getResources().getRequests();
    Quantity own = declared == null ? null : declared.get(resource);
    return own == null ? capacity.get(resource) : own;
  }

  private Map<String, String> map(String path) throws StartProblem {
    Map<String, String> map =
        switch (path) {
          case "metadata.labels" -> pod.getMetadata().getLabels();
          case "metadata.annotations" -> pod.getMetadata().getAnnotations();
          default ->
              throw new StartProblem(
                  "CreateContainerConfigError", "The local node does not know the field " + path);
        };
    return map == null ? Map.of() : map;
  }

  /** The pod's service account; {@code default} when none is named. */
  public static String serviceAccount(Pod pod) {
    String name = pod.getSpec().getServiceAccountName();
    return name == null || name.isEmpty() ? "default" : name;
  }
}
