package dev.sluice.activities.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the root cause in a printed Java stack trace. */
final class StackTrace {

  private static final int LONGEST = 300;
  private static final int MOST_FRAMES = 5;
  private static final String CAUSED_BY = "Caused by: ";
  private static final Pattern HEADER =
      Pattern.compile("^((?:[\\w$]+\\.)+[\\w$]+)(?::\\s*(.*))?$", Pattern.DOTALL);

  /** Exceptions that only carry another one, or that only say that REST is answering. */
  private static final Set<String> WRAPPERS =
      Set.of(
          "CompletionException",
          "ExecutionException",
          "SerializedThrowable",
          "RestHandlerException",
          "UndeclaredThrowableException",
          "InvocationTargetException");

  private StackTrace() {}

  /** The cause in a stack trace as {@code Throwable.printStackTrace} writes it. */
  static FlinkCause shorten(String trace) {
    List<FlinkCause> chain = chain(trace);
    int first = 0;
    while (first < chain.size() - 1 && saysNothing(chain.get(first), chain.get(first + 1))) {
      first++;
    }
    FlinkCause error = chain.get(first);
    FlinkCause root = chain.get(chain.size() - 1);
    String message = bounded(error.message());
    if (!root.message().isEmpty() && !error.message().contains(root.message())) {
      message += (message.isEmpty() ? "" : " ") + "Caused by " + bounded(root.summary());
    }
    return new FlinkCause(error.type(), Redaction.redact(message));
  }

  /** Where the root cause was thrown: the first lines of its part of the trace. */
  static List<String> frames(String trace) {
    int cause = trace.lastIndexOf("\n" + CAUSED_BY);
    return trace
        .substring(cause + 1)
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("at "))
        .limit(MOST_FRAMES)
        .toList();
  }

  /** Whether an error of this simple name says nothing by its name. */
  static boolean isWrapper(String type) {
    return WRAPPERS.contains(type);
  }

  private static boolean saysNothing(FlinkCause error, FlinkCause next) {
    return isWrapper(error.type())
        || error.message().isEmpty()
        || error.message().equals(next.summary())
        || error.message().endsWith("." + next.summary());
  }

  /** The error and its causes, outermost first; never empty. */
  private static List<FlinkCause> chain(String trace) {
    List<FlinkCause> chain = new ArrayList<>();
    StringBuilder header = new StringBuilder();
    boolean inHeader = true;
    for (String line : trace.lines().toList()) {
      if (line.startsWith(CAUSED_BY)) {
        chain.add(parse(header.toString()));
        header.setLength(0);
        header.append(line, CAUSED_BY.length(), line.length());
        inHeader = true;
      } else if (line.startsWith("\t")) {
        inHeader = false;
      } else if (inHeader && !line.isBlank()) {
        header.append(header.isEmpty() ? "" : " ").append(line.strip());
      }
    }
    chain.add(parse(header.toString()));
    return chain;
  }

  private static FlinkCause parse(String header) {
    Matcher matcher = HEADER.matcher(header.strip());
    if (!matcher.matches()) {
      return new FlinkCause("Error", header.strip());
    }
    String type = simpleName(matcher.group(1));
    String message = matcher.group(2) == null ? "" : matcher.group(2).strip();
    boolean wraps = isWrapper(type) && HEADER.matcher(message).matches();
    return wraps ? parse(message) : new FlinkCause(type, message);
  }

  private static String simpleName(String className) {
    return className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
  }

  static String bounded(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 3) + "...";
  }
}
