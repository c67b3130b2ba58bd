package dev.sluice.gates;

import dev.sluice.gates.JavaSource.Tag;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of docs/quarantine.md, and the tests that carry the tag. */
final class Quarantine {
  static final int MOST_ROWS = 5;
  static final int MOST_DAYS = 14;

  private static final List<String> COLUMNS =
      List.of(
          "test",
          "first seen",
          "symptom",
          "suspected cause",
          "open defect",
          "what else proves the rule",
          "until");
  private static final String ARGUMENTS = "(?:\\s*\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\))?";
  private static final Pattern DECLARATION =
      Pattern.compile(
          ("(?:[\\s})]|@[\\w.]+" + ARGUMENTS)
              + "|\\b(?:public|protected|private|static|final|abstract|sealed|default)\\b)*"
              + "(?:(?:class|interface|record|enum)\\s+(?<type>\\w+)"
              + "|[\\w.<>\\[\\],?\\s]+\\s(?<method>\\w+)\\s*\\()");

  private Quarantine() {}

  /** One test of the table. */
  record Row(List<String> cells) {

    String test() {
      return cells.get(0).replace("`", "");
    }

    boolean isNone() {
      return test().equals("none");
    }

    List<String> violations() {
      if (cells.size() != COLUMNS.size()) {
        return List.of(test() + ": " + cells.size() + " cells instead of " + COLUMNS.size());
      }
      List<String> violations = new ArrayList<>();
      for (int column = 1; column < COLUMNS.size(); column++) {
        if (cells.get(column).matches("|-|\\?|none|unknown")
            && !COLUMNS.get(column).equals("suspected cause")) {
          violations.add(test() + ": no " + COLUMNS.get(column));
        }
      }
      try {
        if (until().isAfter(firstSeen().plusDays(MOST_DAYS))) {
          violations.add(test() + ": more than " + MOST_DAYS + " days");
        }
      } catch (DateTimeException e) {
        violations.add(test() + ": first seen and until must begin with a date");
      }
      return violations;
    }

    private LocalDate firstSeen() {
      return date("first seen");
    }

    private LocalDate until() {
      return date("until");
    }

    private LocalDate date(String column) {
      String cell = cells.get(COLUMNS.indexOf(column));
      return LocalDate.parse(cell.substring(0, Math.min(cell.length(), 10)));
    }
  }

  static List<Row> rows(String page) {
    return page.lines()
        .filter(line -> line.startsWith("|"))
        .skip(2)
        .map(line -> line.strip().replaceAll("^\\||\\|$", ""))
        .map(line -> new Row(Arrays.stream(line.split("\\|", -1)).map(String::strip).toList()))
        .filter(row -> !row.isNone())
        .toList();
  }

  /** Tests with the tag: class, class$nested or class#method, and where the tag is. */
  static Map<String, String> tagged(Collection<JavaSource> sources) {
    Map<String, String> tagged = new TreeMap<>();
    for (JavaSource source : sources) {
      for (Tag tag : source.tags()) {
        if (tag.name().equals("quarantine")) {
          Matcher declared = DECLARATION.matcher(source.code());
          declared.region(tag.end(), source.text().length());
          tagged.put(name(source, declared), source.place(tag.start()));
        }
      }
    }
    return tagged;
  }

  private static String name(JavaSource source, Matcher declared) {
    String file = source.className();
    if (!declared.lookingAt()) {
      return file + "#?";
    }
    String type = declared.group("type");
    if (type == null) {
      return file + "#" + declared.group("method");
    }
    return file.endsWith("." + type) ? file : file + "$" + type;
  }

  static List<String> violations(List<Row> rows, Map<String, String> tagged) {
    List<String> violations = new ArrayList<>();
    if (rows.size() > MOST_ROWS) {
      violations.add(rows.size() + " rows, at most " + MOST_ROWS + ": mend tests first");
    }
    List<String> named = rows.stream().map(Row::test).toList();
    for (Row row : rows) {
      violations.addAll(row.violations());
      if (!tagged.containsKey(row.test())) {
        violations.add(row.test() + ": no such test has @Tag(\"quarantine\")");
      }
    }
    tagged.forEach(
        (test, place) -> {
          if (!named.contains(test)) {
            violations.add(test + ": no row in docs/quarantine.md, but a tag at " + place);
          }
        });
    return violations;
  }

  /** Rows without violations whose time is over. */
  static List<String> overdue(List<Row> rows, LocalDate today) {
    return rows.stream()
        .filter(row -> row.violations().isEmpty() && today.isAfter(row.until()))
        .map(row -> row.test() + ": in quarantine since " + row.firstSeen() + ", its time is over")
        .toList();
  }
}
