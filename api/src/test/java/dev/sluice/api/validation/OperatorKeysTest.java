package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each key of Apache's operator is a row of the page, or is named as without effect. */
class OperatorKeysTest {
  private static final String PREFIX = "kubernetes.operator.";
  private static final Path APACHE = Path.of("src/test/resources/apache");
  private static final Path PAGE = Path.of("../docs/flinkdeployment.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** What the table of the page says of each key, without the prefix. */
  private static final Map<String, String> ROWS = rows();

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> rows() {
    return lines(PAGE)
        .dropWhile(line -> !line.equals("### Keys of the operator"))
        .takeWhile(Predicate.not(line -> line.startsWith("## ")))
        .filter(line -> line.startsWith("|`"))
        .map(line -> line.split("\\|", 5))
        .flatMap(cells -> keys(cells[1]).map(key -> Map.entry(key, cells[3].trim())))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static Stream<String> keys(String cell) {
    return CODE.matcher(cell).results().map(match -> match.group(1));
  }

  static Stream<String> keysOfAResource() {
    return lines(APACHE.resolve("keys-of-a-resource.txt"));
  }

  static Stream<String> keysOfTheOperator() {
    return lines(APACHE.resolve("keys-of-the-operator.txt"));
  }

  static Stream<String> read() {
    return KeyTable.KEYS.stream()
        .map(KeyTable.Key::text)
        .filter(key -> !Specs.warnings(Specs.configured(key, "x")).toString().contains("spelling"))
        .filter(key -> key.startsWith(PREFIX))
        .map(key -> key.substring(PREFIX.length()))
        .sorted();
  }

  @ParameterizedTest
  @MethodSource({"keysOfAResource", "read"})
  void isARowOfThePage(String key) {
    assertThat(ROWS).containsKey(key);
  }

  @ParameterizedTest
  @MethodSource("keysOfTheOperator")
  void hasNoEffectInAResource(String key) {
    assertThat(ROWS).doesNotContainKey(key);
    assertThat(Specs.warnings(Specs.configured(PREFIX + key, "x")))
        .singleElement()
        .asString()
        .contains("has no effect");
  }

  @Test
  void aRowSaysSupportedWhereTheKeyIsRead() {
    assertThat(ROWS.entrySet())
        .filteredOn(row -> row.getValue().startsWith("supported"))
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrderElementsOf(read().toList());
  }

  @Test
  void aKeyStandsInOneOfTheLists() {
    assertThat(Stream.concat(keysOfAResource(), keysOfTheOperator())).doesNotHaveDuplicates();
    assertThat(keysOfAResource()).containsAll(read().toList());
  }
}
