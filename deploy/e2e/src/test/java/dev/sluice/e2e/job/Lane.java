package dev.sluice.e2e.job;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.workflows.operation.OperationAttributes;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowExecutionMetadata;
import io.temporal.common.converter.DefaultDataConverter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The runs of one resource in Temporal. */
public final class Lane {

  private final WorkflowClient temporal;
  private final String id;

  Lane(WorkflowClient temporal, String id) {
    this.temporal = temporal;
    this.id = id;
  }

  /** The workflow id. */
  public String id() {
    return id;
  }

  /** Its runs, the first one first; what has just begun or changed may not be listed yet. */
  public List<WorkflowExecutionMetadata> runs() {
    return temporal
        .listExecutions("WorkflowId = '" + id + "'")
        .sorted(Comparator.comparing(WorkflowExecutionMetadata::getStartTime))
        .toList();
  }

  /** Their types, the first one first; for the newest one alone see {@link #newestOperation}. */
  public List<String> types() {
    return runs().stream().map(WorkflowExecutionMetadata::getWorkflowType).toList();
  }

  /** Whether a run is open. */
  public boolean isOpen() {
    return status() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  /** Until the newest run has come to its end. */
  public void awaitCompleted() {
    await()
        .until(this::status, WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED::equals);
  }

  private WorkflowExecutionStatus status() {
    return temporal.newUntypedWorkflowStub(id).describe().getStatus();
  }

  /** The newest run's current details, the Markdown that the Web UI shows. */
  public String details() {
    return query("__temporal_workflow_metadata", WorkflowMetadata.class).getCurrentDetails();
  }

  /** What the newest run says of itself, as JSON. */
  public JsonNode progress() {
    return query("progress", JsonNode.class);
  }

  /** As soon as a worker answers: another test may have killed the one that would have. */
  private <T> T query(String name, Class<T> type) {
    return await(name + " of " + id)
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(WorkflowException.class)
        .until(() -> temporal.newUntypedWorkflowStub(id).query(name, type), Objects::nonNull);
  }

  /** A signal, as from the Web UI. */
  public void signal(String name, Object... arguments) {
    temporal.newUntypedWorkflowStub(id).signal(name, arguments);
  }

  /** What the step in flight has seen last, as the Web UI shows it; at most 5 s old. */
  public String heartbeats() {
    return temporal
        .newUntypedWorkflowStub(id)
        .describe()
        .getRawDescription()
        .getPendingActivitiesList()
        .stream()
        .map(it -> it.getHeartbeatDetails().getPayloadsList().toString())
        .collect(Collectors.joining());
  }

  /** The id of the run that is open, or was last. */
  public String newestRun() {
    return temporal.newUntypedWorkflowStub(id).describe().getExecution().getRunId();
  }

  /** The summaries of a step of the newest run, one for each time, as the Web UI shows them. */
  public List<String> summaries(String step) {
    return temporal.fetchHistory(id, newestRun()).getEvents().stream()
        .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
        .filter(
            it ->
                it.getActivityTaskScheduledEventAttributes()
                    .getActivityType()
                    .getName()
                    .equals(step))
        .map(it -> it.getUserMetadata().getSummary())
        .map(
            it ->
                DefaultDataConverter.STANDARD_INSTANCE.fromPayload(it, String.class, String.class))
        .toList();
  }

  /** What the run that is open, or was last, does: its type at first, see FlinkOperation. */
  public String newestOperation() {
    return temporal
        .newUntypedWorkflowStub(id)
        .describe()
        .getTypedSearchAttributes()
        .get(OperationAttributes.OPERATION);
  }

  /** How often a run was sent a signal. */
  public long signals(String run, String signal) {
    return temporal.fetchHistory(id, run).getEvents().stream()
        .filter(HistoryEvent::hasWorkflowExecutionSignaledEventAttributes)
        .map(it -> it.getWorkflowExecutionSignaledEventAttributes().getSignalName())
        .filter(signal::equals)
        .count();
  }
}
