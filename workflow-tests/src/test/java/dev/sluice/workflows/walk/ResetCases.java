package dev.sluice.workflows.walk;

import dev.sluice.workflows.environment.Invariants;
import dev.sluice.workflows.model.ResourceRef;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Runs many cases with resets. */
final class ResetCases implements AutoCloseable {

  private final Function<ResourceRef, Resettable> servers;
  private final Drivers drivers;
  private final AtomicInteger uids = new AtomicInteger();

  /**
   * @param servers the Temporal of a resource's lane
   */
  ResetCases(Function<ResourceRef, Resettable> servers, Drivers drivers) {
    this.servers = servers;
    this.drivers = drivers;
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
    List<Outcome> outcomes = new ArrayList<>();
    drivers.drive(
        todo.stream().<Callable<Outcome>>map(it -> () -> outcome(it)).toList(), outcomes::add);
    return outcomes;
  }

  private Outcome outcome(Todo todo) {
    String uid = "%08x".formatted(uids.incrementAndGet());
    ResourceRef ref = new ResourceRef("reset", todo.scenario().kind(), "default", "orders", uid);
    Resettable server = servers.apply(ref);
    ResetScript script = new ResetScript(server);
    ResetRun run = new ResetRun(todo.scenario(), script, server, ref);
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
    drivers.close();
  }
}
