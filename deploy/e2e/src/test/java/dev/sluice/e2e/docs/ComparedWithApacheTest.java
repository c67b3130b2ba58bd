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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the comparison with Apache's operator claims is shown by tests that exist. */
class ComparedWithApacheTest {

  private static final String PAGE = "docs/compared-with-apache.md";

  /** A test on the page: {@code SpecDiffTest#theStrongestChangeDecides}. */
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))#(\\w+)`");

  private static final Pattern ROW = Pattern.compile("^\\|.*\\|(.*)\\|([^|]*)\\|$");

  /** Two modules may have a class of the same name. */
  private static final Map<String, String> SOURCES = sources();

  static Stream<String> tests() {
    return TEST.matcher(Documentation.page(PAGE).markdown())
        .results()
        .map(found -> found.group(1) + "#" + found.group(2))
        .distinct();
  }

  /** Rows of all tables, without their heads; the last cell names tests. */
  static Stream<String> rows() {
    List<String> lines = Documentation.page(PAGE).markdown().lines().toList();
    return lines.stream()
        .filter(line -> ROW.matcher(line).matches() && !line.startsWith("|-"))
        .filter(line -> !isHead(lines, line));
  }

  @Test
  void thereAreTests() {
    assertThat(tests()).hasSizeGreaterThan(50);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tests")
  void theTestExists(String test) {
    String[] classAndMethod = test.split("#", 2);

    assertThat(SOURCES).containsKey(classAndMethod[0]);
    assertThat(SOURCES.get(classAndMethod[0]))
        .containsPattern("\\b(void %1$s\\(|ArchRule %1$s\\b)".formatted(classAndMethod[1]));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void aRowNamesATestOrSaysThatItComesLater(String row) {
    Matcher cells = ROW.matcher(row);
    assertThat(cells.matches()).isTrue();

    assertThat(TEST.matcher(cells.group(2)).find() || cells.group(1).contains("later"))
        .as("a test in the last column, or 'later' in the one before")
        .isTrue();
  }

  private static boolean isHead(List<String> lines, String line) {
    int next = lines.indexOf(line) + 1;
    return next < lines.size() && lines.get(next).startsWith("|-");
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
