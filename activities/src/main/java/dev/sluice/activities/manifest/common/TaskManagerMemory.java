package dev.sluice.activities.manifest.common;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.KubernetesOptions;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * How much memory a TaskManager's pod needs where a Deployment makes it, as Flink's {@code
 * TaskExecutorProcessUtils} derives it. The shares inside it are the business of the image's
 * scripts.
 */
public final class TaskManagerMemory {
  private static final String MEMORY = "taskmanager.memory.";
  private static final long MIB = 1L << 20;

  private TaskManagerMemory() {}

  /**
   * Whole mebibytes of the process.
   *
   * @throws IllegalArgumentException when nothing says how much, or a value is not an amount
   */
  public static long mebibytes(FlinkConfiguration configuration) {
    try {
      long bytes =
          configuration
              .memoryBytes(MEMORY + "process.size")
              .orElseGet(
                  () ->
                      JobManagerMemory.aroundFlink(
                          "taskmanager", flinkMemory(configuration), configuration));
      return bytes / MIB;
    } catch (ArithmeticException tooMuch) {
      throw new IllegalArgumentException(
          "flinkConfiguration: the amounts of taskmanager.memory.* add up to too much", tooMuch);
    }
  }

  private static long flinkMemory(FlinkConfiguration configuration) {
    return configuration
        .memoryBytes(MEMORY + "flink.size")
        .or(() -> configuration.memoryBytes("taskmanager.heap.size"))
        .or(() -> ofParts(configuration))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "spec.taskManager.resource.memory: must be given, or one of "
                        + "taskmanager.memory.process.size and taskmanager.memory.flink.size in "
                        + "spec.flinkConfiguration"));
  }

  /** Where the heap of tasks and managed memory are given, the rest has defaults. */
  private static Optional<Long> ofParts(FlinkConfiguration configuration) {
    Optional<Long> heap = configuration.memoryBytes(MEMORY + "task.heap.size");
    Optional<Long> managed = configuration.memoryBytes(MEMORY + "managed.size");
    if (heap.isEmpty() || managed.isEmpty()) {
      return Optional.empty();
    }
    long others =
        LongStream.of(
                heap.get(),
                managed.get(),
                JobManagerMemory.bytes(configuration, MEMORY + "framework.heap.size", 128),
                JobManagerMemory.bytes(configuration, MEMORY + "framework.off-heap.size", 128),
                JobManagerMemory.bytes(configuration, MEMORY + "task.off-heap.size", 0))
            .reduce(0, Math::addExact);
    return Optional.of(Math.addExact(others, network(others, configuration)));
  }

  private static long network(long others, FlinkConfiguration configuration) {
    double fraction = new KubernetesOptions(configuration).number(MEMORY + "network.fraction", 0.1);
    long share = (long) (fraction / (1 - fraction) * others);
    long atLeast = JobManagerMemory.bytes(configuration, MEMORY + "network.min", 64);
    long atMost = configuration.memoryBytes(MEMORY + "network.max").orElse(Long.MAX_VALUE);
    return Math.min(atMost, Math.max(atLeast, share));
  }
}
