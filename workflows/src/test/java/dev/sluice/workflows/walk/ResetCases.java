package dev.sluice.workflows.walk;

import dev.sluice.workflows.environment.Invariants;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs many cases on one server, so many at a time. */
final class ResetCases implements AutoCloseable {

  private static final int AT_ONCE = 64;

  private final ResettableServer server;
  private final ExecutorService drivers = Executors.newFixedThreadPool(AT_ONCE);
  private final AtomicInteger uids = new AtomicInteger();

  ResetCases(ResettableServer server) {
    this.server = server;
  }

  /** What happens in a case until it rests. */
  interface Drive {
    void drive(ResetRun run, ResetScript script) throws InterruptedException;
  }

  /** One case to be run. */
  record Todo(String name, Scenario scenario, Drive drive) {}

  /**
   * How a case ended.
   *
   * @param calls the activity types that were called, in order
   * @param steps of each run that has ended, how many it can be reset to
   * @param violations what was broken; empty when nothing was
   * @param trace what happened, in order
   */
  record Outcome(
      String name,
      List<String> calls,
      List<Integer> steps,
      List<String> violations,
      List<String> trace) {
    String display() {
      return name + "\n    " + String.join("\n    ", violations);
    }

    String told() {
      return display() + "\n      " + String.join("\n      ", trace);
    }
  }

  /** Runs them all. */
  List<Outcome> run(List<Todo> todo) {
    List<Future<Outcome>> running =
        todo.stream().map(it -> drivers.submit(() -> outcome(it))).toList();
    List<Outcome> outcomes = new ArrayList<>();
    try {
      for (Future<Outcome> outcome : running) {
        outcomes.add(outcome.get());
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
    return outcomes;
  }

  private Outcome outcome(Todo todo) {
    ResetScript script = new ResetScript();
    ResetRun run =
        new ResetRun(todo.scenario(), script, server, "%08x".formatted(uids.incrementAndGet()));
    Invariants invariants = run.environment().invariants();
    List<Integer> steps = List.of();
    try {
      todo.drive().drive(run, script);
      if (invariants.violations().isEmpty()) {
        new EndState(run.environment()).verify();
      }
      steps = run.steps();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      invariants.violated("interrupted");
    } catch (RuntimeException e) {
      invariants.violated("the case itself failed: " + e);
    } finally {
      run.end();
    }
    return new Outcome(
        todo.name(), run.lane().steps(), steps, invariants.violations(), run.environment().trace());
  }

  @Override
  public void close() {
    drivers.shutdownNow();
  }
}
