package dev.sluice.activities.async;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.RetryOptions;
import io.temporal.failure.CanceledFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Real activities of real workflows on Temporal's test server, each of which waits in its thread.
 */
@Execution(ExecutionMode.CONCURRENT)
class WatchedActivityTest {

  private static final String QUEUE = "watch";

  /** It is told at two thirds of that: the rest has to do for a machine that is busy. */
  private static final Duration HEARTBEAT_TIMEOUT = ofSeconds(15);

  /** Waits for a job. */
  @ActivityInterface
  public interface Jobs {
    String awaitRunning(String key);
  }

  /** Does nothing but wait. */
  @WorkflowInterface
  public interface Waiting {
    @WorkflowMethod
    String run(String key);
  }

  /** One activity, with the timeouts a wait should have. */
  public static final class WaitingImpl implements Waiting {
    private final Jobs jobs =
        Workflow.newActivityStub(
            Jobs.class,
            ActivityOptions.newBuilder()
                .setStartToCloseTimeout(ofMinutes(10))
                .setHeartbeatTimeout(HEARTBEAT_TIMEOUT)
                .setRetryOptions(
                    RetryOptions.newBuilder().setInitialInterval(Duration.ofMillis(50)).build())
                .build());

    @Override
    public String run(String key) {
      return jobs.awaitRunning(key);
    }
  }

  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger probes = new AtomicInteger();
  private final AtomicReference<Watcher.@Nullable Heartbeat> earlier = new AtomicReference<>();
  private volatile Duration pause = ofMillis(200);
  private volatile ProbeResult<String> world = ProbeResult.notYet("5 of 8 tasks running");
  private TestWorkflowEnvironment temporal;
  private volatile BlockingWatcher watcher;

  @BeforeEach
  void start() {
    temporal =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder().setUseTimeskipping(false).build());
    watcher = newWatcher();
    Worker worker =
        temporal.newWorker(
            QUEUE, WorkerOptions.newBuilder().setMaxConcurrentActivityExecutionSize(4).build());
    worker.registerWorkflowImplementationTypes(WaitingImpl.class);
    worker.registerActivitiesImplementations(
        (Jobs)
            key -> {
              attempts.incrementAndGet();
              earlier.set(
                  Activity.getExecutionContext()
                      .getHeartbeatDetails(Watcher.Heartbeat.class)
                      .orElse(null));
              return watcher.watch(
                  Wait.acting(
                          key,
                          "all tasks of " + key + " to run",
                          System.currentTimeMillis() + ofMinutes(5).toMillis(),
                          this::look)
                      .every(pause, pause));
            });
    temporal.start();
  }

  @AfterEach
  void stop() {
    watcher.close();
    temporal.close();
  }

  private BlockingWatcher newWatcher() {
    return new BlockingWatcher(
        temporal.getWorkflowClient().newActivityCompletionClient(), WaitReporter.NONE);
  }

  private ProbeResult<String> look(ActGuard guard) {
    probes.incrementAndGet();
    return world;
  }

  private WorkflowStub begin(String key) {
    WorkflowStub stub =
        temporal
            .getWorkflowClient()
            .newUntypedWorkflowStub(
                "Waiting",
                WorkflowOptions.newBuilder()
                    .setTaskQueue(QUEUE)
                    .setWorkflowId("wait_" + key.replace('/', '_'))
                    .build());
    stub.start(key);
    return stub;
  }

  private List<PendingActivityInfo> pending(WorkflowStub stub) {
    return temporal
        .getWorkflowServiceStubs()
        .blockingStub()
        .describeWorkflowExecution(
            DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace(temporal.getNamespace())
                .setExecution(stub.getExecution())
                .build())
        .getPendingActivitiesList();
  }

  private static ConditionFactory soon() {
    return await().atMost(ofMinutes(1));
  }

  private static boolean aliveBeyondTimeout(PendingActivityInfo activity) {
    long alive =
        activity.getLastHeartbeatTime().getSeconds() - activity.getLastStartedTime().getSeconds();
    return alive > HEARTBEAT_TIMEOUT.toSeconds() + 1;
  }

  @Test
  void theHeartOutlivesTheHeartbeatTimeout() {
    WorkflowStub stub = begin("default/orders");
    soon().until(() -> pending(stub).stream().anyMatch(WatchedActivityTest::aliveBeyondTimeout));
    world = ProbeResult.done("all running");

    assertThat(stub.getResult(String.class)).isEqualTo("all running");
    assertThat(attempts).hasValue(1);
  }

  @Test
  void cancellingTheWorkflowEndsTheWait() {
    WorkflowStub stub = begin("default/orders");
    soon().until(() -> watcher.open() == 1);

    stub.cancel();

    assertThatThrownBy(() -> stub.getResult(String.class))
        .isInstanceOf(WorkflowFailedException.class)
        .hasCauseInstanceOf(CanceledFailure.class);
    soon().until(() -> watcher.open() == 0);
  }

  @Test
  void anotherWorkerTakesOverWhatAStoppingOneHandsOver() {
    WorkflowStub stub = begin("default/orders");
    soon().until(() -> pending(stub).toString().contains("5 of 8"));
    BlockingWatcher old = watcher;
    watcher = newWatcher();

    old.handOver();
    old.close();
    world = ProbeResult.done("all running");

    assertThat(stub.getResult(String.class)).isEqualTo("all running");
    assertThat(attempts).hasValue(2);
    assertThat(earlier.get()).isEqualTo(new Watcher.Heartbeat("5 of 8 tasks running", 0));
  }

  @Test
  void aWakeReachesTheWaitsOfItsKeyOnly() {
    pause = ofMinutes(4);
    WorkflowStub woken = begin("default/orders");
    begin("default/billing");
    soon().until(() -> probes.get() == 2);

    world = ProbeResult.done("all running");
    watcher.wake("default/orders");
    watcher.wake("default/unheard-of");

    assertThat(woken.getResult(String.class)).isEqualTo("all running");
    assertThat(watcher.open()).isEqualTo(1);
    assertThat(probes).hasValue(3);
  }

  @Test
  void aWatcherThatHandedOverTakesNoMoreWaits() {
    watcher.handOver();
    BlockingWatcher next = newWatcher();
    WorkflowStub stub = begin("default/orders");
    soon().until(() -> attempts.get() > 0);

    watcher = next;
    world = ProbeResult.done("all running");

    assertThat(stub.getResult(String.class)).isEqualTo("all running");
  }
}
