package dev.sluice.worker;

import dev.sluice.bootstrap.TemporalConnection;
import dev.sluice.worker.Kinds.Kind;
import dev.sluice.workflows.operation.TaskQueues;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import io.temporal.worker.tuning.PollerBehaviorSimpleMaximum;
import java.time.Duration;
import java.util.List;

/** The Temporal worker with all workflows and activities, kept small in threads and memory. */
final class TemporalWorker {

  /**
   * A worker that has just started loads classes in its first workflow task; the SDK's 1 s is too
   * little for that on a busy machine, and the task would be done twice.
   */
  private static final Duration COLD_START = Duration.ofSeconds(5);

  /** The first Java whose virtual threads do not hold a carrier while they block in a monitor. */
  private static final int VIRTUAL_THREADS = 24;

  /**
   * Their number is fixed, since each then backs off by its own failures. The ones whose number
   * follows the load share one back-off: when Temporal ends, all of their calls fail at once, and
   * none asks again for up to a minute, or two (SDK 1.38, {@code AsyncPoller}).
   */
  private static final PollerBehaviorSimpleMaximum POLLERS = new PollerBehaviorSimpleMaximum(5);

  private TemporalWorker() {}

  /**
   * @param kubernetes identity of the Kubernetes cluster that it serves
   */
  static WorkerFactory create(
      TemporalConnection temporal, WorkerSettings settings, String kubernetes, List<Kind> kinds) {
    WorkerFactory factory =
        WorkerFactory.newInstance(
            temporal.client(),
            WorkerFactoryOptions.newBuilder()
                .setWorkflowCacheSize(settings.concurrency().workflowCache())
                // a run may need a second thread while it waits in a scope
                .setMaxWorkflowThreadCount(
                    2 * settings.concurrency().workflowCache()
                        + settings.concurrency().workflowTasks())
                .setWorkerInterceptors(Interceptors.all(kubernetes))
                .build());
    String queue = settings.taskQueue(kubernetes);
    WorkerSettings.Concurrency limits = settings.concurrency();
    Worker worker = factory.newWorker(queue, options(limits, limits.activities()));
    Worker waits = factory.newWorker(TaskQueues.waits(queue), options(limits, limits.waits()));
    for (Kind kind : kinds) {
      worker.registerWorkflowImplementationTypes(kind.workflows().toArray(Class<?>[]::new));
      worker.registerActivitiesImplementations(kind.activities().toArray());
      waits.registerActivitiesImplementations(kind.activities().toArray());
    }
    return factory;
  }

  private static WorkerOptions options(WorkerSettings.Concurrency limits, int activities) {
    return WorkerOptions.newBuilder()
        .setMaxConcurrentActivityExecutionSize(activities)
        .setUsingVirtualThreadsOnActivityWorker(Runtime.version().feature() >= VIRTUAL_THREADS)
        .setMaxConcurrentWorkflowTaskExecutionSize(limits.workflowTasks())
        .setMaxConcurrentLocalActivityExecutionSize(1)
        .setDefaultDeadlockDetectionTimeout(COLD_START.toMillis())
        .setWorkflowTaskPollersBehavior(POLLERS)
        .setActivityTaskPollersBehavior(POLLERS)
        .build();
  }
}
