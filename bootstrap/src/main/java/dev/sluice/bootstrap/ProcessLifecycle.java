package dev.sluice.bootstrap;

import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a process: on SIGTERM, SIGINT or {@link #exit}, what was registered is stopped, the
 * newest first, and the process ends with an {@link ExitCode}, at the latest after the drain
 * timeout.
 */
public final class ProcessLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessLifecycle.class);

  private final Duration drainTimeout;
  private final IntConsumer halt;
  private final Deque<Part> parts = new ConcurrentLinkedDeque<>();
  private volatile ExitCode code = ExitCode.OK;

  private record Part(String name, AutoCloseable closeable) {}

  ProcessLifecycle(Duration drainTimeout, IntConsumer halt) {
    this.drainTimeout = drainTimeout;
    this.halt = halt;
  }

  /** Takes over the end of this JVM. */
  public static ProcessLifecycle install(Duration drainTimeout) {
    ProcessLifecycle lifecycle = new ProcessLifecycle(drainTimeout, Runtime.getRuntime()::halt);
    // halt in the hook, because the JVM would answer SIGTERM with 143 however well it ended
    Runtime.getRuntime().addShutdownHook(new Thread(lifecycle::end, "shutdown"));
    return lifecycle;
  }

  /** Something to stop at the end. */
  public void onEnd(String name, AutoCloseable part) {
    parts.push(new Part(name, part));
  }

  /** Ends the process from within; does not return. */
  public void exit(ExitCode why) {
    code = why;
    System.exit(why.number());
  }

  /** Stops everything and halts. */
  void end() {
    CompletableFuture.delayedExecutor(drainTimeout.toMillis(), TimeUnit.MILLISECONDS)
        .execute(() -> halt(code == ExitCode.OK ? ExitCode.DRAIN_TIMED_OUT : code));
    for (Part part = parts.poll(); part != null; part = parts.poll()) {
      try {
        part.closeable().close();
      } catch (Exception failed) {
        LOG.warn("{} did not stop cleanly", part.name(), failed);
      }
    }
    halt(code);
  }

  private void halt(ExitCode why) {
    LOG.info("ends with {} ({})", why, why.number());
    halt.accept(why.number());
  }
}
