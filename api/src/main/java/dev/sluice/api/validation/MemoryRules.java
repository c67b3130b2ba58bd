package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.Resource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Flink must be able to tell how much memory a process has, from the pod or from its configuration
 * (Flink's {@code JobManagerProcessUtils} and {@code TaskExecutorProcessUtils}).
 */
final class MemoryRules implements Rule {
  private static final String TASK_HEAP = "taskmanager.memory.task.heap.size";
  private static final String MANAGED = "taskmanager.memory.managed.size";
  private static final List<String> JOB_MANAGER =
      List.of(
          "jobmanager.memory.process.size",
          "jobmanager.memory.flink.size",
          "jobmanager.memory.heap.size",
          "jobmanager.heap.size");
  private static final List<String> TASK_MANAGER =
      List.of(
          "taskmanager.memory.process.size",
          "taskmanager.memory.flink.size",
          "taskmanager.heap.size");

  /** Keys whose values must be amounts of memory. */
  static final List<String> SIZES =
      List.of(
          "jobmanager.memory.process.size",
          "jobmanager.memory.flink.size",
          "jobmanager.memory.heap.size",
          "taskmanager.memory.process.size",
          "taskmanager.memory.flink.size",
          TASK_HEAP,
          MANAGED);

  @Override
  public void check(Subject subject, Report report) {
    FlinkConfiguration configuration = subject.configuration();
    var jobManager = subject.spec().jobManager();
    if (!isGiven(jobManager.resource(), jobManager.resources())
        && JOB_MANAGER.stream().noneMatch(configuration::has)) {
      add(report, "spec.jobManager", "jobmanager");
    }
    var taskManager = subject.spec().taskManager();
    if (!isGiven(taskManager.resource(), taskManager.resources())
        && TASK_MANAGER.stream().noneMatch(configuration::has)
        && !(configuration.has(TASK_HEAP) && configuration.has(MANAGED))) {
      add(report, "spec.taskManager", "taskmanager");
    }
  }

  private static void add(Report report, String path, String process) {
    report.add(
        path + ".resources.requests.memory",
        "must be given, so that Flink knows its memory. Set it, or "
            + path
            + ".resource.memory, or "
            + process
            + ".memory.process.size in spec.flinkConfiguration");
  }

  private static boolean isGiven(
      @Nullable Resource resource, @Nullable ResourceRequirements resources) {
    String memory = resource == null ? null : resource.memory();
    return (memory != null && !memory.isBlank())
        || (resources != null
            && (hasMemory(resources.getRequests()) || hasMemory(resources.getLimits())));
  }

  private static boolean hasMemory(@Nullable Map<String, Quantity> amounts) {
    return amounts != null && amounts.containsKey("memory");
  }
}
