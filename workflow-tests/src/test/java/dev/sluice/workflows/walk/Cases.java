package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Runs many cases, as many at once as there are processors. */
final class Cases implements AutoCloseable {

  private final SimulatedWorker worker = new SimulatedWorker();
  private final Drivers drivers = Drivers.computing();

  /** One case to be run. */
  record Todo(String name, Scenario scenario, Script script) {
    static Todo of(Case it) {
      return new Todo(it.name(), it.scenario(), it.script());
    }

    /** What happens in those cases, in order, in the scenario of the first. */
    static Todo of(List<String> names) {
      List<Case> acts = names.stream().map(Case::parse).toList();
      return new Todo(
          String.join(" + ", names),
          acts.get(0).scenario(),
          (lane, point) -> acts.forEach(act -> act.script().at(lane, point)));
    }
  }

  /** Runs them all. Their outcomes are told in their order. */
  void run(List<Todo> todo, Consumer<Outcome> told) {
    drivers.drive(todo.stream().<Callable<Outcome>>map(it -> () -> run(it)).toList(), told);
  }

  private Outcome run(Todo it) {
    return CaseRun.run(it.name(), it.scenario(), it.script(), worker);
  }

  @Override
  public void close() {
    drivers.close();
    worker.close();
  }
}
