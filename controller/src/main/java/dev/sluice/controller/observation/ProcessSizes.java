package dev.sluice.controller.observation;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of a cluster may use.
 *
 * @param jobManagers all of them
 * @param taskManager one; null while there is none to look at
 * @param taskManagers number of them that their Deployment asks for; null where Flink makes them
 */
public record ProcessSizes(
    Size jobManagers, @Nullable Size taskManager, @Nullable Integer taskManagers) {

  /** Nothing is known. */
  public static final ProcessSizes NONE = new ProcessSizes(new Size(0, 0), null);

  /** Of a cluster whose TaskManagers are made by Flink. */
  public ProcessSizes(Size jobManagers, @Nullable Size taskManager) {
    this(jobManagers, taskManager, null);
  }

  private static final String MAIN = "flink-main-container";

  /**
   * CPU and memory.
   *
   * @param cpu cores
   * @param memory bytes
   */
  public record Size(double cpu, long memory) {

    /** The sum of this number of them. */
    public Size times(int number) {
      return new Size(cpu * number, memory * number);
    }

    /** Both together. */
    public Size plus(Size other) {
      return new Size(cpu + other.cpu, memory + other.memory);
    }

    /** Of Flink's container in a pod: its limits, else its requests. */
    static Size of(@Nullable PodSpec pod) {
      return Optional.ofNullable(pod).stream()
          .flatMap(spec -> spec.getContainers().stream())
          .filter(container -> MAIN.equals(container.getName()))
          .map(Container::getResources)
          .filter(resources -> resources != null)
          .findFirst()
          .map(it -> new Size(amount(it, "cpu").doubleValue(), amount(it, "memory").longValue()))
          .orElse(new Size(0, 0));
    }

    private static BigDecimal amount(ResourceRequirements resources, String name) {
      return amount(resources.getLimits(), name)
          .or(() -> amount(resources.getRequests(), name))
          .orElse(BigDecimal.ZERO);
    }

    private static Optional<BigDecimal> amount(
        @Nullable Map<String, Quantity> amounts, String name) {
      return Optional.ofNullable(amounts)
          .map(some -> some.get(name))
          .map(Quantity::getNumericalAmount);
    }
  }
}
