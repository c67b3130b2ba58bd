package dev.sluice.workflows.walk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Threads that drive cases, so many at a time. */
final class Drivers implements AutoCloseable {

  private final ExecutorService threads;

  Drivers(int atOnce) {
    this.threads = Executors.newFixedThreadPool(atOnce);
  }

  /** As many as there are processors: for cases that only compute. */
  static Drivers computing() {
    return new Drivers(Runtime.getRuntime().availableProcessors());
  }

  /** Drives them all. What comes of them is told in their order. */
  <T> void drive(List<Callable<T>> cases, Consumer<T> told) {
    List<Future<T>> outcomes = new ArrayList<>();
    cases.forEach(it -> outcomes.add(threads.submit(it)));
    try {
      for (Future<T> outcome : outcomes) {
        told.accept(outcome.get());
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
