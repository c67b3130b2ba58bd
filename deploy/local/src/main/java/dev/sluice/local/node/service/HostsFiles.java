package dev.sluice.local.node.service;

import dev.sluice.local.os.Trees;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files for {@code -Djdk.net.hosts.file}, one for each pod. A Service's names lead straight to
 * its ready pods, so its port has to be the pod's own. That option replaces DNS altogether, so this
 * machine's own names are in them too.
 *
 * <p>In a pod's file {@code localhost} is the pod, as it is in a container: the processes of a pod
 * listen on the pod's address only, and Flink 1.20 looks for its blob server on {@code localhost}.
 */
public final class HostsFiles {
  private static final String NAME = "pod.hosts";

  private final Path pods;
  private final String unused;
  private final List<String> own;
  private String services = "";
  private boolean written;

  /**
   * @param pods the folder of all pods
   * @param unused the address of Services without pods, where no process listens
   */
  public HostsFiles(Path pods, String unused) {
    this.pods = pods;
    this.unused = unused;
    this.own = List.of("localhost", machine());
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost"; // it has no other name
    }
  }

  /** Writes the names of Services for all pods; nothing when they are as before. */
  public synchronized void write(Collection<Service> all, Collection<Pod> targets)
      throws IOException {
    String lines = lines(all, targets, unused, own);
    if (written && lines.equals(services)) {
      return;
    }
    for (Path pod : Trees.list(pods, "*")) {
      try {
        write(pod, Files.readString(pod.resolve(NAME)).split(" ", 2)[0], lines);
      } catch (NoSuchFileException e) {
        continue; // the pod has not started yet, or is gone
      }
    }
    services = lines;
    written = true;
  }

  /**
   * The file of one pod, kept up to date from now on.
   *
   * @param pod the pod's folder
   * @param ip the pod's address
   */
  public synchronized Path ofPod(Path pod, String ip) throws IOException {
    return write(pod, ip, services);
  }

  private Path write(Path pod, String ip, String lines) throws IOException {
    Path file = pod.resolve(NAME);
    String text = ip + " " + String.join(" ", own) + "\n" + lines;
    Trees.write(file, text.getBytes(StandardCharsets.UTF_8), 0644);
    return file;
  }

  /**
   * Lines of a hosts file, in a stable order: one for each address of a Service, with all its
   * names, as the JDK takes all lines of a name.
   *
   * @param unused the address of a Service without a ready pod; a headless one then has no entry
   * @param taken short names that mean something else; one that two namespaces have means the first
   *     one's Service
   */
  static String lines(
      Collection<Service> services, Collection<Pod> pods, String unused, List<String> taken) {
    StringBuilder lines = new StringBuilder();
    Set<String> shortNames = new HashSet<>(taken);
    services.stream()
        .filter(HostsFiles::selects)
        .sorted(Comparator.comparing(HostsFiles::fullName))
        .forEach(
            service -> {
              List<String> ready = addresses(service, pods);
              boolean headless = "None".equals(service.getSpec().getClusterIP());
              List<String> addresses = ready.isEmpty() && !headless ? List.of(unused) : ready;
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
        .filter(pod -> pod.getMetadata().getLabels().entrySet().containsAll(selector))
        .filter(pod -> pod.getStatus() != null && pod.getStatus().getPodIP() != null)
        .filter(pod -> !hasEnded(pod) && (all || Readiness.isPodReady(pod)))
        .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
        .map(pod -> pod.getStatus().getPodIP())
        .toList();
  }

  /** Whether nothing will ever run in it again. */
  public static boolean hasEnded(Pod pod) {
    return pod.getStatus() != null
        && List.of("Succeeded", "Failed").contains(String.valueOf(pod.getStatus().getPhase()));
  }
}
