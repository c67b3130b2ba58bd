package dev.sluice.local.node.service;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * An address and the Service's names for it. A Service leads straight to its ready pods, so its
 * port has to be the pod's own.
 *
 * @param names such as {@code orders-rest.default.svc}, the longest that is in each file first
 */
public record ServiceHost(String address, List<String> names) {
  /**
   * What Services mean on this node, in a stable order.
   *
   * @param nobody the address of a Service that has no pod that is ready; a headless one has no
   *     name then
   */
  public static List<ServiceHost> of(
      Collection<Service> services, Collection<Pod> pods, String nobody) {
    List<ServiceHost> hosts = new ArrayList<>();
    services.stream()
        .filter(ServiceHost::selects)
        .sorted(Comparator.comparing(ServiceHost::key))
        .forEach(
            service -> {
              List<String> behind = behind(service, pods);
              boolean headless = "None".equals(service.getSpec().getClusterIP());
              (behind.isEmpty() && !headless ? List.of(nobody) : behind)
                  .forEach(ip -> hosts.add(new ServiceHost(ip, names(service))));
            });
    return hosts;
  }

  private static String key(Service service) {
    return service.getMetadata().getNamespace() + "/" + service.getMetadata().getName();
  }

  private static boolean selects(Service service) {
    Map<String, String> selector = service.getSpec().getSelector();
    return selector != null && !selector.isEmpty() && service.getSpec().getPorts() != null;
  }

  private static List<String> names(Service service) {
    String name = service.getMetadata().getName();
    String full = name + "." + service.getMetadata().getNamespace();
    return List.of(full, full + ".svc", full + ".svc.cluster.local", name);
  }

  private static List<String> behind(Service service, Collection<Pod> pods) {
    boolean all = Boolean.TRUE.equals(service.getSpec().getPublishNotReadyAddresses());
    String namespace = service.getMetadata().getNamespace();
    var selector = service.getSpec().getSelector().entrySet();
    return pods.stream()
        .filter(pod -> pod.getMetadata().getNamespace().equals(namespace))
        .filter(pod -> labels(pod).entrySet().containsAll(selector))
        .filter(pod -> pod.getStatus() != null && pod.getStatus().getPodIP() != null)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(pod -> !over(pod) && (all || ready(pod)))
        .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
        .map(pod -> pod.getStatus().getPodIP())
        .toList();
  }

  private static Map<String, String> labels(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return labels == null ? Map.of() : labels;
  }

  private static boolean over(Pod pod) {
    return List.of("Succeeded", "Failed").contains(String.valueOf(pod.getStatus().getPhase()));
  }

  private static boolean ready(Pod pod) {
    return pod.getStatus().getConditions() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(c -> c.getType().equals("Ready") && "True".equals(c.getStatus()));
  }
}
