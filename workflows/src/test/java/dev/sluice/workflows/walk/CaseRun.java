package dev.sluice.workflows.walk;

import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.Invariants;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.operation.OperationProgress.Held;
import dev.sluice.workflows.walk.Lane.Event;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Drives one lane from its scenario to its rest: the controller, the person, and the judgement. */
final class CaseRun {

  private static final long POLL_MS = 100;

  /** So many polls without an event: polls, because a machine that is busy stretches the time. */
  private static final int STUCK = 600;

  /** So many activity calls are too many for any case. */
  private static final int ENDLESS = 200;

  private static final int LOOKS_UNTIL_STILL_HELD = 4;
  private static final int LOOKS_FOR_HELD = 50;
  private static final int CLOSINGS = 25;

  private final String name;
  private final Lane lane;
  private final LaneServer server;
  private final Environment environment;
  private final Person person;
  private final Set<String> closed = new HashSet<>();

  private CaseRun(String name, Scenario scenario, Script script, LaneServer server, String uid) {
    this.name = name;
    this.server = server;
    environment =
        new Environment(new ResourceRef("walk", "FlinkDeployment", "default", "orders", uid));
    lane = new Lane(environment, server, script);
    person = new Person(lane, scenario.person());
    lane.onHeld(this::held);
  }

  /**
   * How a case ended.
   *
   * @param name of the case
   * @param steps the activity types that were called, in order
   * @param violations what was broken; empty when nothing was
   * @param trace what happened, in order
   */
  record Outcome(String name, List<String> steps, List<String> violations, List<String> trace) {
    String display() {
      return name + "\n    " + String.join("\n    ", violations);
    }
  }

  /**
   * Runs a case.
   *
   * @param uid of its resource, which no other case on the server has
   */
  static Outcome run(String name, Scenario scenario, Script script, LaneServer server, String uid) {
    CaseRun run = new CaseRun(name, scenario, script, server, uid);
    return run.drive(scenario);
  }

  private Outcome drive(Scenario scenario) {
    Invariants invariants = environment.invariants();
    try {
      scenario.setup().accept(environment);
      server.add(lane);
      if (lane.controller().reconcile()) {
        untilRest();
      }
      if (invariants.violations().isEmpty()) {
        new EndState(environment).verify();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      invariants.violated("interrupted");
    } catch (RuntimeException e) {
      invariants.violated("the case itself failed: " + e);
    }
    List<String> steps = lane.steps();
    List<String> violations = invariants.violations();
    leave();
    return new Outcome(name, steps, violations, environment.trace());
  }

  /** Lets an open run end by itself: it sees that its resource is gone. */
  private void leave() {
    synchronized (environment) {
      environment.heal();
      environment.resource().remove();
    }
    server.signal(lane.ref(), LaneSignals.RETRY);
    for (int i = 0; i < ENDLESS && server.open(lane.ref()); i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    server.remove(lane);
  }

  private void untilRest() throws InterruptedException {
    int closings = 0;
    int quietPolls = 0;
    int steps = 0;
    while (environment.invariants().violations().isEmpty()) {
      Event event = lane.next(POLL_MS);
      quietPolls = lane.steps().size() != steps || event != null ? 0 : quietPolls + 1;
      steps = lane.steps().size();
      if (steps > ENDLESS || quietPolls > STUCK) {
        environment.invariants().violated("does not end; at " + server.progress(lane.ref()));
      } else if (event instanceof Event.RunEnded ended && closed(ended.runId())) {
        if (++closings > CLOSINGS) {
          environment.invariants().violated("the controller starts one run after the other");
        }
        if (!lane.controller().reconcile()) {
          return;
        }
      } else if (event instanceof Event.Held) {
        stillHeld();
      }
    }
  }

  /** The run says in this moment that it is held. */
  private void held() {
    OperationProgress progress = server.progress(lane.ref());
    if (progress != null && progress.held() != null) {
      react(progress.held());
    }
  }

  /** The person did something, the run has looked several times since: is it held again? */
  private void stillHeld() {
    for (int i = 0; i < LOOKS_FOR_HELD; i++) {
      OperationProgress progress = server.progress(lane.ref());
      if (progress != null && progress.held() != null) {
        react(progress.held());
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    lane.lookAgainAfter(LOOKS_UNTIL_STILL_HELD);
  }

  private void react(Held held) {
    environment.note("HELD " + held);
    person.react(held);
    lane.lookAgainAfter(LOOKS_UNTIL_STILL_HELD);
  }

  /** Whether the run is closed, not handed over. */
  private boolean closed(String runId) throws InterruptedException {
    if (closed.contains(runId)) {
      return false;
    }
    for (int i = 0; i < 1_000; i++) {
      WorkflowExecutionStatus status = server.status(lane.ref(), runId);
      switch (status) {
        case WORKFLOW_EXECUTION_STATUS_RUNNING -> Thread.sleep(2);
        case WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW -> {
          return false;
        }
        case WORKFLOW_EXECUTION_STATUS_FAILED, WORKFLOW_EXECUTION_STATUS_TIMED_OUT -> {
          environment.invariants().violated("the run ended as " + status);
          return true;
        }
        default -> {
          environment.note("run closed as " + status);
          if (!runId.isEmpty()) {
            closed.add(runId);
          }
          lane.lookNoMore();
          return true;
        }
      }
    }
    return false;
  }

  @Nullable String name() {
    return name;
  }
}
