package dev.sluice.workflows.walk;

import com.google.common.base.Throwables;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.Invariants;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.walk.Lane.Event;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** Drives one lane from its scenario to its rest: the controller, the person, and the judgement. */
final class CaseRun {

  /** So many activity calls are too many for any case. */
  private static final int ENDLESS = 200;

  private static final int CLOSINGS = 25;

  private final Environment environment;
  private final SimulatedLane engine;
  private final Lane lane;
  private final Person person;
  private int closings;

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

  private CaseRun(String name, Scenario scenario, Script script, SimulatedWorker worker) {
    String uid = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    ResourceRef ref = new ResourceRef("walk", "FlinkDeployment", "default", "orders", uid);
    environment = new Environment(ref);
    engine = new SimulatedLane(worker, ref);
    lane = new Lane(environment, engine, script);
    person = new Person(lane, scenario.person());
    lane.onHeld(this::lookWhetherHeld);
  }

  /**
   * Runs a case.
   *
   * @param name which no other case has that the worker carries out at the same time: all ids
   *     follow from it
   */
  static Outcome run(String name, Scenario scenario, Script script, SimulatedWorker worker) {
    CaseRun run = new CaseRun(name, scenario, script, worker);
    run.engine.add(run.lane);
    try {
      run.drive(scenario);
    } catch (RuntimeException e) {
      run.environment
          .invariants()
          .violated("the case itself failed: " + Throwables.getStackTraceAsString(e));
    } finally {
      run.engine.remove(run.lane);
    }
    return new Outcome(
        name, run.lane.steps(), run.environment.invariants().violations(), run.environment.trace());
  }

  private void drive(Scenario scenario) {
    Invariants invariants = environment.invariants();
    scenario.setup().accept(environment);
    if (lane.controller().reconcile()) {
      untilRest();
    }
    if (invariants.violations().isEmpty()) {
      new EndState(environment).verify();
    }
  }

  private void untilRest() {
    while (environment.invariants().violations().isEmpty()) {
      if (!engine.step()) {
        environment.invariants().violated("nothing is due; at " + engine.progress(lane.ref()));
      } else if (lane.steps().size() > ENDLESS) {
        environment.invariants().violated("does not end; at " + engine.progress(lane.ref()));
      }
      if (lane.next() instanceof Event.Held) {
        lookWhetherHeld();
      }
      WorkflowExecutionStatus status = engine.status(lane.ref());
      if (status != WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING
          && restsAfter(status)) {
        return;
      }
    }
  }

  private boolean restsAfter(WorkflowExecutionStatus status) {
    environment.note("run closed as " + status);
    if (status == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED) {
      environment.invariants().violated("the run failed");
    }
    if (++closings > CLOSINGS) {
      environment.invariants().violated("the controller starts one run after the other");
    }
    lane.lookNoMore();
    return !lane.controller().reconcile();
  }

  /** The run says in this moment that it is held, or the person looks again. */
  private void lookWhetherHeld() {
    person.look(engine.progress(lane.ref()));
  }
}
