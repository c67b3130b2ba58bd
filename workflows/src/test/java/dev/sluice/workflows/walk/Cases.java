package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Runs many cases, a batch of them at a time on one server. */
final class Cases implements AutoCloseable {

  private static final int BATCH = Integer.getInteger("sluice.walk.batch", 32);

  private final ExecutorService drivers = Executors.newCachedThreadPool();
  private final ExecutorService closing = Executors.newSingleThreadExecutor();
  private final AtomicInteger uids = new AtomicInteger();

  /** One case to be run. */
  record Todo(String name, Scenario scenario, Script script) {
    static Todo of(Case it) {
      return new Todo(it.name(), it.scenario(), it.script());
    }
  }

  /** Runs them all. Each outcome is told as its batch ends. */
  void run(List<Todo> todo, Consumer<Outcome> told) {
    for (int from = 0; from < todo.size(); from += BATCH) {
      runBatch(todo.subList(from, Math.min(todo.size(), from + BATCH))).forEach(told);
    }
  }

  private List<Outcome> runBatch(List<Todo> batch) {
    LaneServer server = new LaneServer();
    try {
      List<Future<Outcome>> running = new ArrayList<>();
      for (Todo it : batch) {
        String uid = "%08x".formatted(uids.incrementAndGet());
        running.add(
            drivers.submit(() -> CaseRun.run(it.name(), it.scenario(), it.script(), server, uid)));
      }
      List<Outcome> outcomes = new ArrayList<>();
      for (Future<Outcome> outcome : running) {
        outcomes.add(outcome.get());
      }
      return outcomes;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      closing.execute(server::close);
    }
  }

  @Override
  public void close() {
    drivers.shutdownNow();
    closing.shutdown();
  }
}
