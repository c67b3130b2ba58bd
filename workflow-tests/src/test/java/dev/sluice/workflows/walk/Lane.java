package dev.sluice.workflows.walk;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.environment.ClusterEffects;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.JobEffects;
import dev.sluice.workflows.environment.Moments;
import dev.sluice.workflows.environment.RescaleEffects;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.SessionJobEffects;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.walk.Point.Moment;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One resource on the test server: its environment, and what happens at which call. */
final class Lane {

  /** What the driver of the case is told. */
  sealed interface Event {
    /** A run has come to its end, or was handed over. */
    record RunEnded(String runId) implements Event {}

    /** The run says that it does not go on, or has looked often since. */
    record Held() implements Event {}
  }

  private final Environment environment;
  private final Engine server;
  private final Script script;
  private final Controller controller;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final List<String> steps = new ArrayList<>();
  private final Map<Integer, List<Runnable>> lateEffects = new HashMap<>();
  private final Map<String, Integer> failing = new HashMap<>();
  private final ThreadLocal<@Nullable Call> current = new ThreadLocal<>();
  private final List<Object> effects;
  private final AtomicInteger inFlight = new AtomicInteger();
  private @Nullable Runnable onHeld;
  private int lookAgainAt = Integer.MAX_VALUE;
  private int twiceAt = -1;
  private int lateAt = -1;
  private int lateBy;

  /** An activity call in flight. */
  private static final class Call {
    private final int number;
    private final String step;
    private boolean asked;

    Call(int number, String step) {
      this.number = number;
      this.step = step;
    }
  }

  Lane(Environment environment, Engine server, Script script) {
    this.environment = environment;
    this.server = server;
    this.script = script;
    this.controller = new Controller(this, server);
    Moments moments =
        new Moments() {
          @Override
          public void during(String moment) {
            inCall(Moment.DURING);
          }

          @Override
          public boolean cancelled() {
            return isCancelled();
          }
        };
    effects =
        List.of(
            new ResourceEffects(environment, moments),
            new JobEffects(environment, moments),
            new ClusterEffects(environment, moments),
            new RescaleEffects(environment, moments),
            new SessionJobEffects(environment, moments));
  }

  /** What carries out the activities of that interface. */
  Object effects(Class<?> activities) {
    return effects.stream().filter(activities::isInstance).findFirst().orElseThrow();
  }

  Environment environment() {
    return environment;
  }

  ResourceRef ref() {
    return environment.resource().ref();
  }

  Controller controller() {
    return controller;
  }

  /** The activity types that were called, in order. */
  synchronized List<String> steps() {
    return List.copyOf(steps);
  }

  /** The next thing that the driver must know; null when nothing happens for that long. */
  @Nullable Event next(long millis) throws InterruptedException {
    return events.poll(millis, TimeUnit.MILLISECONDS);
  }

  /** The next thing that the driver must know; null when there is none yet. */
  @Nullable Event next() {
    return events.poll();
  }

  void tell(Event event) {
    events.add(event);
  }

  boolean idle() {
    return inFlight.get() == 0;
  }

  // ---- an activity call ----

  <T> T call(String step, Supplier<T> effect) {
    Call call;
    synchronized (this) {
      steps.add(step);
      call = new Call(steps.size(), step);
    }
    Call outer = current.get();
    current.set(call);
    inFlight.incrementAndGet();
    try {
      environment.note("#" + call.number + " " + step);
      environment.tick(1);
      takeLateEffects(call.number);
      failAsAsked(call);
      inCall(Moment.BEFORE);
      T result = carryOut(call, effect);
      inCall(Moment.AFTER);
      return result;
    } catch (ApplicationFailure failure) {
      environment.note("failed: " + failure.getMessage());
      throw failure;
    } finally {
      environment.lookAtStatus();
      if (isTimeToLook()) {
        tell(new Event.Held());
      }
      current.set(outer);
      inFlight.decrementAndGet();
    }
  }

  /** The person looks again after so many calls. */
  synchronized void lookAgainAfter(int calls) {
    lookAgainAt = steps.size() + calls;
  }

  synchronized void lookNoMore() {
    lookAgainAt = Integer.MAX_VALUE;
  }

  private boolean isTimeToLook() {
    synchronized (this) {
      boolean due = steps.size() >= lookAgainAt;
      if (due) {
        lookAgainAt = Integer.MAX_VALUE;
      }
      return due;
    }
  }

  private <T> T carryOut(Call call, Supplier<T> effect) {
    if (lateAt == call.number) {
      OperationReport read = environment.resource().operation();
      synchronized (this) {
        lateEffects
            .computeIfAbsent(call.number + lateBy, n -> new ArrayList<>())
            .add(
                () -> {
                  refuseOldReport(call, read);
                  T unused = effect.get();
                });
      }
      throw WorkerLost.at(new Point(call.number, call.step, Moment.BEFORE));
    }
    T result = effect.get();
    return twiceAt == call.number ? effect.get() : result;
  }

  /** A report is written onto the version of the status that it was read with, and no other. */
  private void refuseOldReport(Call call, @Nullable OperationReport read) {
    if (call.step.equals("Report") && environment.resource().operation() != read) {
      throw ApplicationFailure.newFailure("the status was written since", "Conflict");
    }
  }

  private void takeLateEffects(int number) {
    List<Runnable> late;
    synchronized (this) {
      late = lateEffects.remove(number);
    }
    if (late != null) {
      for (Runnable effect : late) {
        try {
          environment.note("late effect");
          effect.run();
        } catch (ApplicationFailure refused) {
          environment.note("late effect refused: " + refused.getMessage());
        }
      }
    }
  }

  private void failAsAsked(Call call) {
    synchronized (this) {
      Integer left = failing.get(call.step);
      if (left == null || left == 0) {
        return;
      }
      failing.put(call.step, left - 1);
    }
    throw ApplicationFailure.newFailure("connection reset", "IOException");
  }

  private void inCall(Moment moment) {
    environment.lookAtStatus();
    Call call = current.get();
    if (call != null) {
      script.at(this, new Point(call.number, call.step, moment));
    }
  }

  /** Told by the engine, which is asked only after something was sent to the run meanwhile. */
  private boolean isCancelled() {
    Call call = current.get();
    return call != null && call.asked && server.isActivityUnwanted(ref());
  }

  /** What a person does in the call in which a run says that it is held; else it is an event. */
  void onHeld(Runnable reaction) {
    onHeld = reaction;
  }

  /** Called in the call that reported. */
  void reported(OperationReport report) {
    if (report.state() != OperationState.PARKED && report.state() != OperationState.BLOCKED) {
      return;
    }
    if (onHeld == null) {
      tell(new Event.Held());
    } else {
      onHeld.run();
    }
  }

  // ---- what scripts do ----

  void twice(int call) {
    twiceAt = call;
  }

  void late(int call, int by) {
    lateAt = call;
    lateBy = by;
  }

  synchronized void failNext(String step, int times) {
    failing.put(step, times - 1);
    throw ApplicationFailure.newFailure("connection reset", "IOException");
  }

  void abort() {
    environment.invariants().abortAsked();
    signal(LaneSignals.ABORT, "asked for by the case");
  }

  void signal(String name, Object... arguments) {
    environment.invariants().retryAsked |= name.equals(LaneSignals.RETRY);
    server.signal(ref(), name, arguments);
    settle();
  }

  /**
   * A person annotates the resource.
   *
   * @param to the generation to go back to; null for the one before
   */
  void rollBack(@Nullable Long to) {
    environment.invariants().abortAsked();
    environment.resource().rollback().ask(to, false, environment.resource());
    controller.tellRollback();
  }

  void cancel() {
    environment.invariants().abortAsked();
    environment.resource().rollback().runIsCancelled();
    server.cancel(ref());
    settle();
  }

  void terminate() {
    environment.invariants().stopInDoubt();
    environment.resource().rollback().mayBeLost();
    asksWhetherItIsWanted();
    String runId = server.terminate(ref());
    if (runId != null) {
      tell(new Event.RunEnded(runId));
    }
  }

  /** Temporal says that the history is long. */
  void historyIsLong() {
    server.historyIsLong(ref());
  }

  /** Not as the controller does it: the resource is not being deleted. */
  void signalDeletion() {
    environment.resource().rollback().mayBeLost();
    signal(LaneSignals.DELETE);
  }

  /** The worker that has the run in memory is lost. */
  void forgetRun() {
    server.forget(ref());
  }

  /** The call in flight learns, from now on, that it is not wanted any more. */
  void asksWhetherItIsWanted() {
    Call call = current.get();
    if (call != null) {
      call.asked = true;
    }
  }

  void delete() {
    environment.resource().delete();
    controller.reconcile();
    settle();
  }

  void applyAndTell(Spec spec) {
    environment.note("applied " + environment.resource().apply(spec));
    controller.tellNewest();
    settle();
  }

  void revert() {
    Spec stable = environment.resource().stable();
    if (stable != null) {
      applyAndTell(stable);
    }
  }

  void touch() {
    applyAndTell(environment.resource().newest());
  }

  /** Returns when the run has taken in what it was sent, and has made of it what it will. */
  private void settle() {
    Call call = current.get();
    if (call == null) {
      return;
    }
    call.asked = true;
    server.settle(ref());
  }
}
