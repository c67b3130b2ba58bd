package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.uber.m3.tally.NoopScope;
import dev.sluice.activities.async.WaitReporter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.bootstrap.Settings;
import dev.sluice.bootstrap.TemporalConnection;
import dev.sluice.testing.TemporalServer;
import dev.sluice.worker.Kinds.Kind;
import dev.sluice.workflows.deployment.Operations;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.OperationAttributes;
import dev.sluice.workflows.operation.OperationInput;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowOptions;
import io.temporal.worker.WorkerFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The worker of a real Temporal that is killed and comes back. */
@Tag("timing")
class TemporalKilledIT {

  private static final String KUBERNETES = "kubernetes-1";
  private static final WorkerSettings SETTINGS = WorkerSettings.from(new Settings(Map.of()));

  /** Long enough for Temporal to be given up a few times. */
  private static final Duration AWAY = Duration.ofSeconds(8);

  /**
   * A run that begins is taken up in milliseconds; a connection is made again within 2 s. Pollers
   * that are not back at once take 15 s and more.
   */
  private static final Duration AT_ONCE = Duration.ofSeconds(10);

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir Path folder;

  private TemporalServer server;
  private TemporalConnection temporal;
  private WorkerFactory worker;

  @BeforeEach
  void start() {
    server =
        TemporalServer.startDurable(
            folder, OperationAttributes.all().stream().map(key -> key.getName()).toList());
    temporal =
        TemporalConnection.of(
            Map.of("TEMPORAL_ADDRESS", server.address()),
            Duration.ofSeconds(3),
            Duration.ofMinutes(1),
            new NoopScope());
    worker =
        TemporalWorker.create(
            temporal,
            SETTINGS,
            KUBERNETES,
            List.of(
                new Kind(
                    FlinkDeployment.class,
                    WaitReporter.NONE,
                    List.of(Operations.class),
                    List.of())));
    worker.start();
  }

  @AfterEach
  void stop() {
    worker.shutdownNow();
    temporal.close();
    server.close();
  }

  @Test
  void runsThatBeginOnceItIsBackAreTakenUpAtOnce() throws InterruptedException {
    // given
    IntStream.range(0, 40).mapToObj(i -> begin("before-" + i)).forEach(this::awaitTaskStarted);
    server.kill();
    Thread.sleep(AWAY.toMillis());
    server.startAgain();

    // when
    List<WorkflowExecution> runs =
        IntStream.range(0, 10).mapToObj(i -> begin("after-" + i)).toList();

    // then
    assertThat(runs).allSatisfy(run -> assertThat(awaitTaskStarted(run)).isLessThan(AT_ONCE));
  }

  private WorkflowExecution begin(String name) {
    ResourceRef resource =
        new ResourceRef(KUBERNETES, "FlinkDeployment", "default", name, "11111111");
    return temporal
        .client()
        .newUntypedWorkflowStub(
            "Deploy",
            WorkflowOptions.newBuilder()
                .setTaskQueue(SETTINGS.taskQueue(KUBERNETES))
                .setWorkflowId(resource.laneId())
                .build())
        .start(OperationInput.of(resource, 1, "the test"));
  }

  /** How long the first workflow task of a run waited for the worker. */
  private Duration awaitTaskStarted(WorkflowExecution run) {
    return await()
        .atMost(PATIENCE)
        .until(
            () ->
                Duration.between(
                    eventTime(run, EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED),
                    eventTime(run, EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED)),
            waited -> !waited.isNegative());
  }

  /** When the first event of a type happened; long ago if it has not yet. */
  private Instant eventTime(WorkflowExecution run, EventType type) {
    return temporal.client().fetchHistory(run.getWorkflowId()).getEvents().stream()
        .filter(event -> event.getEventType() == type)
        .map(
            event ->
                Instant.ofEpochSecond(
                    event.getEventTime().getSeconds(), event.getEventTime().getNanos()))
        .findFirst()
        .orElse(Instant.EPOCH);
  }
}
