package dev.sluice.activities.manifest.application;

import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.ImageVersion;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memory of Flink's processes, calculated from what their containers request: since Flink 1.11
 * that of the whole process, before it the heap. Pure.
 */
final class FlinkMemoryKeys {

  private static final double HEAP_LEFT_OUT = 0.5;
  private static final double PROCESS_LEFT_OUT = 0.2;
  private static final long KIB = 1024;

  private FlinkMemoryKeys() {}

  /**
   * @throws IllegalArgumentException naming the field of the spec that does not allow it
   */
  static Map<String, String> of(FlinkApplicationSpec spec) {
    boolean heapOnly = ImageVersion.isHeapOnly(spec.flinkVersion());
    String suffix = heapOnly ? ".heap.size" : ".memory.process.size";
    var jobManager = spec.jobManagerConfig();
    var taskManager = spec.taskManagerConfig();
    return Map.of(
        "jobmanager" + suffix,
        size(
            "spec.jobManagerConfig",
            jobManager.resources(),
            heapOnly,
            jobManager.offHeapMemoryFraction(),
            jobManager.systemMemoryFraction()),
        "taskmanager" + suffix,
        size(
            "spec.taskManagerConfig",
            taskManager.resources(),
            heapOnly,
            taskManager.offHeapMemoryFraction(),
            taskManager.systemMemoryFraction()));
  }

  private static String size(
      String field,
      ResourceRequirements resources,
      boolean heapOnly,
      @Nullable Double offHeap,
      @Nullable Double system) {
    if (heapOnly && system != null) {
      throw new IllegalArgumentException(
          field
              + ".systemMemoryFraction: is for Flink 1.11 and later; use offHeapMemoryFraction, or"
              + " set spec.flinkVersion");
    }
    if (!heapOnly && offHeap != null) {
      throw new IllegalArgumentException(
          field + ".offHeapMemoryFraction: is for Flink before 1.11; use systemMemoryFraction");
    }
    double leftOut =
        heapOnly
            ? Objects.requireNonNullElse(offHeap, HEAP_LEFT_OUT)
            : Objects.requireNonNullElse(system, PROCESS_LEFT_OUT);
    if (!(leftOut >= 0 && leftOut <= 1)) {
      throw new IllegalArgumentException(
          "%s.%s: must be between 0 and 1, but is %s"
              .formatted(
                  field, heapOnly ? "offHeapMemoryFraction" : "systemMemoryFraction", leftOut));
    }
    double bytes = requested(field, resources).doubleValue();
    return Math.round(bytes - bytes * leftOut) / KIB + "k";
  }

  private static BigDecimal requested(String field, ResourceRequirements resources) {
    Map<String, Quantity> requests = Objects.requireNonNullElse(resources.getRequests(), Map.of());
    Quantity memory = requests.get("memory");
    if (memory == null) {
      throw new IllegalArgumentException(
          field
              + ".resources.requests.memory: must be given: Flink's memory is calculated from it");
    }
    try {
      return Quantity.getAmountInBytes(memory);
    } catch (IllegalArgumentException | ArithmeticException unreadable) {
      throw new IllegalArgumentException(
          field + ".resources.requests.memory: must be a quantity, but is '" + memory + "'",
          unreadable);
    }
  }
}
