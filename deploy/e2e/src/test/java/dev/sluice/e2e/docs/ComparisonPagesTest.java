package dev.sluice.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.parts.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the comparisons with other operators claim is shown by tests that exist, or has a reason.
 */
class ComparisonPagesTest {

  private static final String LYFT = "docs/compared-with-lyft.md";
  private static final List<String> PAGES = List.of("docs/compared-with-apache.md", LYFT);

  /** A test on a page: {@code SpecDiffTest#theStrongestChangeDecides}. */
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))#(\\w+)`");

  private static final Pattern ONLY_TESTS = Pattern.compile(TEST + "(, " + TEST + ")*");
  private static final Pattern ROW = Pattern.compile("^\\| *(.*?) *\\|(.*)\\| *([^|]*?) *\\|$");

  /** What a row says that names no test. */
  private static final Pattern REASON =
      Pattern.compile("\\blater\\b|\\bnot (here|there): .{10,}|\\bby design: .{10,}");

  /** Two modules may have a class of the same name. */
  private static final Map<String, String> SOURCES = sources();

  /** A row of a table, without that of its head. */
  record Row(String page, String feature, String sluice, String tests) {
    @Override
    public String toString() {
      return page + ": " + feature;
    }
  }

  static Stream<Row> rows() {
    return PAGES.stream().flatMap(ComparisonPagesTest::rows);
  }

  private static Stream<Row> rows(String page) {
    List<String> lines = Documentation.page(page).markdown().lines().toList();
    return IntStream.range(0, lines.size() - 1)
        .filter(at -> !lines.get(at).startsWith("|-") && !lines.get(at + 1).startsWith("|-"))
        .mapToObj(at -> ROW.matcher(lines.get(at)))
        .filter(Matcher::matches)
        .map(row -> new Row(page, row.group(1), row.group(2), row.group(3)));
  }

  static Stream<String> tests() {
    return rows()
        .flatMap(row -> TEST.matcher(row.tests()).results())
        .map(found -> found.group(1) + "#" + found.group(2))
        .distinct();
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/compared-with-apache.md", LYFT})
  void thereAreTests(String page) {
    assertThat(rows(page).filter(row -> !row.tests().isEmpty())).hasSizeGreaterThan(50);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tests")
  void theTestExistsAndIsRun(String test) {
    String[] classAndMethod = test.split("#", 2);

    Pattern method =
        Pattern.compile(
            "(?m)^ +@(?:Parameterized|Arch)?Test\\b(?:(?!\\n\\n)[\\s\\S])*?\\b(?:void %1$s\\(|ArchRule %1$s\\b)"
                .formatted(classAndMethod[1]));

    assertThat(SOURCES.keySet()).as(test).contains(classAndMethod[0]);
    assertThat(method.matcher(SOURCES.get(classAndMethod[0])).find()).as(test).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void aRowNamesTestsOrSaysWhyThereIsNone(Row row) {
    if (row.tests().isEmpty()) {
      assertThat(row.sluice())
          .as("later, 'not here: why' or 'by design: why'")
          .containsPattern(REASON);
    } else {
      assertThat(row.tests()).as("tests and nothing else").matches(ONLY_TESTS);
    }
  }

  /** W1 to W24: each is a known weakness of Lyft's operator. */
  @Test
  void eachWeaknessOfLyftsOperatorHasARow() {
    assertThat(rows(LYFT).map(Row::feature).filter(it -> it.matches("W\\d+: .+")))
        .extracting(it -> it.split(":", 2)[0])
        .isEqualTo(IntStream.rangeClosed(1, 24).mapToObj(number -> "W" + number).toList());
  }

  private static Map<String, String> sources() {
    try (Stream<Path> files =
        Files.find(Repository.root(), 16, (file, is) -> isTestSource(file.toString()))) {
      return files.collect(
          Collectors.toMap(
              file -> file.getFileName().toString().replace(".java", ""),
              Documentation::text,
              String::concat));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isTestSource(String file) {
    return file.contains("/src/test/java/") && file.matches(".*(Test|IT)\\.java");
  }
}
