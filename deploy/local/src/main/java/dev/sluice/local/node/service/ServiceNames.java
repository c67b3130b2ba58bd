package dev.sluice.local.node.service;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What Services mean on this node. A Service's names lead straight to its ready pods, so its port
 * has to be the pod's own.
 */
final class ServiceNames {
  private ServiceNames() {}

  /**
   * Lines of a hosts file, in a stable order: one for each address of a Service, with all its
   * names, as the JDK takes all lines of a name.
   *
   * @param nobody the address of a Service that has no pod that is ready; a headless one has no
   *     name then
   * @param taken short names that mean something else; one that two namespaces have means the first
   *     one's Service
   */
  static String lines(
      Collection<Service> services, Collection<Pod> pods, String nobody, List<String> taken) {
    StringBuilder lines = new StringBuilder();
    Set<String> shortNames = new HashSet<>(taken);
    services.stream()
        .filter(ServiceNames::selects)
        .sorted(Comparator.comparing(ServiceNames::fullName))
        .forEach(
            service -> {
              List<String> ready = addresses(service, pods);
              boolean headless = "None".equals(service.getSpec().getClusterIP());
              List<String> addresses = ready.isEmpty() && !headless ? List.of(nobody) : ready;
              String name = service.getMetadata().getName();
              String full = fullName(service);
              String names = " %s %s.svc %s.svc.cluster.local".formatted(full, full, full);
              if (!addresses.isEmpty() && shortNames.add(name)) {
                names += " " + name;
              }
              for (String address : addresses) {
                lines.append(address).append(names).append('\n');
              }
            });
    return lines.toString();
  }

  private static String fullName(Service service) {
    return service.getMetadata().getName() + "." + service.getMetadata().getNamespace();
  }

  private static boolean selects(Service service) {
    Map<String, String> selector = service.getSpec().getSelector();
    return selector != null && !selector.isEmpty();
  }

  private static List<String> addresses(Service service, Collection<Pod> pods) {
    boolean all = Boolean.TRUE.equals(service.getSpec().getPublishNotReadyAddresses());
    String namespace = service.getMetadata().getNamespace();
    var selector = service.getSpec().getSelector().entrySet();
    return pods.stream()
        .filter(pod -> pod.getMetadata().getNamespace().equals(namespace))
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(pod -> pod.getMetadata().getLabels() != null)
        .filter(pod -> pod.getMetadata().getLabels().entrySet().containsAll(selector))
        .filter(pod -> pod.getStatus() != null && pod.getStatus().getPodIP() != null)
        .filter(pod -> !over(pod) && (all || ready(pod)))
        .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
        .map(pod -> pod.getStatus().getPodIP())
        .toList();
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
