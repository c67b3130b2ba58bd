package dev.sluice.workflows.fake;

import dev.sluice.workflows.operation.Step;
import io.temporal.activity.Activity;
import io.temporal.client.ActivityCompletionException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Holds a step or makes it fail, so that a test acts exactly while a step is in flight. */
public final class Gate {

  private final Map<Step, Deque<RuntimeException>> failures = new EnumMap<>(Step.class);
  private @Nullable Step held;
  private int others;
  private CountDownLatch reached = new CountDownLatch(1);
  private CountDownLatch open = new CountDownLatch(1);
  private CountDownLatch left = new CountDownLatch(1);
  private volatile boolean heartbeats = true;

  /** The next pass of {@code step} waits until {@link #open()}. */
  public synchronized void hold(Step step) {
    holdAfter(0, step);
  }

  /** The pass of {@code step} that follows that many others waits until {@link #open()}. */
  public synchronized void holdAfter(int passes, Step step) {
    held = step;
    others = passes;
    reached = new CountDownLatch(1);
    open = new CountDownLatch(1);
    left = new CountDownLatch(1);
    heartbeats = true;
  }

  /** The next pass of {@code step} fails so. */
  public synchronized void fail(Step step, RuntimeException failure) {
    failures.computeIfAbsent(step, s -> new ArrayDeque<>()).add(failure);
  }

  /** The failures that were asked for and did not happen yet are off. */
  public synchronized void forget(Step step) {
    failures.remove(step);
  }

  /** Returns when the held step is in flight. */
  public void awaitReached() throws InterruptedException {
    Awaitility.await("the step to be held is reached").until(() -> reached.getCount() == 0);
  }

  /** Lets the held step go on. */
  public void open() {
    open.countDown();
  }

  /**
   * Lets the held step go on after its run was lost, of which it does not hear, and returns when it
   * has taken its effect.
   */
  public void finishAfter(Runnable loss) throws InterruptedException {
    heartbeats = false;
    loss.run();
    open();
    Awaitility.await("the held step ends").until(() -> left.getCount() == 0);
  }

  /** The effect of a step that passed is taken. */
  void leave() {
    if (open.getCount() == 0) {
      left.countDown();
    }
  }

  void pass(Step step) {
    if (take(step)) {
      reached.countDown();
      await();
    }
    RuntimeException failure = nextFailure(step);
    if (failure != null) {
      throw failure;
    }
  }

  private synchronized boolean take(Step step) {
    if (held != step || others-- > 0) {
      return false;
    }
    held = null;
    return true;
  }

  private synchronized @Nullable RuntimeException nextFailure(Step step) {
    Deque<RuntimeException> of = failures.get(step);
    return of == null ? null : of.poll();
  }

  private void await() {
    try {
      while (!open.await(100, TimeUnit.MILLISECONDS)) {
        if (heartbeats) {
          Activity.getExecutionContext().heartbeat("held");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ActivityCompletionException e) {
      throw e;
    }
  }
}
