package dev.sluice.local.node.service;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What Services mean on this node: names for the hosts file, ports to forward. A pure function of
 * Services and pods.
 *
 * @param hosts address to the names it answers to, in a stable order
 * @param forwards the ports of Services that have an address
 */
public record ServiceTable(List<Host> hosts, List<Forward> forwards) {

  /**
   * A line of the hosts file.
   *
   * @param names such as {@code orders-rest.default.svc}
   */
  public record Host(String address, List<String> names) {}

  /**
   * @param address the address of a Service, by {@code namespace/name}
   */
  public static ServiceTable of(
      Collection<Service> services, Collection<Pod> pods, Function<String, String> address) {
    List<Host> hosts = new ArrayList<>();
    List<Forward> forwards = new ArrayList<>();
    List<Service> sorted =
        services.stream()
            .filter(ServiceTable::selects)
            .sorted(Comparator.comparing(ServiceTable::key))
            .toList();
    for (Service service : sorted) {
      List<Pod> behind = behind(service, pods);
      if ("None".equals(service.getSpec().getClusterIP())) {
        behind.forEach(pod -> hosts.add(new Host(pod.getStatus().getPodIP(), names(service))));
        continue;
      }
      String ip = address.apply(key(service));
      hosts.add(new Host(ip, names(service)));
      for (ServicePort port : service.getSpec().getPorts()) {
        if (port.getProtocol() == null || port.getProtocol().equals("TCP")) {
          InetSocketAddress listen = new InetSocketAddress(ip, port.getPort());
          forwards.add(new Forward(key(service), listen, endpoints(port, behind)));
        }
      }
    }
    return new ServiceTable(hosts, forwards);
  }

  /** {@code namespace/name}. */
  public static String key(Service service) {
    return service.getMetadata().getNamespace() + "/" + service.getMetadata().getName();
  }

  /** Whether it gets an address of its own, which it keeps as long as it lives. */
  public static boolean hasAddress(Service service) {
    return selects(service) && !"None".equals(service.getSpec().getClusterIP());
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

  private static List<Pod> behind(Service service, Collection<Pod> pods) {
    boolean all = Boolean.TRUE.equals(service.getSpec().getPublishNotReadyAddresses());
    return pods.stream()
        .filter(pod -> pod.getMetadata().getNamespace().equals(namespace(service)))
        .filter(
            pod -> labels(pod).entrySet().containsAll(service.getSpec().getSelector().entrySet()))
        .filter(pod -> pod.getStatus() != null && pod.getStatus().getPodIP() != null)
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(pod -> !over(pod) && (all || ready(pod)))
        .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
        .toList();
  }

  private static String namespace(Service service) {
    return service.getMetadata().getNamespace();
  }

  private static Map<String, String> labels(Pod pod) {
    Map<String, String> labels = pod.getMetadata().getLabels();
    return labels == null ? Map.of() : labels;
  }

  private static boolean over(Pod pod) {
    String phase = pod.getStatus().getPhase();
    return "Succeeded".equals(phase) || "Failed".equals(phase);
  }

  private static boolean ready(Pod pod) {
    return pod.getStatus().getConditions() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(c -> c.getType().equals("Ready") && "True".equals(c.getStatus()));
  }

  private static List<InetSocketAddress> endpoints(ServicePort port, List<Pod> pods) {
    return pods.stream()
        .flatMap(
            pod -> {
              OptionalInt target = target(port, pod);
              return target.isEmpty()
                  ? Stream.of()
                  : Stream.of(new InetSocketAddress(pod.getStatus().getPodIP(), target.getAsInt()));
            })
        .toList();
  }

  private static OptionalInt target(ServicePort port, Pod pod) {
    IntOrString target = port.getTargetPort();
    if (target == null) {
      return OptionalInt.of(port.getPort());
    }
    if (target.getIntVal() != null) {
      return OptionalInt.of(target.getIntVal() == 0 ? port.getPort() : target.getIntVal());
    }
    return pod.getSpec().getContainers().stream()
        .map(Container::getPorts)
        .filter(ports -> ports != null)
        .flatMap(List::stream)
        .filter(known -> target.getStrVal().equals(known.getName()))
        .mapToInt(ContainerPort::getContainerPort)
        .findFirst();
  }
}
