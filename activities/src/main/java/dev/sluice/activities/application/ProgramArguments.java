package dev.sluice.activities.application;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Splits {@code programArgs}. Flink 2.x takes only a list, and ignores a text without a word, so
 * that it is split here: as Flink 1.x does it ({@code JarHandlerUtils.tokenizeArguments}). What is
 * between two quotes of a kind is one argument, at the begin of an argument; all quotes are taken
 * away.
 */
final class ProgramArguments {

  private static final Pattern ARGUMENT = Pattern.compile("([^\"']\\S*|\".+?\"|'.+?')\\s*");

  private ProgramArguments() {}

  /** The arguments; none for null. */
  static List<String> split(@Nullable String text) {
    List<String> arguments = new ArrayList<>();
    Matcher matcher = ARGUMENT.matcher(text == null ? "" : text.strip());
    while (matcher.find()) {
      arguments.add(matcher.group().trim().replace("\"", "").replace("'", ""));
    }
    return arguments;
  }
}
