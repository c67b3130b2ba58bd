package dev.sluice.workflows.walk;

import dev.sluice.workflows.walk.CaseRun.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs many cases at once. A test server becomes slower with each event that it has seen, so each
 * is given a few cases, and the next one is begun before the slowest of them has ended.
 */
final class Cases implements AutoCloseable {

  private static final int OF_A_SERVER = 32;
  private static final int AT_ONCE = 32;

  private final ExecutorService drivers = Executors.newCachedThreadPool();
  private final ExecutorService closing = Executors.newSingleThreadExecutor();
  private final Semaphore places = new Semaphore(AT_ONCE);
  private final AtomicInteger uids = new AtomicInteger();

  /** One case to be run. */
  record Todo(String name, Scenario scenario, Script script) {
    static Todo of(Case it) {
      return new Todo(it.name(), it.scenario(), it.script());
    }
  }

  private record Group(LaneServer server, List<Future<Outcome>> outcomes) {
    boolean isDone() {
      return outcomes.stream().allMatch(Future::isDone);
    }
  }

  /** Runs them all. Their outcomes are told in their order. */
  void run(List<Todo> todo, Consumer<Outcome> told) {
    Deque<Group> open = new ArrayDeque<>();
    try {
      for (int from = 0; from < todo.size(); from += OF_A_SERVER) {
        open.add(begin(todo.subList(from, Math.min(todo.size(), from + OF_A_SERVER))));
        while (!open.isEmpty() && open.element().isDone()) {
          end(open.remove(), told);
        }
      }
      while (!open.isEmpty()) {
        end(open.remove(), told);
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns when the last of them has a place. */
  private Group begin(List<Todo> todo) throws InterruptedException {
    LaneServer server = new LaneServer();
    List<Future<Outcome>> outcomes = new ArrayList<>();
    for (Todo it : todo) {
      places.acquire();
      outcomes.add(drivers.submit(() -> run(it, server)));
    }
    return new Group(server, outcomes);
  }

  private Outcome run(Todo it, LaneServer server) {
    String uid = "%08x".formatted(uids.incrementAndGet());
    try {
      return CaseRun.run(it.name(), it.scenario(), it.script(), server, uid);
    } finally {
      places.release();
    }
  }

  private void end(Group group, Consumer<Outcome> told)
      throws InterruptedException, ExecutionException {
    for (Future<Outcome> outcome : group.outcomes()) {
      told.accept(outcome.get());
    }
    closing.execute(group.server()::close);
  }

  @Override
  public void close() {
    drivers.shutdownNow();
    closing.shutdown();
  }
}
