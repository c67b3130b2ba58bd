package dev.sluice.workflows.simulation;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import io.temporal.api.command.v1.StartTimerCommandAttributes;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.TimerCanceledEventAttributes;
import io.temporal.api.history.v1.TimerFiredEventAttributes;
import io.temporal.api.history.v1.TimerStartedEventAttributes;
import java.util.HashSet;
import java.util.Set;

/** The timers of a run. */
final class SimulatedTimers {

  private final SimulatedRun run;
  private final Agenda agenda;
  private final Set<String> armed = new HashSet<>();

  SimulatedTimers(SimulatedRun run, Agenda agenda) {
    this.run = run;
    this.agenda = agenda;
  }

  void start(StartTimerCommandAttributes timer) {
    long started =
        run.add(
            EventType.EVENT_TYPE_TIMER_STARTED,
            event ->
                event.setTimerStartedEventAttributes(
                    TimerStartedEventAttributes.newBuilder()
                        .setTimerId(timer.getTimerId())
                        .setStartToFireTimeout(timer.getStartToFireTimeout())));
    arm(timer.getTimerId(), started, timer.getStartToFireTimeout());
  }

  void cancel(String timerId) {
    armed.remove(timerId);
    run.add(
        EventType.EVENT_TYPE_TIMER_CANCELED,
        event ->
            event.setTimerCanceledEventAttributes(
                TimerCanceledEventAttributes.newBuilder().setTimerId(timerId)));
  }

  /** An event of the history up to which the run was reset: what has not fired fires anew. */
  void replay(HistoryEvent event) {
    if (event.hasTimerStartedEventAttributes()) {
      TimerStartedEventAttributes timer = event.getTimerStartedEventAttributes();
      arm(timer.getTimerId(), event.getEventId(), timer.getStartToFireTimeout());
    } else if (event.hasTimerFiredEventAttributes()) {
      armed.remove(event.getTimerFiredEventAttributes().getTimerId());
    } else if (event.hasTimerCanceledEventAttributes()) {
      armed.remove(event.getTimerCanceledEventAttributes().getTimerId());
    }
  }

  private void arm(String timerId, long started, Duration later) {
    armed.add(timerId);
    agenda.add(Durations.toMillis(later), () -> fire(timerId, started));
  }

  private void fire(String timerId, long started) {
    if (!run.isOpen() || !armed.remove(timerId)) {
      return;
    }
    run.add(
        EventType.EVENT_TYPE_TIMER_FIRED,
        event ->
            event.setTimerFiredEventAttributes(
                TimerFiredEventAttributes.newBuilder()
                    .setTimerId(timerId)
                    .setStartedEventId(started)));
    run.needsTask();
  }
}
