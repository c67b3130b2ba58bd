package dev.sluice.api.application;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.util.Map;
import java.util.TreeMap;

/** The size of a container of a spec that does not say. */
final class ContainerSize {

  private ContainerSize() {}

  /**
   * Requests that are also the limits.
   *
   * @param cpus a quantity
   * @param memory in MiB
   */
  static ResourceRequirements of(String cpus, String memory) {
    Map<String, Quantity> size = new TreeMap<>();
    size.put("cpu", new Quantity(cpus));
    size.put("memory", new Quantity(memory, "Mi"));
    return new ResourceRequirementsBuilder().withRequests(size).withLimits(size).build();
  }
}
