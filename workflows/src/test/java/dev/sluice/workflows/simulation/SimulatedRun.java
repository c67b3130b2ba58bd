package dev.sluice.workflows.simulation;

import com.google.protobuf.util.Durations;
import com.google.protobuf.util.Timestamps;
import io.temporal.api.command.v1.Command;
import io.temporal.api.command.v1.ContinueAsNewWorkflowExecutionCommandAttributes;
import io.temporal.api.command.v1.StartTimerCommandAttributes;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.common.v1.WorkflowType;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.QueryResultType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.TimerCanceledEventAttributes;
import io.temporal.api.history.v1.TimerFiredEventAttributes;
import io.temporal.api.history.v1.TimerStartedEventAttributes;
import io.temporal.api.history.v1.UpsertWorkflowSearchAttributesEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionCancelRequestedEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionSignaledEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionStartedEventAttributes;
import io.temporal.api.history.v1.WorkflowTaskCompletedEventAttributes;
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
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

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

    /** Of each activity in flight, the innermost first: whether nobody wants it any more. */
    Deque<BooleanSupplier> inFlight();

    /** It has come to its end, and another one takes its place. */
    void continued(SimulatedRun run, ContinueAsNewWorkflowExecutionCommandAttributes as);
  }

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
  private final Set<String> timers = new HashSet<>();
  private final SimulatedActivities activities;
  private WorkflowExecutionStatus status =
      WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  private boolean taskDue;
  private int sent;
  private long startedEventId;

  SimulatedRun(Host host, Start start) {
    this.host = host;
    this.start = start;
    this.activities = new SimulatedActivities(this, host);
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
      case COMMAND_TYPE_START_TIMER -> startTimer(command.getStartTimerCommandAttributes());
      case COMMAND_TYPE_CANCEL_TIMER ->
          cancelTimer(command.getCancelTimerCommandAttributes().getTimerId());
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
          close(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
      case COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION ->
          close(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
      case COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION ->
          close(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED);
      case COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION -> {
        status = WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW;
        host.continued(this, command.getContinueAsNewWorkflowExecutionCommandAttributes());
      }
      default -> throw new IllegalStateException("not simulated: " + command.getCommandType());
    }
  }

  private void startTimer(StartTimerCommandAttributes timer) {
    long started =
        add(
            EventType.EVENT_TYPE_TIMER_STARTED,
            event ->
                event.setTimerStartedEventAttributes(
                    TimerStartedEventAttributes.newBuilder()
                        .setTimerId(timer.getTimerId())
                        .setStartToFireTimeout(timer.getStartToFireTimeout())));
    timers.add(timer.getTimerId());
    host.agenda()
        .add(
            Durations.toMillis(timer.getStartToFireTimeout()),
            () -> fire(timer.getTimerId(), started));
  }

  private void fire(String timerId, long started) {
    if (!isOpen() || !timers.remove(timerId)) {
      return;
    }
    add(
        EventType.EVENT_TYPE_TIMER_FIRED,
        event ->
            event.setTimerFiredEventAttributes(
                TimerFiredEventAttributes.newBuilder()
                    .setTimerId(timerId)
                    .setStartedEventId(started)));
    needsTask();
  }

  private void cancelTimer(String timerId) {
    timers.remove(timerId);
    add(
        EventType.EVENT_TYPE_TIMER_CANCELED,
        event ->
            event.setTimerCanceledEventAttributes(
                TimerCanceledEventAttributes.newBuilder().setTimerId(timerId)));
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
