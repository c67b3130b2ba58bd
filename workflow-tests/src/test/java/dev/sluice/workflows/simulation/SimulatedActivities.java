package dev.sluice.workflows.simulation;

import com.google.protobuf.util.Durations;
import io.temporal.api.command.v1.ScheduleActivityTaskCommandAttributes;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.common.v1.RetryPolicy;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.RetryState;
import io.temporal.api.failure.v1.Failure;
import io.temporal.api.history.v1.ActivityTaskCancelRequestedEventAttributes;
import io.temporal.api.history.v1.ActivityTaskCanceledEventAttributes;
import io.temporal.api.history.v1.ActivityTaskCompletedEventAttributes;
import io.temporal.api.history.v1.ActivityTaskFailedEventAttributes;
import io.temporal.api.history.v1.ActivityTaskScheduledEventAttributes;
import io.temporal.api.history.v1.ActivityTaskStartedEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.common.converter.DefaultDataConverter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The activities of a run. An attempt takes no time; pauses between attempts and the limit of all
 * attempts are those of the options.
 */
final class SimulatedActivities {

  /** A model that never gets well within the limit of a long wait would be asked too often. */
  private static final int MOST_ATTEMPTS = 16;

  /** A server's default for the longest pause. */
  private static final int UNLESS_SAID_TIMES_THE_FIRST = 100;

  private final SimulatedRun run;
  private final SimulatedRun.Host host;
  private final Map<Long, Pending> pending = new TreeMap<>();

  /** Of all that were ever scheduled: a history does not say all. */
  private final Map<Long, ScheduleActivityTaskCommandAttributes> scheduled = new HashMap<>();

  /** In a history that is replayed: what was scheduled and has not ended. */
  private final Set<Long> open = new TreeSet<>();

  private static final class Pending {
    private final ScheduleActivityTaskCommandAttributes options;
    private final long scheduledEventId;
    private final long endMs;
    private int attempts;
    private boolean running;
    private boolean cancelled;

    Pending(ScheduleActivityTaskCommandAttributes options, long scheduledEventId, long endMs) {
      this.options = options;
      this.scheduledEventId = scheduledEventId;
      this.endMs = endMs;
    }

    /** How long until the next attempt, ms. */
    long pauseMs() {
      RetryPolicy policy = options.getRetryPolicy();
      double first = Durations.toMillis(policy.getInitialInterval());
      double growth = policy.getBackoffCoefficient() == 0 ? 2 : policy.getBackoffCoefficient();
      double said = Durations.toMillis(policy.getMaximumInterval());
      double longest = said > 0 ? said : UNLESS_SAID_TIMES_THE_FIRST * first;
      return (long) Math.min(longest, first * Math.pow(growth, attempts - 1));
    }
  }

  SimulatedActivities(SimulatedRun run, SimulatedRun.Host host) {
    this.run = run;
    this.host = host;
  }

  void schedule(ScheduleActivityTaskCommandAttributes options) {
    long scheduledEventId =
        run.add(
            EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
            event ->
                event.setActivityTaskScheduledEventAttributes(
                    ActivityTaskScheduledEventAttributes.newBuilder()
                        .setActivityId(options.getActivityId())
                        .setActivityType(options.getActivityType())
                        .setTaskQueue(options.getTaskQueue())
                        .setInput(options.getInput())));
    begin(scheduledEventId, options);
  }

  private void begin(long scheduledEventId, ScheduleActivityTaskCommandAttributes options) {
    scheduled.put(scheduledEventId, options);
    long endMs = host.agenda().now() + Durations.toMillis(options.getScheduleToCloseTimeout());
    Pending activity = new Pending(options, scheduledEventId, endMs);
    pending.put(scheduledEventId, activity);
    host.agenda().add(0, () -> attempt(activity));
  }

  /** An event of the history up to which the run was reset. */
  void replay(HistoryEvent event) {
    switch (event.getEventType()) {
      case EVENT_TYPE_ACTIVITY_TASK_SCHEDULED -> open.add(event.getEventId());
      case EVENT_TYPE_ACTIVITY_TASK_COMPLETED ->
          open.remove(event.getActivityTaskCompletedEventAttributes().getScheduledEventId());
      case EVENT_TYPE_ACTIVITY_TASK_FAILED ->
          open.remove(event.getActivityTaskFailedEventAttributes().getScheduledEventId());
      case EVENT_TYPE_ACTIVITY_TASK_CANCELED ->
          open.remove(event.getActivityTaskCanceledEventAttributes().getScheduledEventId());
      default -> {
        // not about activities
      }
    }
  }

  /** What was in flight at the point of the reset begins anew. */
  void resume(SimulatedActivities before) {
    before.scheduled.forEach(scheduled::putIfAbsent);
    open.forEach(id -> begin(id, Objects.requireNonNull(scheduled.get(id))));
    open.clear();
  }

  void cancel(long scheduledEventId) {
    long requested =
        run.add(
            EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED,
            event ->
                event.setActivityTaskCancelRequestedEventAttributes(
                    ActivityTaskCancelRequestedEventAttributes.newBuilder()
                        .setScheduledEventId(scheduledEventId)));
    Pending activity = pending.get(scheduledEventId);
    if (activity == null) {
      return;
    }
    activity.cancelled = true;
    if (!activity.running) {
      pending.remove(scheduledEventId);
      run.add(
          EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED,
          event ->
              event.setActivityTaskCanceledEventAttributes(
                  ActivityTaskCanceledEventAttributes.newBuilder()
                      .setScheduledEventId(scheduledEventId)
                      .setLatestCancelRequestedEventId(requested)));
      run.needsTask();
    }
  }

  private void attempt(Pending activity) {
    if (!run.isOpen() || !pending.containsKey(activity.scheduledEventId)) {
      return;
    }
    activity.attempts++;
    activity.running = true;
    host.inFlight()
        .push(
            new SimulatedRun.InFlight(
                run.execution().getRunId(), () -> activity.cancelled || !run.isOpen()));
    try {
      Optional<Payloads> result =
          host.activities()
              .call(activity.options.getActivityType().getName(), activity.options.getInput());
      completed(activity, result);
    } catch (RuntimeException failure) {
      failed(activity, DefaultDataConverter.STANDARD_INSTANCE.exceptionToFailure(failure));
    } finally {
      activity.running = false;
      host.inFlight().pop();
    }
  }

  private void completed(Pending activity, Optional<Payloads> result) {
    if (!run.isOpen()) {
      return;
    }
    long started = ended(activity);
    run.add(
        EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
        event -> {
          ActivityTaskCompletedEventAttributes.Builder attributes =
              ActivityTaskCompletedEventAttributes.newBuilder()
                  .setScheduledEventId(activity.scheduledEventId)
                  .setStartedEventId(started);
          result.ifPresent(attributes::setResult);
          event.setActivityTaskCompletedEventAttributes(attributes);
        });
    run.needsTask();
  }

  private void failed(Pending activity, Failure failure) {
    if (!run.isOpen()) {
      return;
    }
    RetryState state = retryState(activity, failure);
    if (state == RetryState.RETRY_STATE_IN_PROGRESS) {
      host.agenda().add(activity.pauseMs(), () -> attempt(activity));
      return;
    }
    long started = ended(activity);
    run.add(
        EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED,
        event ->
            event.setActivityTaskFailedEventAttributes(
                ActivityTaskFailedEventAttributes.newBuilder()
                    .setScheduledEventId(activity.scheduledEventId)
                    .setStartedEventId(started)
                    .setFailure(failure)
                    .setRetryState(state)));
    run.needsTask();
  }

  private RetryState retryState(Pending activity, Failure failure) {
    if (failure.getApplicationFailureInfo().getNonRetryable()) {
      return RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE;
    }
    if (activity.cancelled) {
      return RetryState.RETRY_STATE_CANCEL_REQUESTED;
    }
    if (activity.attempts >= MOST_ATTEMPTS) {
      return RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED;
    }
    return host.agenda().now() + activity.pauseMs() >= activity.endMs
        ? RetryState.RETRY_STATE_TIMEOUT
        : RetryState.RETRY_STATE_IN_PROGRESS;
  }

  /** The id of the event that says when its last attempt began: servers write it at the end. */
  private long ended(Pending activity) {
    pending.remove(activity.scheduledEventId);
    return run.add(
        EventType.EVENT_TYPE_ACTIVITY_TASK_STARTED,
        event ->
            event.setActivityTaskStartedEventAttributes(
                ActivityTaskStartedEventAttributes.newBuilder()
                    .setScheduledEventId(activity.scheduledEventId)
                    .setAttempt(activity.attempts)));
  }
}
