package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.TestCluster;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionMetadata;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.common.SearchAttributeKey;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What the schedule of a job's periodic savepoints has started in Temporal. */
public final class PeriodicRuns {

  private static final SearchAttributeKey<OffsetDateTime> DUE =
      SearchAttributeKey.forOffsetDateTime("TemporalScheduledStartTime");

  private final WorkflowClient temporal;
  private final String schedule;

  /** Of a job that exists. */
  public PeriodicRuns(TestCluster cluster, Job job) {
    this.temporal = cluster.temporal();
    this.schedule = job.lane().id() + "_periodic-savepoint";
  }

  /**
   * A run that has ended.
   *
   * @param due the time that it was started for
   * @param ended when it ended
   * @param result in words: what it made, or why it made nothing
   */
  public record Run(Instant due, Instant ended, String result) {}

  /** Those that have ended, the first one first. */
  public List<Run> ended() {
    return temporal
        .listExecutions("TemporalScheduledById = '" + schedule + "'")
        .filter(it -> it.getCloseTime() != null)
        .map(this::run)
        .sorted(Comparator.comparing(Run::due))
        .toList();
  }

  private Run run(WorkflowExecutionMetadata run) {
    OffsetDateTime due = Objects.requireNonNull(run.getTypedSearchAttributes().get(DUE));
    String result =
        temporal
            .newUntypedWorkflowStub(run.getExecution(), Optional.empty())
            .getResult(String.class);
    return new Run(due.toInstant(), run.getCloseTime(), result);
  }

  /** Whether one is open, which may still make a snapshot when nothing is scheduled any more. */
  public boolean isOpen() {
    return temporal
        .listExecutions("TemporalScheduledById = '" + schedule + "'")
        .anyMatch(it -> it.getCloseTime() == null);
  }

  /** Whether it starts any more. */
  public boolean isScheduled() {
    try {
      ScheduleClient.newInstance(temporal.getWorkflowServiceStubs()).getHandle(schedule).describe();
      return true;
    } catch (ScheduleException gone) {
      return false;
    }
  }
}
