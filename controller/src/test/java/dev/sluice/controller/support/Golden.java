package dev.sluice.controller.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A table of cases with what is expected of each. A case is a line {@code name: given}, below which
 * its outcome is indented; {@code #} begins a comment. What the product says now is written to
 * {@code target/golden}, from where a reviewed change is copied.
 */
public final class Golden {

  private static final Path TABLES = Path.of("src/test/resources/golden");

  private static final Set<String> WELL =
      Set.of("Progressing: No operation is open.", "Stalled: No action required.", "error: null");

  private Golden() {}

  /** What conditions and error say, but for what they say when all is well. */
  public static Stream<String> messages(List<Condition> conditions, String error) {
    return Stream.concat(
            conditions.stream().map(it -> it.getType() + ": " + it.getMessage()),
            Stream.of("error: " + error))
        .filter(it -> !WELL.contains(it));
  }

  /**
   * Compares a table with the product.
   *
   * @param file name of the table
   * @param outcome of what is given, in lines
   */
  public static void check(String file, Function<String, List<String>> outcome) throws IOException {
    List<String> expected = Files.readAllLines(TABLES.resolve(file));
    List<String> actual = new ArrayList<>();
    for (String line : expected) {
      if (line.isBlank() || line.startsWith("#")) {
        actual.add(line);
      } else if (!line.startsWith(" ")) {
        actual.add(line);
        outcome
            .apply(line.substring(line.indexOf(": ") + 2))
            .forEach(told -> actual.add("  " + told));
      }
    }
    Path now = Files.createDirectories(Path.of("target/golden")).resolve(file);
    Files.write(now, actual);
    assertThat(actual).as("see " + now).containsExactlyElementsOf(expected);
  }
}
