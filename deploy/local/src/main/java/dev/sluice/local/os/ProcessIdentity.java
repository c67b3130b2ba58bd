package dev.sluice.local.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Names one process for good: a pid alone may by now belong to another one.
 *
 * @param pid the kernel's number
 * @param startTicks when it started, in clock ticks since boot (field 22 of {@code /proc/PID/stat},
 *     see proc(5))
 * @param bootId which boot that was
 */
public record ProcessIdentity(long pid, long startTicks, String bootId) {
  private static final Path PROC = Path.of("/proc");

  /** The process that has this pid now; empty when there is none or only its zombie. */
  public static Optional<ProcessIdentity> of(long pid) {
    try {
      String stat = Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
      return startTicks(stat).map(ticks -> new ProcessIdentity(pid, ticks, currentBoot()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * The process that a file names, as {@code "<pid> <start ticks> <boot id>"}; empty when the file
   * is missing or half written.
   */
  public static Optional<ProcessIdentity> read(Path file) {
    try {
      String[] words = Files.readString(file).strip().split(" ", -1);
      return words.length == 3
          ? Optional.of(
              new ProcessIdentity(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]))
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Whether it still runs. A zombie does not: it only waits for its parent. */
  public boolean isAlive() {
    return of(pid).filter(this::equals).isPresent();
  }

  /** Asks it to end; harmless when it has. */
  public void terminate() {
    if (isAlive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }
  }

  /** Ends it without asking (SIGKILL); harmless when it has ended. */
  public void kill() {
    if (isAlive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /**
   * Whether so many bytes are the whole environment of a process. They are fewer for a moment while
   * another program is loaded into it.
   */
  public static boolean isWholeEnvironment(long pid, int bytes) {
    try {
      return isWholeEnvironment(
          Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1), bytes);
    } catch (IOException e) {
      return true; // it has ended
    }
  }

  /**
   * From fields 23, 26, 50 and 51 of proc(5): size, where the code begins, and the environment. The
   * kernel says where the code begins when all else is in its place.
   */
  static boolean isWholeEnvironment(String stat, int bytes) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    boolean none = fields[20].equals("0"); // a thread of the kernel, or a zombie
    boolean hidden = fields[23].equals("1"); // it belongs to another user
    boolean loaded = !fields[23].equals("0");
    long start = Long.parseUnsignedLong(fields[47]);
    long end = Long.parseUnsignedLong(fields[48]);
    return none || hidden || (loaded && end - start == bytes);
  }

  /** The name in the second field may hold blanks and brackets: count from its last bracket. */
  static Optional<Long> startTicks(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    boolean dead = fields[0].equals("Z") || fields[0].equals("X");
    return dead ? Optional.empty() : Optional.of(Long.parseLong(fields[19]));
  }

  private static String currentBoot() {
    try {
      return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
