package dev.sluice.bootstrap;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a process: on SIGTERM, SIGINT or {@link #exit}, what was registered is stopped, the
 * newest first, and the process ends with an {@link ExitCode}. Kubernetes kills a process that
 * takes longer than its {@code terminationGracePeriodSeconds}.
 */
public final class ProcessLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessLifecycle.class);

  private final IntConsumer halt;
  private final Deque<Part> parts = new ConcurrentLinkedDeque<>();
  private volatile ExitCode code = ExitCode.OK;

  private record Part(String name, AutoCloseable closeable) {}

  ProcessLifecycle(IntConsumer halt) {
    this.halt = halt;
  }

  /** Takes over the end of this JVM. */
  public static ProcessLifecycle install() {
    ProcessLifecycle lifecycle = new ProcessLifecycle(Runtime.getRuntime()::halt);
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
    for (Part part = parts.poll(); part != null; part = parts.poll()) {
      try {
        part.closeable().close();
      } catch (Exception failed) {
        LOG.warn("{} did not stop cleanly", part.name(), failed);
      }
    }
    LOG.info("ends with {} ({})", code, code.number());
    halt.accept(code.number());
  }
}
