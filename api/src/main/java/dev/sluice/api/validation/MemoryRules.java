package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Resource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Flink must be able to determine how much memory a process has, from the pod or from its
 * configuration (Flink's {@code JobManagerProcessUtils} and {@code TaskExecutorProcessUtils}).
 */
final class MemoryRules {
  /** Memory is handed to Flink and Kubernetes in MiB. */
  static final long LEAST_BYTES = 1L << 20;

  /** 1 PiB, more than any node has; keeps every sum of amounts finite. */
  static final long MOST_BYTES = 1L << 50;

  private static final String TASK_HEAP = "taskmanager.memory.task.heap.size";
  private static final String MANAGED = "taskmanager.memory.managed.size";

  /** Any of them says how much memory the process has. */
  private static final List<String> JOB_MANAGER =
      List.of(
          "jobmanager.memory.process.size",
          "jobmanager.memory.flink.size",
          "jobmanager.memory.heap.size");

  private static final List<String> TASK_MANAGER =
      List.of(
          "taskmanager.memory.process.size",
          "taskmanager.memory.flink.size",
          "taskmanager.heap.size");

  private MemoryRules() {}

  static void check(Subject subject, Report report) {
    FlinkConfiguration configuration = subject.configuration();
    var jobManager = subject.spec().jobManager();
    if (!isGiven(jobManager.resource(), jobManager.resources())
        && JOB_MANAGER.stream().noneMatch(configuration::has)) {
      addMissing(report, "spec.jobManager", "jobmanager");
    }
    var taskManager = subject.spec().taskManager();
    if (!isGiven(taskManager.resource(), taskManager.resources())
        && TASK_MANAGER.stream().noneMatch(configuration::has)
        && !(configuration.has(TASK_HEAP) && configuration.has(MANAGED))) {
      addMissing(report, "spec.taskManager", "taskmanager");
    }
  }

  private static void addMissing(Report report, String path, String process) {
    report.add(
        path + ".resources.requests.memory",
        "must be given, so that Flink knows its memory. Set it, or "
            + path
            + ".resource.memory, or "
            + process
            + ".memory.process.size in spec.flinkConfiguration");
  }

  /** Whether the spec says how much memory the process has. */
  static boolean isGiven(@Nullable Resource resource, @Nullable ResourceRequirements resources) {
    String memory = resource == null ? null : resource.memory();
    return (memory != null && !memory.isBlank()) || (resources != null && has(resources, "memory"));
  }

  /** Whether the requests or the limits have an amount of that name. */
  static boolean has(ResourceRequirements resources, String name) {
    return hasKey(resources.getRequests(), name) || hasKey(resources.getLimits(), name);
  }

  private static boolean hasKey(@Nullable Map<String, Quantity> amounts, String name) {
    return amounts != null && amounts.containsKey(name);
  }
}
