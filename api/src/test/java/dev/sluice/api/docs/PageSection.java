package dev.sluice.api.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One section of a page, and its tables by what their rows begin with. */
final class PageSection {

  private static final Path PAGES = Path.of("../docs");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

  /**
   * A row of a table.
   *
   * @param names the code in its first cell, with {@code `a.b`, `.c`} as {@code a.b} and {@code
   *     a.c}
   */
  private record Row(List<String> head, Set<String> names, List<String> cells) {}

  private final String text;
  private final List<Row> rows = new ArrayList<>();

  private PageSection(String text) {
    this.text = text;
    List<String> lines = text.lines().toList();
    List<String> head = List.of();
    for (int at = 0; at < lines.size(); at++) {
      String line = lines.get(at);
      if (at + 1 < lines.size() && lines.get(at + 1).startsWith("|-")) {
        head = cells(line);
      } else if (line.startsWith("|") && !line.startsWith("|-")) {
        List<String> cells = cells(line);
        rows.add(new Row(head, names(cells.get(0)), cells));
      }
    }
  }

  /** The section of that heading of level 2, with what is below it. */
  static PageSection of(String page, String heading) {
    String begin = "\n## " + heading + "\n";
    String markdown = markdown(page);
    int start = markdown.indexOf(begin);
    if (start < 0) {
      throw new AssertionError(page + " has no section " + heading);
    }
    int end = markdown.indexOf("\n## ", start + begin.length());
    return new PageSection(
        markdown.substring(start + begin.length(), end < 0 ? markdown.length() : end));
  }

  private static String markdown(String page) {
    try {
      return Files.readString(PAGES.resolve(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the rows begin with of the tables with a column of that head. */
  Set<String> namesWith(String column) {
    return rows.stream()
        .filter(row -> row.head().contains(column))
        .flatMap(row -> row.names().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The code in the row of that name. */
  Set<String> words(String name) {
    return row(name).cells().stream()
        .flatMap(cell -> code(cell).stream())
        .collect(Collectors.toSet());
  }

  /** All code in it. */
  Set<String> words() {
    return Set.copyOf(code(text));
  }

  private Row row(String name) {
    Optional<Row> row = rows.stream().filter(it -> it.names().contains(name)).findFirst();
    return row.orElseThrow(() -> new AssertionError("no row begins with `" + name + "`"));
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.replaceFirst("^\\|", "").split("\\|", -1))
        .map(String::strip)
        .toList();
  }

  private static List<String> code(String markdown) {
    return CODE.matcher(markdown).results().map(it -> it.group(1)).distinct().toList();
  }

  private static Set<String> names(String cell) {
    Set<String> names = new LinkedHashSet<>();
    String before = "";
    for (String word : code(cell)) {
      String name =
          word.startsWith(".") && before.contains(".")
              ? before.substring(0, before.lastIndexOf('.')) + word
              : word;
      names.add(name);
      before = name;
    }
    return names;
  }
}
