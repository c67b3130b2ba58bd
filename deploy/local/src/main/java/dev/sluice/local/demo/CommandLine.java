package dev.sluice.local.demo;

import java.util.List;
import java.util.stream.Collectors;

/** A command as it is typed in a shell. */
final class CommandLine {

  private CommandLine() {}

  /** Quotes, for a POSIX shell, what needs it. */
  static String shown(List<String> words) {
    return words.stream().map(CommandLine::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return word.matches("[\\w./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
