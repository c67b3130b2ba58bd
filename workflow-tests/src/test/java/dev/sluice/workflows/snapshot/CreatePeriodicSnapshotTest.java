package dev.sluice.workflows.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.SnapshotType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.PeriodicSnapshotActivities.CreateRequest;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a schedule starts. Its attributes are set here as Temporal's schedules set them. */
class CreatePeriodicSnapshotTest {

  private static final ResourceRef ORDERS =
      new ResourceRef("kubernetes-1", "FlinkDeployment", "shop", "orders", "0a1b2c3d");
  private static final OffsetDateTime DUE = OffsetDateTime.parse("2026-11-21T10:00:05Z");
  private static final SearchAttributeKey<OffsetDateTime> SCHEDULED_START =
      SearchAttributeKey.forOffsetDateTime("TemporalScheduledStartTime");
  private static final SearchAttributeKey<String> SCHEDULED_BY =
      SearchAttributeKey.forKeyword("TemporalScheduledById");

  private final List<CreateRequest> asked = new ArrayList<>();
  private TestWorkflowEnvironment temporal;
  private int lostAnswers;

  @BeforeEach
  void start() {
    temporal = TestWorkflowEnvironment.newInstance();
    temporal.registerSearchAttribute(
        SCHEDULED_START.getName(), IndexedValueType.INDEXED_VALUE_TYPE_DATETIME);
    temporal.registerSearchAttribute(
        SCHEDULED_BY.getName(), IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD);
    Worker worker = temporal.newWorker("queue");
    worker.registerWorkflowImplementationTypes(CreatePeriodicSnapshotWorkflow.class);
    worker.registerActivitiesImplementations(
        (PeriodicSnapshotActivities)
            request -> {
              asked.add(request);
              if (asked.size() <= lostAnswers) {
                throw new IllegalStateException("the answer is lost");
              }
              return "made it";
            });
    temporal.start();
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  private String run(SearchAttributes attributes) {
    return temporal
        .getWorkflowClient()
        .newWorkflowStub(
            CreatePeriodicSnapshot.class,
            WorkflowOptions.newBuilder()
                .setTaskQueue("queue")
                .setTypedSearchAttributes(attributes)
                .build())
        .run(new CreatePeriodicSnapshot.Input(ORDERS, SnapshotType.CHECKPOINT));
  }

  @Test
  void theSnapshotOfTheScheduledTimeIsAskedForAlsoWhenAnAnswerIsLost() {
    lostAnswers = 2;

    String result =
        run(
            SearchAttributes.newBuilder()
                .set(SCHEDULED_START, DUE)
                .set(SCHEDULED_BY, "schedule-1")
                .build());

    assertThat(result).isEqualTo("made it");
    CreateRequest due =
        new CreateRequest(
            ORDERS, SnapshotType.CHECKPOINT, DUE.toInstant().toEpochMilli(), "schedule-1");
    assertThat(asked).containsExactly(due, due, due);
  }

  @Test
  void withoutAScheduleItIsDueNow() {
    assertThat(run(SearchAttributes.newBuilder().build())).isEqualTo("made it");

    assertThat(asked).hasSize(1);
    assertThat(asked.get(0).schedule()).isNull();
    assertThat(asked.get(0).dueMs()).isPositive();
  }
}
