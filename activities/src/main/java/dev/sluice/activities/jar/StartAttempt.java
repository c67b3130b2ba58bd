package dev.sluice.activities.jar;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** An attempt to start a job, which waits on its own thread for calls that are not made there. */
final class StartAttempt {

  private static final long ALIVE_SECONDS = 2;

  private final JarStart.Lease alive;

  /**
   * @param alive is called every two seconds; what it throws ends the attempt
   */
  StartAttempt(JarStart.Lease alive) {
    this.alive = alive;
  }

  /**
   * Has a job run, and waits for the answer. Whether it still may is asked right before the call is
   * made: the worker may have been paused since it last was.
   */
  <T> T send(Supplier<CompletableFuture<T>> call) {
    alive.sending();
    alive.run();
    return await(call.get());
  }

  /** It is certain that what was sent last has started nothing. */
  void startedNothing() {
    alive.startedNothing();
  }

  /**
   * Waits for a call, and gives it up when the attempt ends.
   *
   * @throws CancellationException when the thread was interrupted
   */
  <T> T await(CompletableFuture<T> call) {
    try {
      while (true) {
        try {
          alive.run();
          return call.get(ALIVE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException notYet) {
          // alive is told, and it waits on
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the attempt to start the job was interrupted");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    } finally {
      call.cancel(true);
    }
  }
}
