package dev.sluice.workflows.walk;

import com.google.common.base.Throwables;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.Invariants;
import dev.sluice.workflows.environment.SessionCluster;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.walk.Lane.Event;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Drives one lane from its scenario to its rest, or two that share a session cluster: the
 * controller, the person, and the judgement.
 */
final class CaseRun {

  /** So many activity calls are too many for any case. */
  private static final int ENDLESS = 200;

  private static final int CLOSINGS = 25;

  /** What only the operations of its own resource do to a cluster. */
  private static final Set<String> OF_A_CLUSTER =
      Set.of("CreateCluster", "DeleteCluster", "UpdateCluster");

  private final Environment environment;
  private final SimulatedLane engine;
  private final Lane lane;
  private final Person person;
  private int closings;
  private boolean atRest = true;

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

  private CaseRun(
      ResourceRef ref,
      Scenario scenario,
      Script script,
      SimulatedWorker worker,
      SessionCluster cluster) {
    environment = new Environment(ref, cluster);
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
    ResourceRef ref = ref(scenario, "orders", name);
    CaseRun run = new CaseRun(ref, scenario, script, worker, new SessionCluster());
    run.engine.add(run.lane);
    try {
      run.begin(scenario);
      while (!run.isOver()) {
        run.goOn();
      }
      run.judge();
    } catch (RuntimeException e) {
      run.failed(e);
    } finally {
      run.engine.remove(run.lane);
    }
    return run.outcome(name);
  }

  /** What becomes of one of two lanes on the same session cluster. */
  record Together(Scenario scenario, Script script) {}

  /**
   * Runs two lanes of jobs on the same session cluster, one thing of each in turn.
   *
   * @param name as in {@link #run}
   * @param heldAt the first lane stands still after so many calls, until the second is at its rest
   */
  static List<Outcome> runTogether(
      String name, Together first, Together second, int heldAt, SimulatedWorker worker) {
    SessionCluster cluster = new SessionCluster();
    CaseRun one =
        new CaseRun(
            ref(first.scenario(), "orders", name),
            first.scenario(),
            first.script(),
            worker,
            cluster);
    CaseRun other =
        new CaseRun(
            ref(second.scenario(), "clicks", name),
            second.scenario(),
            second.script(),
            worker,
            cluster);
    List<CaseRun> both = List.of(one, other);
    both.forEach(run -> run.engine.add(run.lane));
    try {
      one.begin(first.scenario());
      other.begin(second.scenario());
      while (!other.isOver() || one.lane.steps().size() < heldAt) {
        if (one.lane.steps().size() < heldAt) {
          one.goOn();
        }
        other.goOn();
        if (one.isOver() && other.isOver()) {
          break;
        }
      }
      while (both.stream().anyMatch(run -> !run.isOver())) {
        both.forEach(CaseRun::goOn);
      }
      both.forEach(CaseRun::judge);
      if (cluster.isToGo()) {
        one.environment.invariants().violated("the upgrade of the session cluster does not end");
      }
    } catch (RuntimeException e) {
      one.failed(e);
    } finally {
      both.forEach(run -> run.engine.remove(run.lane));
    }
    return List.of(one.outcome(name + " (first)"), other.outcome(name + " (second)"));
  }

  private static ResourceRef ref(Scenario scenario, String resource, String name) {
    byte[] unique = (name + resource).getBytes(StandardCharsets.UTF_8);
    String uid = UUID.nameUUIDFromBytes(unique).toString();
    return new ResourceRef("walk", scenario.kind(), "default", resource, uid);
  }

  private Outcome outcome(String name) {
    return new Outcome(
        name, lane.steps(), environment.invariants().violations(), environment.trace());
  }

  private void failed(RuntimeException e) {
    environment
        .invariants()
        .violated("the case itself failed: " + Throwables.getStackTraceAsString(e));
  }

  private void begin(Scenario scenario) {
    scenario.setup().accept(environment);
    atRest = !lane.controller().reconcile();
  }

  /** Nobody has anything left to do, or something was broken. */
  private boolean isOver() {
    if (atRest && environment.host() != null) {
      // what happens to the session cluster may ask for an operation
      atRest = !lane.controller().reconcile();
    }
    return atRest || !environment.invariants().violations().isEmpty();
  }

  private void judge() {
    Invariants invariants = environment.invariants();
    if (environment.host() != null && lane.steps().stream().anyMatch(OF_A_CLUSTER::contains)) {
      invariants.violated("changes the session cluster of others: " + lane.steps());
    }
    if (invariants.violations().isEmpty()) {
      new EndState(environment).verify();
    }
  }

  /** Does the next thing, if there is something left to do. */
  private void goOn() {
    if (isOver()) {
      return;
    }
    if (!engine.step()) {
      environment.invariants().violated("nothing is due; at " + engine.progress(lane.ref()));
    } else if (lane.steps().size() > ENDLESS) {
      environment.invariants().violated("does not end; at " + engine.progress(lane.ref()));
    }
    if (lane.next() instanceof Event.Held) {
      lookWhetherHeld();
    }
    WorkflowExecutionStatus status = engine.status(lane.ref());
    if (status != WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) {
      atRest = restsAfter(status);
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
    if (environment.host() != null) {
      // the controller looks again when the session cluster has changed
      environment.host().awaitBack();
    }
    return !lane.controller().reconcile();
  }

  /** The run says in this moment that it is held, or the person looks again. */
  private void lookWhetherHeld() {
    person.look(engine.progress(lane.ref()));
  }
}
