package dev.sluice.local.node.fault;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The faults to inject.
 *
 * @param generation counts changes, so that a test knows when the node has taken them up
 * @param refusedImages images that cannot be pulled; {@code *} stands for anything
 * @param refusedPods pods whose containers are not started
 * @param heldPods pods that are not bound to the node: they stay Pending
 * @param services {@code namespace/name} of a Service to its fault
 */
public record Faults(
    long generation,
    List<String> refusedImages,
    List<PodPattern> refusedPods,
    List<PodPattern> heldPods,
    Map<String, ServiceFault> services) {

  /** No fault. */
  public static final Faults NONE = new Faults(0, List.of(), List.of(), List.of(), Map.of());

  public Faults {
    refusedImages = refusedImages == null ? List.of() : List.copyOf(refusedImages);
    refusedPods = refusedPods == null ? List.of() : List.copyOf(refusedPods);
    heldPods = heldPods == null ? List.of() : List.copyOf(heldPods);
    services = services == null ? Map.of() : Map.copyOf(services);
  }

  /** Whether the image cannot be pulled. */
  public boolean refusesImage(String image) {
    return refusedImages.stream().anyMatch(pattern -> PodPattern.glob(pattern, image));
  }

  /** Whether the pod's containers are not started. */
  public boolean refuses(Pod pod) {
    return refusedPods.stream().anyMatch(pattern -> pattern.matches(pod));
  }

  /** Whether the pod stays unbound. */
  public boolean holds(Pod pod) {
    return heldPods.stream().anyMatch(pattern -> pattern.matches(pod));
  }

  /** The fault of a Service; empty when it has none. */
  public Optional<ServiceFault> service(String namespace, String name) {
    return Optional.ofNullable(services.get(namespace + "/" + name));
  }
}
