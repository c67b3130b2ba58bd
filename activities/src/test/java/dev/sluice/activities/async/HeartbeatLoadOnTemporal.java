package dev.sluice.activities.async;

import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.ActivityCompletionClient;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * As {@link HeartbeatLoad}, against a real Temporal: {@code java ... HeartbeatLoadOnTemporal
 * host:port [waits] [heartbeat timeout in s] [measured for, in s]}. Prints how long a heartbeat
 * takes, too. Start one with {@code temporal server start-dev}; the workflows end with it.
 */
final class HeartbeatLoadOnTemporal {

  private static final String QUEUE = "heartbeat-load";
  private static final int WAITS_PER_WORKFLOW = 100;

  private HeartbeatLoadOnTemporal() {}

  /** Waits. */
  @ActivityInterface
  public interface Waits {
    /** For ever. */
    @ActivityMethod
    void await(String key);
  }

  /** Many waits at once. */
  @WorkflowInterface
  public interface ManyWaits {
    /** Runs them. */
    @WorkflowMethod
    void run(int count, int heartbeatTimeoutSeconds);
  }

  /** Many waits at once. */
  public static final class ManyWaitsImpl implements ManyWaits {
    @Override
    public void run(int count, int heartbeatTimeoutSeconds) {
      Waits waits =
          Workflow.newActivityStub(
              Waits.class,
              ActivityOptions.newBuilder()
                  .setStartToCloseTimeout(Duration.ofHours(1))
                  .setHeartbeatTimeout(Duration.ofSeconds(heartbeatTimeoutSeconds))
                  .build());
      List<Promise<Void>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String key = Workflow.getInfo().getWorkflowId() + "/" + i;
        all.add(Async.procedure(waits::await, key));
      }
      Promise.allOf(all).get();
    }
  }

  /** Runs and prints. */
  public static void main(String[] args) throws InterruptedException {
    int waits = args.length > 1 ? Integer.parseInt(args[1]) : 5_000;
    int timeout = args.length > 2 ? Integer.parseInt(args[2]) : 8;
    int seconds = args.length > 3 ? Integer.parseInt(args[3]) : 60;
    LongAdder calls = new LongAdder();
    LongAdder failures = new LongAdder();
    LongAdder nanos = new LongAdder();
    WorkflowServiceStubs stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(args[0]).build());
    WorkflowClient client = WorkflowClient.newInstance(stubs);
    TemporalWatcher watcher =
        new TemporalWatcher(
            counted(client.newActivityCompletionClient(), calls, failures, nanos), 4);
    WorkerFactory factory = WorkerFactory.newInstance(client);
    Worker worker = factory.newWorker(QUEUE);
    worker.registerWorkflowImplementationTypes(ManyWaitsImpl.class);
    worker.registerActivitiesImplementations(
        (Waits)
            key ->
                watcher.watch(
                    Activity.getExecutionContext(),
                    Wait.of(
                        key,
                        key,
                        Duration.ofHours(1),
                        () -> CompletableFuture.completedFuture(ProbeResult.notYet("5 of 8")))));
    factory.start();
    for (int i = 0; i < waits / WAITS_PER_WORKFLOW; i++) {
      ManyWaits workflow =
          client.newWorkflowStub(
              ManyWaits.class,
              WorkflowOptions.newBuilder()
                  .setTaskQueue(QUEUE)
                  .setWorkflowId("load-" + UUID.randomUUID())
                  .build());
      WorkflowClient.start(workflow::run, WAITS_PER_WORKFLOW, timeout);
    }
    while (watcher.open() < waits) {
      System.out.println(watcher.open() + " waits");
      Thread.sleep(2_000);
    }
    Thread.sleep(2_000L * timeout);
    long before = calls.sum();
    long failed = failures.sum();
    long took = nanos.sum();
    long cpu = HeartbeatLoad.cpu();
    Thread.sleep(1_000L * seconds);
    long made = calls.sum() - before;
    System.out.printf(
        "%d waits, heartbeat timeout %d s: %.0f calls/s, %.1f ms each, %d failed, %.1f %% of one"
            + " CPU, %d open%n",
        waits,
        timeout,
        made / (double) seconds,
        (nanos.sum() - took) / 1e6 / Math.max(1, made),
        failures.sum() - failed,
        (HeartbeatLoad.cpu() - cpu) / 1e9 / seconds * 100,
        watcher.open());
    System.exit(0);
  }

  private static ActivityCompletionClient counted(
      ActivityCompletionClient real, LongAdder calls, LongAdder failures, LongAdder nanos) {
    return (ActivityCompletionClient)
        Proxy.newProxyInstance(
            HeartbeatLoadOnTemporal.class.getClassLoader(),
            new Class<?>[] {ActivityCompletionClient.class},
            (proxy, method, arguments) -> {
              calls.increment();
              long began = System.nanoTime();
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                failures.increment();
                throw e.getCause();
              } finally {
                nanos.add(System.nanoTime() - began);
              }
            });
  }
}
