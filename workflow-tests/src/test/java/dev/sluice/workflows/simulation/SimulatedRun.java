package dev.sluice.workflows.simulation;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.temporal.api.command.v1.Command;
import io.temporal.api.command.v1.ContinueAsNewWorkflowExecutionCommandAttributes;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.common.v1.WorkflowType;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.QueryResultType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowTaskFailedCause;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.UpsertWorkflowSearchAttributesEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionCancelRequestedEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionSignaledEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionStartedEventAttributes;
import io.temporal.api.history.v1.WorkflowTaskCompletedEventAttributes;
import io.temporal.api.history.v1.WorkflowTaskFailedEventAttributes;
import io.temporal.api.history.v1.WorkflowTaskScheduledEventAttributes;
import io.temporal.api.history.v1.WorkflowTaskStartedEventAttributes;
import io.temporal.api.query.v1.WorkflowQuery;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.PollWorkflowTaskQueueResponse;
import io.temporal.api.workflowservice.v1.RespondQueryTaskCompletedRequest;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.internal.worker.WorkflowTaskHandler.Result;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run: its history, and what a Temporal server does with the commands of its tasks. */
final class SimulatedRun {

  /** What a run needs of the server that it is on. */
  interface Host {
    /** When things happen. */
    Agenda agenda();

    /** Who carries out its tasks. */
    WorkflowWorker workflows();

    /** Who carries out its activities. */
    ActivityWorker activities();

    /** The activities that are being carried out, the innermost first. */
    Deque<InFlight> inFlight();

    /** It has come to its end by itself. */
    void ended(SimulatedRun run);

    /** Another one takes its place. */
    SimulatedRun continued(SimulatedRun run, ContinueAsNewWorkflowExecutionCommandAttributes as);
  }

  /**
   * An activity that is being carried out.
   *
   * @param unwanted whether nobody waits for it any more
   */
  record InFlight(String runId, BooleanSupplier unwanted) {}

  /**
   * What a run is started with.
   *
   * @param firstRunId the first run of its chain
   * @param continuedFrom the run that it takes the place of; empty when there is none
   */
  record Start(
      WorkflowExecution execution,
      String type,
      Payloads input,
      String firstRunId,
      String continuedFrom) {}

  private static final TaskQueue QUEUE = TaskQueue.newBuilder().setName("simulation").build();

  private final Host host;
  private final Start start;
  private final List<HistoryEvent> history = new ArrayList<>();
  private final SimulatedTimers timers;
  private final SimulatedActivities activities;
  private WorkflowExecutionStatus status =
      WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  private @Nullable SimulatedRun next;
  private boolean taskDue;
  private boolean historyIsLong;
  private int sent;
  private long startedEventId;

  SimulatedRun(Host host, Start start) {
    this.host = host;
    this.start = start;
    this.activities = new SimulatedActivities(this, host);
    this.timers = new SimulatedTimers(this, host.agenda());
    add(
        EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
        event ->
            event.setWorkflowExecutionStartedEventAttributes(
                WorkflowExecutionStartedEventAttributes.newBuilder()
                    .setWorkflowType(type())
                    .setTaskQueue(QUEUE)
                    .setInput(start.input())
                    .setWorkflowTaskTimeout(Durations.fromSeconds(3_600))
                    .setOriginalExecutionRunId(start.execution().getRunId())
                    .setFirstExecutionRunId(start.firstRunId())
                    .setContinuedExecutionRunId(start.continuedFrom())
                    .setWorkflowId(start.execution().getWorkflowId())
                    .setAttempt(1)));
    needsTask();
  }

  /**
   * The same again up to a workflow task, as Temporal's Reset makes it.
   *
   * @param taskCompletedEventId the end of that task, which does not belong to the new run
   * @param reapply what came from outside later comes again, also what came to the runs that took
   *     the place of the old one
   */
  SimulatedRun resetTo(long taskCompletedEventId, String runId, boolean reapply) {
    Start again =
        new Start(
            start.execution().toBuilder().setRunId(runId).build(),
            start.type(),
            start.input(),
            start.firstRunId(),
            start.continuedFrom());
    SimulatedRun run = new SimulatedRun(host, again);
    run.history.clear();
    history.subList(0, (int) taskCompletedEventId - 1).forEach(run::replay);
    run.activities.resume(activities);
    run.add(
        EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
        event ->
            event.setWorkflowTaskFailedEventAttributes(
                WorkflowTaskFailedEventAttributes.newBuilder()
                    .setScheduledEventId(taskCompletedEventId - 2)
                    .setStartedEventId(taskCompletedEventId - 1)
                    .setCause(WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW)
                    .setBaseRunId(execution().getRunId())
                    .setNewRunId(runId)));
    if (reapply) {
      history.subList((int) taskCompletedEventId, history.size()).forEach(run::reapply);
      for (SimulatedRun later = next; later != null; later = later.next) {
        later.history.forEach(run::reapply);
      }
    }
    return run;
  }

  /** What was so before the reset. */
  private void replay(HistoryEvent event) {
    history.add(event);
    if (event.hasWorkflowTaskCompletedEventAttributes()) {
      startedEventId = event.getWorkflowTaskCompletedEventAttributes().getStartedEventId();
    }
    timers.replay(event);
    activities.replay(event);
  }

  /** What came from outside after the point to which the run was reset. */
  private void reapply(HistoryEvent event) {
    switch (event.getEventType()) {
      case EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED ->
          signal(
              event.getWorkflowExecutionSignaledEventAttributes().getSignalName(),
              event.getWorkflowExecutionSignaledEventAttributes().getInput());
      case EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED -> cancel();
      default -> {
        // the run's own
      }
    }
  }

  /** Ends of workflow tasks, to which it can be reset, in order. */
  List<Long> resetPoints() {
    return history.stream()
        .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
        .map(HistoryEvent::getEventId)
        .toList();
  }

  WorkflowExecution execution() {
    return start.execution();
  }

  String firstRunId() {
    return start.firstRunId();
  }

  WorkflowExecutionStatus status() {
    return status;
  }

  boolean isOpen() {
    return status == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  // ---- what is asked of it ----

  void signal(String name, Payloads arguments) {
    add(
        EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
        event ->
            event.setWorkflowExecutionSignaledEventAttributes(
                WorkflowExecutionSignaledEventAttributes.newBuilder()
                    .setSignalName(name)
                    .setInput(arguments)));
    needsTask();
  }

  void cancel() {
    add(
        EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED,
        event ->
            event.setWorkflowExecutionCancelRequestedEventAttributes(
                WorkflowExecutionCancelRequestedEventAttributes.newBuilder().setCause("asked")));
    needsTask();
  }

  void terminate() {
    close(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED);
  }

  /** The next task is given the whole history. */
  void forget() {
    host.workflows().forget(execution());
    sent = 0;
  }

  Payloads query(WorkflowQuery query) {
    // a server leaves out the started event of a query's task
    PollWorkflowTaskQueueResponse.Builder task =
        task(startedEventId).clearStartedEventId().setQuery(query);
    RespondQueryTaskCompletedRequest answer =
        host.workflows().carryOut(task.build()).getQueryCompleted();
    if (answer == null || answer.getCompletedType() != QueryResultType.QUERY_RESULT_TYPE_ANSWERED) {
      throw new IllegalStateException("no answer: " + answer);
    }
    return answer.getQueryResult();
  }

  // ---- its tasks ----

  void needsTask() {
    if (!taskDue && isOpen()) {
      taskDue = true;
      host.agenda().add(0, this::carryOutTaskThatIsDue);
    }
  }

  /** It is suggested that it continues as new. */
  void historyIsLong() {
    historyIsLong = true;
  }

  /** Nothing when none is due. */
  void carryOutTaskThatIsDue() {
    if (!taskDue || !isOpen()) {
      return;
    }
    taskDue = false;
    long scheduled =
        add(
            EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
            event ->
                event.setWorkflowTaskScheduledEventAttributes(
                    WorkflowTaskScheduledEventAttributes.newBuilder()
                        .setTaskQueue(QUEUE)
                        .setAttempt(1)));
    long previous = startedEventId;
    startedEventId =
        add(
            EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
            event ->
                event.setWorkflowTaskStartedEventAttributes(
                    WorkflowTaskStartedEventAttributes.newBuilder()
                        .setScheduledEventId(scheduled)
                        .setSuggestContinueAsNew(historyIsLong)
                        .setHistorySizeBytes(history.size())));
    Result result = host.workflows().carryOut(task(previous).build());
    if (result.getTaskFailed() != null) {
      throw new IllegalStateException(
          "the workflow task failed: " + result.getTaskFailed().getFailure());
    }
    RespondWorkflowTaskCompletedRequest done =
        Objects.requireNonNull(result.getTaskCompleted(), "no commands");
    add(
        EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
        event ->
            event.setWorkflowTaskCompletedEventAttributes(
                WorkflowTaskCompletedEventAttributes.newBuilder()
                    .setScheduledEventId(scheduled)
                    .setStartedEventId(startedEventId)
                    .setSdkMetadata(done.getSdkMetadata())));
    done.getCommandsList().forEach(this::carryOut);
  }

  private PollWorkflowTaskQueueResponse.Builder task(long previousStartedEventId) {
    PollWorkflowTaskQueueResponse.Builder task =
        PollWorkflowTaskQueueResponse.newBuilder()
            .setWorkflowExecution(execution())
            .setWorkflowType(type())
            .setPreviousStartedEventId(previousStartedEventId)
            .setStartedEventId(startedEventId)
            .setAttempt(1);
    task.getHistoryBuilder().addAllEvents(history.subList(sent, (int) startedEventId));
    sent = (int) startedEventId;
    return task;
  }

  private void carryOut(Command command) {
    switch (command.getCommandType()) {
      case COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK ->
          activities.schedule(command.getScheduleActivityTaskCommandAttributes());
      case COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK ->
          activities.cancel(
              command.getRequestCancelActivityTaskCommandAttributes().getScheduledEventId());
      case COMMAND_TYPE_START_TIMER -> timers.start(command.getStartTimerCommandAttributes());
      case COMMAND_TYPE_CANCEL_TIMER ->
          timers.cancel(command.getCancelTimerCommandAttributes().getTimerId());
      case COMMAND_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES ->
          add(
              EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
              event ->
                  event.setUpsertWorkflowSearchAttributesEventAttributes(
                      UpsertWorkflowSearchAttributesEventAttributes.newBuilder()
                          .setSearchAttributes(
                              command
                                  .getUpsertWorkflowSearchAttributesCommandAttributes()
                                  .getSearchAttributes())));
      case COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION ->
          end(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
      case COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION ->
          end(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
      case COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION ->
          end(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED);
      case COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION -> {
        end(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW);
        next = host.continued(this, command.getContinueAsNewWorkflowExecutionCommandAttributes());
      }
      default -> throw new IllegalStateException("not simulated: " + command.getCommandType());
    }
  }

  private void end(WorkflowExecutionStatus as) {
    close(as);
    host.ended(this);
  }

  private void close(WorkflowExecutionStatus as) {
    status = as;
    host.workflows().forget(execution());
  }

  /** The id of the event. */
  long add(EventType type, Consumer<HistoryEvent.Builder> attributes) {
    HistoryEvent.Builder event =
        HistoryEvent.newBuilder()
            .setEventId(history.size() + 1)
            .setEventType(type)
            .setEventTime(Timestamps.fromMillis(host.agenda().now()));
    attributes.accept(event);
    history.add(event.build());
    return history.size();
  }

  WorkflowType type() {
    return WorkflowType.newBuilder().setName(start.type()).build();
  }
}
