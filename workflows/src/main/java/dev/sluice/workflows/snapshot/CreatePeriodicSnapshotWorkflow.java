package dev.sluice.workflows.snapshot;

import dev.sluice.workflows.snapshot.PeriodicSnapshotActivities.CreateRequest;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.OffsetDateTime;

/**
 * The time that it was due at tells the snapshot from those before: a repetition makes no other.
 */
public final class CreatePeriodicSnapshotWorkflow implements CreatePeriodicSnapshot {

  /** Set by Temporal on what a schedule starts. */
  private static final SearchAttributeKey<OffsetDateTime> DUE =
      SearchAttributeKey.forOffsetDateTime("TemporalScheduledStartTime");

  private static final SearchAttributeKey<String> SCHEDULE =
      SearchAttributeKey.forKeyword("TemporalScheduledById");

  private final PeriodicSnapshotActivities activities =
      Workflow.newActivityStub(
          PeriodicSnapshotActivities.class,
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofSeconds(30))
              // long enough for an API server that is restarted; the next time comes anyway
              .setScheduleToCloseTimeout(Duration.ofMinutes(5))
              .setRetryOptions(
                  RetryOptions.newBuilder().setMaximumInterval(Duration.ofSeconds(10)).build())
              .setSummary("make the snapshot")
              .build());

  @Override
  public String run(Input input) {
    SearchAttributes attributes = Workflow.getTypedSearchAttributes();
    OffsetDateTime due = attributes.get(DUE);
    return activities.create(
        new CreateRequest(
            input.resource(),
            input.type(),
            due == null ? Workflow.currentTimeMillis() : due.toInstant().toEpochMilli(),
            attributes.get(SCHEDULE)));
  }
}
