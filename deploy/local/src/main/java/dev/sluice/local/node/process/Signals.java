package dev.sluice.local.node.process;

import java.io.IOException;

/** Sends signals to containers. A process that has ended is left in peace. */
public final class Signals {
  private Signals() {}

  /** SIGTERM to the container's first process, which is asked to end the others. */
  public static void terminate(Attempt attempt) {
    attempt
        .process()
        .filter(ProcessId::isAlive)
        .flatMap(id -> ProcessHandle.of(id.pid()))
        .ifPresent(ProcessHandle::destroy);
  }

  /** SIGKILL to every process of the container. */
  public static void kill(Attempt attempt) throws IOException, InterruptedException {
    ProcessId id = attempt.process().filter(ProcessId::isAlive).orElse(null);
    if (id != null) {
      send("KILL", "-" + id.pid());
      send("KILL", Long.toString(id.pid()));
    }
  }

  /**
   * Any signal to the container's first process.
   *
   * @param signal a name without SIG, such as {@code STOP}
   */
  public static void send(Attempt attempt, String signal) throws IOException, InterruptedException {
    ProcessId id = attempt.process().filter(ProcessId::isAlive).orElse(null);
    if (id != null) {
      send(signal, Long.toString(id.pid()));
    }
  }

  private static void send(String signal, String target) throws IOException, InterruptedException {
    new ProcessBuilder("/bin/sh", "-c", "kill -s \"$1\" -- \"$2\"", "kill", signal, target)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
