package dev.sluice.bootstrap;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
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
  private final Deque<Part> parts = new ArrayDeque<>();
  private final AtomicReference<@Nullable ExitCode> wanted = new AtomicReference<>();
  private final CountDownLatch ended = new CountDownLatch(1);

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
  public synchronized void onEnd(String name, AutoCloseable part) {
    parts.push(new Part(name, part));
  }

  /** Ends the process from within; does not return. */
  public void exit(ExitCode code) {
    wanted.compareAndSet(null, code);
    System.exit(code.number());
  }

  /** Blocks the main thread while the process runs. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /** Stops everything and halts. */
  void end() {
    CountDownLatch drained = new CountDownLatch(1);
    Thread drain = new Thread(() -> drain(drained), "drain");
    drain.setDaemon(true);
    drain.start();
    boolean inTime = await(drained);
    ExitCode asked = wanted.get();
    ExitCode code = asked != null ? asked : inTime ? ExitCode.OK : ExitCode.DRAIN_TIMED_OUT;
    LOG.info("ends with {} ({})", code, code.number());
    ended.countDown();
    halt.accept(code.number());
  }

  private void drain(CountDownLatch drained) {
    for (Part part = next(); part != null; part = next()) {
      try {
        part.closeable().close();
      } catch (Exception failed) {
        LOG.warn("{} did not stop cleanly", part.name(), failed);
      }
    }
    drained.countDown();
  }

  private synchronized @Nullable Part next() {
    return parts.poll();
  }

  private boolean await(CountDownLatch drained) {
    try {
      return drained.await(drainTimeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private record Part(String name, AutoCloseable closeable) {}
}
