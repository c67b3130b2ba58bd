package dev.sluice.local.node.process;

import dev.sluice.local.node.process.ProcessState.Ended;
import dev.sluice.local.node.process.ProcessState.Running;
import dev.sluice.local.node.process.ProcessState.Starting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to run a container, kept in a folder by {@code container.sh}.
 *
 * @param dir its folder
 * @param number 0 for the first one: the restart count
 */
public record Attempt(Path dir, int number) {

  private static final String BEGUN = "begun";

  /** How long a launched process may take to show up before it is given up, far above any need. */
  private static final Duration LAUNCH_LIMIT = Duration.ofSeconds(30);

  /**
   * Notes that it is about to be launched; from then on it counts as an attempt.
   *
   * @param delay the back-off that holds when it ends; null for none
   */
  public void begin(@Nullable Duration delay) throws IOException {
    Files.createDirectories(dir);
    Files.writeString(dir.resolve(BEGUN), delay == null ? "" : Long.toString(delay.toMillis()));
  }

  /** Whether it counts: it has been launched or is about to be. */
  public boolean begun() {
    return Files.exists(dir.resolve(BEGUN));
  }

  /** Whether its wrapper has come to life. */
  public boolean claimed() {
    return Files.exists(dir.resolve("claimed"));
  }

  /** The back-off that holds when it ends; empty for none. */
  public Optional<Duration> delay() {
    try {
      String millis = Files.readString(dir.resolve(BEGUN));
      return millis.isEmpty()
          ? Optional.empty()
          : Optional.of(Duration.ofMillis(Long.parseLong(millis)));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Where both outputs of the process go; may not exist yet. */
  public Path log() {
    return dir.resolve("log");
  }

  /** The process, when it has been started. */
  public Optional<ProcessId> process() {
    return ProcessId.read(dir.resolve("pid"));
  }

  /** SIGTERM to the container's first process, which is asked to end the others. */
  public void terminate() throws IOException, InterruptedException {
    send("TERM");
  }

  /** SIGKILL to every process of the container. */
  public void kill() throws IOException, InterruptedException {
    send("KILL", true);
  }

  /**
   * Any signal to the container's first process; one that has ended is left in peace.
   *
   * @param signal a name without SIG, such as {@code STOP}
   */
  public void send(String signal) throws IOException, InterruptedException {
    send(signal, false);
  }

  private void send(String signal, boolean toAll) throws IOException, InterruptedException {
    Optional<ProcessId> process = process().filter(ProcessId::isAlive);
    if (process.isPresent()) {
      String pid = Long.toString(process.get().pid());
      String others = toAll ? " -" + pid : "";
      new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " -- " + pid + others)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    }
  }

  /**
   * What became of it, read from the folder and the process table.
   *
   * @param now to give up a launch that left no trace
   */
  public ProcessState look(Instant now) {
    Optional<ProcessId> process = process();
    Instant started = changed(process.isPresent() ? dir.resolve("pid") : dir);
    Optional<ProcessState> ended = ended(started);
    if (ended.isPresent()) {
      return ended.get();
    }
    if (process.isPresent() && process.get().isAlive()) {
      return new Running(process.get().pid(), started);
    }
    // the wrapper is about to write the exit code, or has been killed
    Optional<ProcessId> wrapper = ProcessId.read(dir.resolve("wrapper"));
    boolean watched = wrapper.isPresent() && wrapper.get().isAlive();
    boolean fresh = wrapper.isEmpty() && now.isBefore(started.plus(LAUNCH_LIMIT));
    if (watched || fresh) {
      return process.<ProcessState>map(id -> new Running(id.pid(), started)).orElse(new Starting());
    }
    return ended(started).orElse(new Ended(137, "ContainerStatusUnknown", started, now));
  }

  private Optional<ProcessState> ended(Instant started) {
    Path exit = dir.resolve("exit");
    try {
      int code = Integer.parseInt(Files.readString(exit).strip());
      return Optional.of(
          new Ended(code, code == 0 ? "Completed" : "Error", started, changed(exit)));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Instant changed(Path file) {
    try {
      return Files.getLastModifiedTime(file).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
  }
}
