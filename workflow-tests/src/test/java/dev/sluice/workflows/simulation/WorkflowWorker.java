package dev.sluice.workflows.simulation;

import com.uber.m3.tally.NoopScope;
import com.uber.m3.tally.Scope;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.GetSystemInfoResponse;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueResponse;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.internal.replay.ReplayWorkflowTaskHandler;
import io.temporal.internal.sync.POJOWorkflowImplementationFactory;
import io.temporal.internal.worker.SingleWorkerOptions;
import io.temporal.internal.worker.WorkflowExecutorCache;
import io.temporal.internal.worker.WorkflowRunLockManager;
import io.temporal.internal.worker.WorkflowTaskHandler.Result;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.WorkflowImplementationOptions;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The part of the SDK's worker that makes commands of workflow tasks: its replay, its threads, its
 * cache of runs. Many simulations may use one at once.
 */
public final class WorkflowWorker implements AutoCloseable {

  static final String NAMESPACE = "simulation";

  private static final int CACHED_RUNS = 1_000;
  private static final long DEADLOCK_MS = 60_000;

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "workflow");
            thread.setDaemon(true);
            return thread;
          });
  private final WorkflowExecutorCache cache =
      new WorkflowExecutorCache(CACHED_RUNS, new WorkflowRunLockManager(), new NoopScope());
  private final ReplayWorkflowTaskHandler handler;

  /** A worker for these workflow implementations. */
  public WorkflowWorker(Class<?>... workflows) {
    this(new NoopScope(), workflows);
  }

  /** The same one that measures. */
  public WorkflowWorker(Scope metrics, Class<?>... workflows) {
    SingleWorkerOptions options =
        SingleWorkerOptions.newBuilder()
            .setIdentity("simulated worker")
            .setDataConverter(DefaultDataConverter.STANDARD_INSTANCE)
            .setMetricsScope(metrics)
            .setDefaultDeadlockDetectionTimeout(DEADLOCK_MS)
            .build();
    POJOWorkflowImplementationFactory factory =
        new POJOWorkflowImplementationFactory(
            options, threads::submit, new WorkerInterceptor[0], cache, NAMESPACE);
    factory.registerWorkflowImplementationTypes(
        WorkflowImplementationOptions.getDefaultInstance(), workflows);
    handler =
        new ReplayWorkflowTaskHandler(
            NAMESPACE,
            factory,
            cache,
            options,
            TaskQueue.newBuilder().setName("sticky").build(),
            Duration.ofSeconds(10),
            notConnected(),
            (parameters, deadline, timer) -> false);
  }

  Result carryOut(PollWorkflowTaskQueueResponse task) {
    try {
      return handler.handleWorkflowTask(task);
    } catch (Exception e) {
      throw new IllegalStateException("the workflow task failed", e);
    }
  }

  /** As when the worker that has the run in memory is lost: the next task must replay it. */
  void forget(WorkflowExecution run) {
    cache.invalidate(run, new NoopScope(), "lost", null);
  }

  /** All that is asked of a connection when each history is given whole. */
  private static WorkflowServiceStubs notConnected() {
    Supplier<GetSystemInfoResponse.Capabilities> capabilities =
        GetSystemInfoResponse.Capabilities::getDefaultInstance;
    return (WorkflowServiceStubs)
        Proxy.newProxyInstance(
            WorkflowWorker.class.getClassLoader(),
            new Class<?>[] {WorkflowServiceStubs.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getServerCapabilities")) {
                return capabilities;
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  @Override
  public void close() {
    cache.invalidateAll();
    threads.shutdownNow();
  }
}
