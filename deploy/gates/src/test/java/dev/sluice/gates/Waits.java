package dev.sluice.gates;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How tests wait: for a condition and never for time, and as long as Patience says. */
final class Waits {

  private static final Pattern SLEEP =
      Pattern.compile(
          "\\bThread\\s*(?:\\.|::)\\s*sleep\\b"
              + "|\\b(?:(?:NANO|MICRO|MILLI)?SECONDS|MINUTES|HOURS|DAYS)\\s*\\.\\s*sleep\\b");
  private static final Pattern AT_MOST =
      Pattern.compile("(?:\\.\\s*atMost|\\bwaitAtMost|\\bsetDefaultTimeout)\\s*\\(");
  private static final Pattern AWAIT = Pattern.compile("\\bawait\\s*\\(");
  private static final Pattern CALL = Pattern.compile("\\s*\\.\\s*(\\w+)\\s*\\(");
  private static final Set<String> OTHER_LIMITS = Set.of("timeout", "forever");

  private Waits() {}

  /** Where tests wait for time. */
  static List<String> sleeps(Collection<JavaSource> tests) {
    List<String> found = new ArrayList<>();
    for (JavaSource test : tests) {
      for (Matcher sleep = SLEEP.matcher(test.code()); sleep.find(); ) {
        found.add(test.place(sleep.start()) + ": " + sleep.group());
      }
    }
    return found;
  }

  /** Where integration tests say themselves how long they wait for a condition. */
  static List<String> limits(Collection<JavaSource> tests) {
    List<String> found = new ArrayList<>();
    tests.stream().filter(Waits::isOfIntegrationTests).forEach(test -> found.addAll(limits(test)));
    return found;
  }

  private static boolean isOfIntegrationTests(JavaSource test) {
    boolean measures = test.tags().stream().anyMatch(tag -> tag.name().equals("timing"));
    return !measures
        && (test.path().endsWith("IT.java") || test.path().startsWith("deploy/e2e/src/test/"));
  }

  private static List<String> limits(JavaSource test) {
    String code = test.code();
    List<String> found = new ArrayList<>();
    for (Matcher limit = AT_MOST.matcher(code); limit.find(); ) {
      String argument = code.substring(limit.end(), end(code, limit.end()) - 1).strip();
      if (!isPatient(code, argument)) {
        found.add(test.place(limit.end() - 1) + ": " + limit.group().strip() + argument + ")");
      }
    }
    for (Matcher await = AWAIT.matcher(code); await.find(); ) {
      Matcher call = CALL.matcher(code);
      for (int at = end(code, await.end());
          call.region(at, code.length()).lookingAt();
          at = end(code, call.end())) {
        if (OTHER_LIMITS.contains(call.group(1))) {
          found.add(test.place(call.end() - 1) + ": ." + call.group(1));
        }
      }
    }
    return found;
  }

  /** A multiple of the usual limit, or a constant of the same class that is one. */
  private static boolean isPatient(String code, String argument) {
    return argument.startsWith("Patience.")
        || (argument.matches("\\w+")
            && Pattern.compile("\\bDuration\\s+" + argument + "\\s*=\\s*Patience\\.")
                .matcher(code)
                .find());
  }

  /** The index after the parenthesis that closes the one before this index. */
  private static int end(String code, int index) {
    int end = index;
    for (int open = 1; open > 0 && end < code.length(); end++) {
      if (code.charAt(end) == '(') {
        open++;
      } else if (code.charAt(end) == ')') {
        open--;
      }
    }
    return end;
  }
}
