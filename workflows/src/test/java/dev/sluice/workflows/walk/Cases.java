package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs many cases, as many at once as there are processors. */
final class Cases implements AutoCloseable {

  private final SimulatedWorker worker = new SimulatedWorker();
  private final ExecutorService drivers =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

  /** One case to be run. */
  record Todo(String name, Scenario scenario, Script script) {
    static Todo of(Case it) {
      return new Todo(it.name(), it.scenario(), it.script());
    }
  }

  /** Runs them all. Their outcomes are told in their order. */
  void run(List<Todo> todo, Consumer<Outcome> told) {
    List<Future<Outcome>> outcomes = new ArrayList<>();
    for (Todo it : todo) {
      outcomes.add(drivers.submit(() -> run(it)));
    }
    try {
      for (Future<Outcome> outcome : outcomes) {
        told.accept(outcome.get());
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private Outcome run(Todo it) {
    return CaseRun.run(it.name(), it.scenario(), it.script(), worker);
  }

  @Override
  public void close() {
    drivers.shutdownNow();
    worker.close();
  }
}
