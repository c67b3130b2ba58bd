package dev.sluice.activities.manifest.common;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.KubernetesOptions;
import java.util.Optional;

/**
 * How much memory the JobManager's pod needs, as Flink's {@code JobManagerProcessUtils} and {@code
 * ProcessMemoryUtils} derive it. The shares inside it are the business of the image's scripts.
 */
public final class JobManagerMemory {
  public static final String PROCESS_SIZE = "jobmanager.memory.process.size";
  private static final long MIB = 1L << 20;

  private JobManagerMemory() {}

  /**
   * Whole mebibytes of the process.
   *
   * @throws IllegalArgumentException when nothing says how much, or a value is not an amount
   */
  public static long mebibytes(FlinkConfiguration configuration) {
    try {
      long bytes =
          configuration
              .memoryBytes(PROCESS_SIZE)
              .orElseGet(
                  () -> aroundFlink("jobmanager", flinkMemory(configuration), configuration));
      return bytes / MIB;
    } catch (ArithmeticException tooMuch) {
      throw new IllegalArgumentException(
          "flinkConfiguration: the amounts of jobmanager.memory.* add up to too much", tooMuch);
    }
  }

  private static long flinkMemory(FlinkConfiguration configuration) {
    return configuration
        .memoryBytes("jobmanager.memory.flink.size")
        .or(() -> heapAndOffHeap(configuration))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "spec.jobManager.resource.memory: must be given, or one of "
                        + "jobmanager.memory.process.size, jobmanager.memory.flink.size and "
                        + "jobmanager.memory.heap.size in spec.flinkConfiguration"));
  }

  private static Optional<Long> heapAndOffHeap(FlinkConfiguration configuration) {
    return configuration
        .memoryBytes("jobmanager.memory.heap.size")
        .map(
            heap ->
                Math.addExact(heap, bytes(configuration, "jobmanager.memory.off-heap.size", 128)));
  }

  /** The process around that much memory of Flink's own, for a role such as jobmanager. */
  static long aroundFlink(String role, long flink, FlinkConfiguration configuration) {
    String memory = role + ".memory.";
    long inside = Math.addExact(flink, bytes(configuration, memory + "jvm-metaspace.size", 256));
    double fraction =
        new KubernetesOptions(configuration).number(memory + "jvm-overhead.fraction", 0.1);
    long overhead = (long) (fraction / (1 - fraction) * inside);
    long atLeast = bytes(configuration, memory + "jvm-overhead.min", 192);
    long atMost = bytes(configuration, memory + "jvm-overhead.max", 1024);
    return Math.addExact(inside, Math.min(atMost, Math.max(atLeast, overhead)));
  }

  static long bytes(FlinkConfiguration configuration, String key, long defaultMebibytes) {
    return configuration.memoryBytes(key).orElse(defaultMebibytes * MIB);
  }
}
