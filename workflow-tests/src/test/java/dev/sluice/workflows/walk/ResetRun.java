package dev.sluice.workflows.walk;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.walk.Lane.Event;
import dev.sluice.workflows.walk.Resettable.Reapply;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Drives one lane on a real Temporal to its rest, and again each time after a reset. */
final class ResetRun {

  /** So many polls without an event. A step that is held looks again after 30 s at the latest. */
  private static final int STUCK = 240;

  private static final int ENDLESS = 300;

  private final Scenario scenario;
  private final Resettable server;
  private final Environment environment;
  private final Lane lane;
  private final List<String> runs = new ArrayList<>();
  private Person person;

  ResetRun(Scenario scenario, Script script, Resettable server, ResourceRef ref) {
    this.scenario = scenario;
    this.server = server;
    environment = new Environment(ref);
    lane = new Lane(environment, server, script);
    person = new Person(lane, scenario.person());
  }

  Lane lane() {
    return lane;
  }

  Resettable server() {
    return server;
  }

  Environment environment() {
    return environment;
  }

  /** The runs of the lane that have ended, in order. */
  List<String> runs() {
    return runs;
  }

  /** Of each run that has ended, how many steps it can be reset to. */
  List<Integer> steps() {
    return runs.stream().map(run -> server.steps(lane.ref(), run).size()).toList();
  }

  /** Sets the scenario up, and lets the controller begin. Returns at rest. */
  void begin() throws InterruptedException {
    scenario.setup().accept(environment);
    server.add(lane);
    goOn();
  }

  /** Lets the controller look. Returns at rest. */
  void goOn() throws InterruptedException {
    person = new Person(lane, scenario.person());
    if (lane.controller().reconcile()) {
      untilRest();
    }
  }

  /** Something happens while no run is open. Returns at rest. */
  void after(Runnable event) throws InterruptedException {
    event.run();
    if (isClosed()) {
      goOn();
    } else {
      untilRest();
    }
  }

  /** One of the runs that have ended is begun again. Returns at rest. */
  void reset(int number, int step, Reapply reapply) throws InterruptedException {
    begunAgain(runs.get(number), step, reapply);
    person = new Person(lane, scenario.person());
    untilRest();
  }

  /** Nothing happens when the run has not come as far as that step. */
  void begunAgain(String run, int step, Reapply reapply) {
    List<Long> steps = server.steps(lane.ref(), run);
    if (step < steps.size()) {
      if (reapply == Reapply.NONE) {
        environment.invariants().abortLeftOut();
      }
      environment.note("RESET to step %d of %d, reapply %s".formatted(step, steps.size(), reapply));
      server.reset(lane.ref(), run, steps.get(step), reapply);
    }
  }

  /** No lane is left behind. */
  void end() {
    server.remove(lane);
  }

  /** Returns when no run is open and the controller wants none, or when a rule is broken. */
  private void untilRest() throws InterruptedException {
    int quiet = 0;
    int steps = -1;
    while (environment.invariants().violations().isEmpty()) {
      Event event = server.goOn(lane);
      int now = lane.steps().size();
      quiet = now != steps || event != null ? 0 : quiet + 1;
      steps = now;
      note(event);
      if (now > ENDLESS || quiet > STUCK) {
        environment.invariants().violated("does not end; at " + server.waitsFor(lane.ref()));
      } else if (event instanceof Event.Held) {
        held();
      } else if ((event != null || quiet > 0)
          && lane.idle()
          && isClosed()
          && !lane.controller().reconcile()) {
        note(lane.next());
        return;
      }
    }
  }

  private void note(@Nullable Event event) {
    if (event instanceof Event.RunEnded ended && !runs.contains(ended.runId())) {
      runs.add(ended.runId());
    }
  }

  private boolean isClosed() {
    WorkflowExecutionStatus status = server.status(lane.ref());
    switch (status) {
      case WORKFLOW_EXECUTION_STATUS_RUNNING, WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW -> {
        return false;
      }
      case WORKFLOW_EXECUTION_STATUS_FAILED, WORKFLOW_EXECUTION_STATUS_TIMED_OUT -> {
        environment.invariants().violated("the run ended as " + status);
        return true;
      }
      default -> {
        environment.note("run closed as " + status);
        lane.lookNoMore();
        return true;
      }
    }
  }

  private void held() throws InterruptedException {
    while (!lane.idle()) {
      Thread.sleep(1);
    }
    person.look(server.progress(lane.ref()));
  }
}
