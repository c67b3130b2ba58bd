package dev.sluice.activities.manifest.common;

import dev.sluice.api.common.FlinkConfiguration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * How much memory a pod needs, as Flink's {@code JobManagerProcessUtils}, {@code
 * TaskExecutorProcessUtils} and {@code ProcessMemoryUtils} derive it, in whole mebibytes of the
 * process. The shares inside it are the business of the image's scripts. Each method fails with an
 * IllegalArgumentException when nothing says how much, or a value is not an amount.
 */
public final class ProcessMemory {
  private static final long MIB = 1L << 20;

  private final String memory;
  private final FlinkConfiguration configuration;

  private ProcessMemory(String role, FlinkConfiguration configuration) {
    this.memory = role + ".memory.";
    this.configuration = configuration;
  }

  /** Of a JobManager. */
  public static long ofJobManager(FlinkConfiguration configuration) {
    ProcessMemory of = new ProcessMemory("jobmanager", configuration);
    return of.mebibytes(
        () ->
            of.bytes("flink.size")
                .or(() -> of.bytes("heap.size").map(it -> add(it, of.bytes("off-heap.size", 128))))
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "spec.jobManager.resource.memory: must be given, or one of "
                                + "jobmanager.memory.process.size, jobmanager.memory.flink.size and "
                                + "jobmanager.memory.heap.size in spec.flinkConfiguration")));
  }

  /** Of a TaskManager that a Deployment makes. */
  public static long ofTaskManager(FlinkConfiguration configuration) {
    ProcessMemory of = new ProcessMemory("taskmanager", configuration);
    return of.mebibytes(
        () ->
            of.bytes("flink.size")
                .or(() -> configuration.memoryBytes("taskmanager.heap.size"))
                .or(of::ofParts)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "spec.taskManager.resource.memory: must be given, or one of "
                                + "taskmanager.memory.process.size and taskmanager.memory.flink.size in "
                                + "spec.flinkConfiguration")));
  }

  private long mebibytes(Supplier<Long> flink) {
    try {
      return bytes("process.size").orElseGet(() -> around(flink.get())) / MIB;
    } catch (ArithmeticException tooMuch) {
      throw new IllegalArgumentException(
          "flinkConfiguration: the amounts of " + memory + "* add up to too much", tooMuch);
    }
  }

  /** Where the heap of tasks and managed memory are given, the rest has defaults. */
  private Optional<Long> ofParts() {
    Optional<Long> heap = bytes("task.heap.size");
    Optional<Long> managed = bytes("managed.size");
    if (heap.isEmpty() || managed.isEmpty()) {
      return Optional.empty();
    }
    long others =
        add(
            heap.get(),
            managed.get(),
            bytes("framework.heap.size", 128),
            bytes("framework.off-heap.size", 128),
            bytes("task.off-heap.size", 0));
    long network =
        within(
            others,
            fraction("network.fraction"),
            bytes("network.min", 64),
            bytes("network.max").orElse(Long.MAX_VALUE));
    return Optional.of(add(others, network));
  }

  /** The process around that much memory of Flink's own. */
  private long around(long flink) {
    long inside = add(flink, bytes("jvm-metaspace.size", 256));
    long overhead =
        within(
            inside,
            fraction("jvm-overhead.fraction"),
            bytes("jvm-overhead.min", 192),
            bytes("jvm-overhead.max", 1024));
    return add(inside, overhead);
  }

  private static long within(long rest, double fraction, long atLeast, long atMost) {
    return Math.min(atMost, Math.max(atLeast, (long) (fraction / (1 - fraction) * rest)));
  }

  private static long add(long... amounts) {
    return LongStream.of(amounts).reduce(0, Math::addExact);
  }

  private double fraction(String share) {
    return configuration.number(memory + share, 0.1);
  }

  private Optional<Long> bytes(String share) {
    return configuration.memoryBytes(memory + share);
  }

  private long bytes(String share, long defaultMebibytes) {
    return bytes(share).orElse(defaultMebibytes * MIB);
  }
}
