package dev.sluice.worker;

import dev.sluice.bootstrap.Settings;
import dev.sluice.workflows.operation.LaneSignals;
import java.time.Duration;
import java.util.Set;

/**
 * What the worker is configured with, beside {@link dev.sluice.bootstrap.ProcessSettings}.
 *
 * @param namespaces {@code SLUICE_WATCH_NAMESPACES}, commas between; empty watches every namespace
 * @param taskQueue {@code SLUICE_TASK_QUEUE} to poll
 * @param activities {@code SLUICE_MAX_ACTIVITIES}, 32: short effects at once; waits are not counted
 * @param workflowTasks {@code SLUICE_MAX_WORKFLOW_TASKS}, 16: workflow steps at once
 * @param workflowCache {@code SLUICE_WORKFLOW_CACHE}, 100: runs kept in memory between steps; each
 *     costs a thread, others are replayed from their history
 * @param startRetry {@code SLUICE_TEMPORAL_RETRY}, 5 s: how soon Temporal is tried again while it
 *     is away at the start
 */
public record WorkerSettings(
    Set<String> namespaces,
    String taskQueue,
    int activities,
    int workflowTasks,
    int workflowCache,
    Duration startRetry) {

  /** Reads them; what is wrong shows at {@link Settings#check()}. */
  public static WorkerSettings from(Settings settings) {
    return new WorkerSettings(
        Set.copyOf(settings.list("SLUICE_WATCH_NAMESPACES")),
        settings.text("SLUICE_TASK_QUEUE", LaneSignals.TASK_QUEUE),
        settings.integer("SLUICE_MAX_ACTIVITIES", 32, 1, 1000),
        settings.integer("SLUICE_MAX_WORKFLOW_TASKS", 16, 1, 1000),
        settings.integer("SLUICE_WORKFLOW_CACHE", 100, 1, 10_000),
        settings.duration(
            "SLUICE_TEMPORAL_RETRY",
            Duration.ofSeconds(5),
            Duration.ofMillis(100),
            Duration.ofHours(1)));
  }
}
