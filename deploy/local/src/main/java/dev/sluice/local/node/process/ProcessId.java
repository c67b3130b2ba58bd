package dev.sluice.local.node.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A process that cannot be mistaken for a later one with the same number.
 *
 * @param pid the number
 * @param startTicks start time in clock ticks since boot, field 22 of {@code /proc/PID/stat}
 *     (proc(5))
 */
public record ProcessId(long pid, long startTicks) {

  /** Reads {@code "<pid> <start ticks>"}; empty when the file is missing or half written. */
  public static Optional<ProcessId> read(Path file) {
    try {
      List<String> words = List.of(Files.readString(file).strip().split(" "));
      return words.size() == 2
          ? Optional.of(new ProcessId(Long.parseLong(words.get(0)), Long.parseLong(words.get(1))))
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Whether this very process runs; a zombie, which has ended, does not. */
  public boolean isAlive() {
    try {
      return isAlive(Files.readString(Path.of("/proc/" + pid + "/stat")));
    } catch (IOException e) {
      return false;
    }
  }

  /** The same for a given line of {@code /proc/PID/stat}. */
  boolean isAlive(String stat) {
    // the second field is the command in brackets and may hold blanks and brackets itself
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ");
    return fields.length > 19
        && !fields[0].equals("Z")
        && !fields[0].equals("X")
        && Long.parseLong(fields[19]) == startTicks;
  }
}
