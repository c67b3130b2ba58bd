package dev.sluice.worker;

import dev.sluice.activities.artifact.ArtifactOptions;
import dev.sluice.api.common.StableAfter;
import dev.sluice.bootstrap.Settings;
import dev.sluice.workflows.operation.TaskQueues;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the worker is configured with, next to {@link dev.sluice.bootstrap.ProcessSettings}.
 *
 * @param namespaces {@code SLUICE_WATCH_NAMESPACES}, commas between; empty watches every namespace
 * @param taskQueueName {@code SLUICE_TASK_QUEUE} to poll; null for the one of this Kubernetes
 *     cluster
 * @param startRetry {@code SLUICE_TEMPORAL_RETRY}, 5 s: how soon at the latest Kubernetes and
 *     Temporal are tried again while they are away at the start
 * @param concurrency how much is done at a time
 * @param savepoints how many savepoints are taken at a time
 * @param stableAfter {@code SLUICE_STABLE_AFTER}, 0: for how long every task must run without a
 *     restart before a job counts as stable, where a resource does not say
 * @param revisions {@code SLUICE_REVISIONS}, 10: how many earlier specs are kept of each resource
 * @param sessionJobs how the jobs of FlinkSessionJobs are started
 * @param applications about FlinkApplications
 */
public record WorkerSettings(
    Set<String> namespaces,
    @Nullable String taskQueueName,
    Duration startRetry,
    Concurrency concurrency,
    int savepoints,
    StableAfter stableAfter,
    int revisions,
    SessionJobs sessionJobs,
    ApplicationSettings applications) {

  /**
   * How much is done at a time.
   *
   * @param activities {@code SLUICE_MAX_ACTIVITIES}, 32: short effects
   * @param waits {@code SLUICE_MAX_WAITS}, 1000: activities that wait, each of which holds a thread
   * @param workflowTasks {@code SLUICE_MAX_WORKFLOW_TASKS}, 16: workflow steps
   * @param workflowCache {@code SLUICE_WORKFLOW_CACHE}, 100: runs kept in memory between steps;
   *     each costs a thread, others are replayed from their history
   */
  public record Concurrency(int activities, int waits, int workflowTasks, int workflowCache) {}

  /**
   * How the jobs of FlinkSessionJobs are started.
   *
   * @param artifacts {@code SLUICE_ARTIFACT_...}: from where their jars come
   * @param startsPerCluster {@code SLUICE_JOB_STARTS_PER_CLUSTER}, 4: at a time on one session
   *     cluster; each holds a thread while its jar is fetched, uploaded and run
   */
  public record SessionJobs(ArtifactOptions artifacts, int startsPerCluster) {}

  /** Reads them; what is wrong shows at {@link Settings#check()}. */
  public static WorkerSettings from(Settings settings) {
    return new WorkerSettings(
        Set.copyOf(settings.list("SLUICE_WATCH_NAMESPACES")),
        settings.optionalText("SLUICE_TASK_QUEUE"),
        settings.duration(
            "SLUICE_TEMPORAL_RETRY",
            Duration.ofSeconds(5),
            Duration.ofMillis(100),
            Duration.ofHours(1)),
        new Concurrency(
            settings.integer("SLUICE_MAX_ACTIVITIES", 32, 1, 1000),
            settings.integer("SLUICE_MAX_WAITS", 1000, 1, 100_000),
            settings.integer("SLUICE_MAX_WORKFLOW_TASKS", 16, 1, 1000),
            settings.integer("SLUICE_WORKFLOW_CACHE", 100, 1, 10_000)),
        settings.integer("SLUICE_SAVEPOINTS_PER_WORKER", 50, 1, 10_000),
        stableAfter(settings),
        settings.integer("SLUICE_REVISIONS", 10, 1, 1000),
        new SessionJobs(
            ArtifactSettings.from(settings),
            settings.integer("SLUICE_JOB_STARTS_PER_CLUSTER", 4, 1, 8)),
        ApplicationSettings.from(settings));
  }

  private static StableAfter stableAfter(Settings settings) {
    return new StableAfter(
        settings
            .duration("SLUICE_STABLE_AFTER", Duration.ZERO, Duration.ZERO, StableAfter.LONGEST)
            .toMillis());
  }

  /**
   * The task queue to poll.
   *
   * @param kubernetes identity of the Kubernetes cluster
   */
  String taskQueue(String kubernetes) {
    return TaskQueues.of(kubernetes, taskQueueName);
  }
}
