package dev.sluice.local.node.process;

import dev.sluice.local.os.ProcessIdentity;
import dev.sluice.local.os.Resources;
import dev.sluice.local.os.Trees;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One attempt to run a container, kept in a folder by {@code container.sh}. It has begun when its
 * folder is there.
 *
 * @param dir its folder
 * @param number 0 for the first one: the restart count
 */
public record Attempt(Path dir, int number) {

  /** How long a launched process may take to show up before it is given up, far above any need. */
  private static final Duration LAUNCH_LIMIT = Duration.ofSeconds(30);

  public sealed interface State {}

  /** Launched; its process is not known yet. */
  public record Starting() implements State {}

  /**
   * Its process runs.
   *
   * @param pid the leader of the container's process group
   * @param startedAt when it was started
   */
  public record Running(long pid, Instant startedAt) implements State {}

  /**
   * Its process has ended.
   *
   * @param exitCode 0-255; 128+n after signal n
   * @param reason {@code Completed}, {@code Error}, or {@code ContainerStatusUnknown} when its exit
   *     code was not recorded (the kubelet's words)
   */
  public record Ended(int exitCode, String reason, Instant startedAt, Instant finishedAt)
      implements State {}

  /** Writes the script that {@link #start} needs. */
  public static void writeWrapper(Path file) throws IOException {
    Trees.write(file, Resources.bytes(Attempt.class, "container.sh"), 0700);
  }

  /** The attempt of that number at a container, whether it has begun or not. */
  public static Attempt of(Path container, int number) {
    return new Attempt(container.resolve(Integer.toString(number)), number);
  }

  /** All attempts at a container that have begun, the newest last. */
  public static List<Attempt> all(Path container) throws IOException {
    return Trees.list(container, "[0-9]*").stream()
        .map(folder -> of(container, Integer.parseInt(folder.getFileName().toString())))
        .sorted(Comparator.comparingInt(Attempt::number))
        .toList();
  }

  /** The newest attempt that has begun; empty before the first. */
  public static Optional<Attempt> newest(Path container) throws IOException {
    return all(container).stream().reduce((earlier, later) -> later);
  }

  /** The one before it; empty when it is the first that is known. */
  public Optional<Attempt> before() {
    return Optional.of(new Attempt(dir.resolveSibling(Integer.toString(number - 1)), number - 1))
        .filter(before -> Files.isDirectory(before.dir()));
  }

  /** Keeps a wrapper that comes late from starting the process; false when one was quicker. */
  public boolean giveUp() throws IOException {
    try {
      Files.createFile(dir.resolve("wrapper"));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  public Path log() {
    return dir.resolve("log");
  }

  public Optional<ProcessIdentity> process() {
    return ProcessIdentity.read(dir.resolve("pid"));
  }

  /**
   * Starts the process in a session of its own, under a small shell that outlives the node and
   * writes the exit code to a file. Starting the same attempt twice starts one process. Returns
   * once it is on its way; {@link #look} says when it runs.
   *
   * @param process what to start, and where; its environment is all that the process finds
   * @param wrapper what {@link #writeWrapper} wrote
   * @param event a file that is written when the process starts or ends
   */
  public void start(ProcessBuilder process, Path wrapper, Path event)
      throws IOException, InterruptedException {
    Files.createDirectories(dir);
    List<String> command = new ArrayList<>();
    command.addAll(List.of("setsid", "--fork", "/bin/bash", "-p", wrapper.toString()));
    command.addAll(List.of(dir.toString(), event.toString()));
    command.addAll(process.command());
    process.command(command).redirectErrorStream(true);
    int code = process.redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    if (code != 0) {
      throw new IOException("setsid could not start it: " + code);
    }
  }

  /** SIGTERM to the container's first process, which is asked to end the others. */
  public void terminate() {
    process().ifPresent(ProcessIdentity::terminate);
  }

  /** SIGKILL to every process of the container. */
  public void kill() throws IOException, InterruptedException {
    Optional<ProcessIdentity> process = process().filter(ProcessIdentity::isAlive);
    if (process.isPresent()) {
      String kill = "kill -s KILL -- %1$d -%1$d".formatted(process.get().pid());
      new ProcessBuilder("/bin/sh", "-c", kill)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    }
  }

  /**
   * What became of it, read from the folder and the process table. An end that was not recorded is
   * written down when it is first found.
   *
   * @param now to give up a launch that left no trace
   */
  public State look(Instant now) throws IOException {
    Optional<ProcessIdentity> process = process();
    Instant started = changed(process.isPresent() ? dir.resolve("pid") : dir);
    Optional<State> ended = ended(started);
    if (ended.isPresent()) {
      return ended.get();
    }
    if (process.isPresent() && process.get().isAlive()) {
      return new Running(process.get().pid(), started);
    }
    boolean fresh = process.isEmpty() && now.isBefore(started.plus(LAUNCH_LIMIT));
    if (fresh && !Files.exists(dir.resolve("wrapper"))) {
      return new Starting();
    }
    // the wrapper is about to write the exit code, or has been killed, or never came
    if (!giveUp()
        && ProcessIdentity.read(dir.resolve("wrapper")).filter(it -> it.isAlive()).isPresent()) {
      return process.<State>map(id -> new Running(id.pid(), started)).orElse(new Starting());
    }
    if (ended(started).isEmpty()) {
      Trees.writePrivate(dir.resolve("exit"), "137 unknown");
    }
    return ended(started).orElseThrow();
  }

  private Optional<State> ended(Instant started) {
    Path exit = dir.resolve("exit");
    try {
      String[] words = Files.readString(exit).strip().split(" ", -1);
      int code = Integer.parseInt(words[0]);
      String known = code == 0 ? "Completed" : "Error";
      String reason = words.length > 1 ? "ContainerStatusUnknown" : known;
      return Optional.of(new Ended(code, reason, started, changed(exit)));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Instant changed(Path file) throws IOException {
    return Files.getLastModifiedTime(file).toInstant();
  }
}
