package dev.sluice.controller.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.controller.operation.TemporalCalls;
import dev.sluice.controller.schedule.ScheduleCalls.Recurrence;
import dev.sluice.testing.TemporalServer;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.OperationAttributes;
import dev.sluice.workflows.snapshot.CreatePeriodicSnapshot;
import dev.sluice.workflows.snapshot.CreatePeriodicSnapshotWorkflow;
import dev.sluice.workflows.snapshot.PeriodicSnapshotActivities;
import io.temporal.client.WorkflowClient;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleListDescription;
import io.temporal.client.schedules.ScheduleRange;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.WorkerFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schedules on a real Temporal: the test server has none. */
class ScheduleKeeperIT {

  private static final String QUEUE = "sluice-schedules";
  private static TemporalServer server;

  private WorkflowServiceStubs stubs;
  private WorkflowClient client;
  private ScheduleClient schedules;
  private final TemporalCalls calls = new TemporalCalls("here", 1);
  private ScheduleKeeper keeper;

  @BeforeAll
  static void startServer() {
    server =
        TemporalServer.start(
            Path.of("target", "temporal-of-schedules.log"),
            OperationAttributes.all().stream().map(key -> key.getName()).toList());
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void connect() {
    stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(server.address()).build());
    client = WorkflowClient.newInstance(stubs);
    schedules = ScheduleClient.newInstance(stubs);
    keeper = new ScheduleKeeper(client, QUEUE, calls);
  }

  @AfterEach
  void close() {
    stubs.shutdownNow();
  }

  private static Recurrence recurrence(String name, String interval) {
    SnapshotType type = SnapshotType.SAVEPOINT;
    ResourceRef ref =
        new ResourceRef("kubernetes-1", "FlinkDeployment", "shop", name, "0a1b2c3d-" + name);
    return new Recurrence(
        ref.laneId() + "_periodic-savepoint",
        ref,
        CreatePeriodicSnapshot.TYPE,
        new CreatePeriodicSnapshot.Input(ref, type),
        "periodic savepoints of shop/" + name,
        SnapshotInterval.of(
                FlinkConfiguration.empty().with(SnapshotInterval.key(type), interval), type)
            .orElseThrow());
  }

  private Schedule there(Recurrence wanted) {
    return schedules.getHandle(wanted.id()).describe().getSchedule();
  }

  @Test
  void whatIsThereAsItIsWantedIsNotWritten() {
    Recurrence hourly = recurrence("unchanged", "1 h");
    keeper.keep(hourly);
    var made = schedules.getHandle(hourly.id()).describe().getInfo();

    keeper.keep(hourly);

    assertThat(schedules.getHandle(hourly.id()).describe().getInfo().getLastUpdatedAt())
        .isEqualTo(made.getLastUpdatedAt());
    keeper.end(hourly.id());
  }

  @Test
  void aScheduleIsMadeChangedAndEndedAndEachCallMayBeRepeated() {
    Recurrence hourly = recurrence("orders", "1 h");
    keeper.keep(hourly);
    keeper.keep(hourly);
    assertThat(there(hourly).getSpec().getIntervals().get(0).getEvery())
        .isEqualTo(Duration.ofHours(1));
    assertThat(there(hourly).getState().getNote()).isEqualTo("periodic savepoints of shop/orders");

    Recurrence nightly = recurrence("orders", "0 30 3 ? * MON-FRI");
    keeper.keep(nightly);
    assertThat(there(nightly).getSpec().getIntervals()).isNullOrEmpty();
    assertThat(there(nightly).getSpec().getCalendars())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.getMinutes()).extracting(ScheduleRange::getStart).containsExactly(30);
              assertThat(it.getHour()).extracting(ScheduleRange::getStart).containsExactly(3);
              assertThat(it.getDayOfWeek())
                  .extracting(ScheduleRange::getStart)
                  .containsExactly(1, 2, 3, 4, 5);
            });
    assertThat(there(nightly).getPolicy().getCatchupWindow()).isEqualTo(ScheduleKeeper.CATCH_UP);

    keeper.end(nightly.id());
    keeper.end(nightly.id());
    await()
        .until(
            () ->
                schedules
                    .listSchedules()
                    .map(ScheduleListDescription::getScheduleId)
                    .noneMatch(nightly.id()::equals));
  }

  @Test
  void aScheduleThatSomebodyPausedStaysPausedWhenItIsChanged() {
    Recurrence hourly = recurrence("paused", "1 h");
    keeper.keep(hourly);
    schedules.getHandle(hourly.id()).pause("not today");

    keeper.keep(hourly);
    assertThat(there(hourly).getState().getNote()).isEqualTo("not today");

    keeper.keep(recurrence("paused", "2 h"));

    assertThat(there(hourly).getState().isPaused()).isTrue();
    assertThat(there(hourly).getState().getNote()).isEqualTo("not today");
    assertThat(there(hourly).getSpec().getIntervals().get(0).getEvery())
        .isEqualTo(Duration.ofHours(2));
  }

  @Test
  void eachStartAsksForTheSnapshotOfItsTime() {
    List<PeriodicSnapshotActivities.CreateRequest> asked = new CopyOnWriteArrayList<>();
    WorkerFactory workers = WorkerFactory.newInstance(client);
    var worker = workers.newWorker(QUEUE);
    worker.registerWorkflowImplementationTypes(CreatePeriodicSnapshotWorkflow.class);
    worker.registerActivitiesImplementations(
        (PeriodicSnapshotActivities)
            request -> {
              asked.add(request);
              return "made";
            });
    workers.start();
    Recurrence often = recurrence("often", "1 s");
    try {
      keeper.keep(often);
      await().until(() -> asked.size() >= 3);
    } finally {
      keeper.end(often.id());
      workers.shutdownNow();
    }

    assertThat(asked)
        .allSatisfy(
            it -> {
              assertThat(it.resource()).isEqualTo(often.resource());
              assertThat(it.schedule()).isEqualTo(often.id());
              assertThat(it.type()).isEqualTo(SnapshotType.SAVEPOINT);
            });
    assertThat(asked.stream().map(it -> it.dueMs()))
        .doesNotHaveDuplicates()
        .allMatch(due -> due % 1_000 == 0);
  }
}
