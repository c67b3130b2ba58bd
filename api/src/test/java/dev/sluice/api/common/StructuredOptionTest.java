package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists and maps in a text, which Flink itself judges in module {@code activities}. */
class StructuredOptionTest {
  private static FlinkConfiguration options(Map<String, String> options) {
    return FlinkConfiguration.of(options);
  }

  private static FlinkConfiguration options(String key, String value) {
    return options(Map.of(key, value));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "a:1,b:2",
        "a:1, b:2",
        "{a: 1, b: 2}",
        "a: 1\nb: 2",
      })
  void aMapHasSeveralSpellings(String text) {
    assertThat(options("k", text).map("k")).isEqualTo(Map.of("a", "1", "b", "2"));
  }

  @Test
  void aMapMayBeOneKeyForEachEntry() {
    assertThat(options(Map.of("k.a", "1", "k.b.c/d", "2", "kk", "3")).map("k"))
        .isEqualTo(Map.of("a", "1", "b.c/d", "2"));
  }

  @Test
  void theKeyItselfWinsOverOneKeyForEachEntry() {
    assertThat(options(Map.of("k", "a:1", "k.b", "2")).map("k")).isEqualTo(Map.of("a", "1"));
  }

  @Test
  void withoutTheKeyThereIsNothing() {
    assertThat(options(Map.of()).map("k")).isEmpty();
    assertThat(options(Map.of()).list("k")).isEmpty();
    assertThat(options(Map.of()).maps("k")).isEmpty();
    assertThat(options(Map.of()).prefixed("k.")).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"a;b", "[a, b]", "'a';'b'", "- a\n- b"})
  void aListHasSeveralSpellings(String text) {
    assertThat(options("k", text).list("k")).isEqualTo(List.of("a", "b"));
  }

  @Test
  void aListOfMapsIsReadItemByItem() {
    assertThat(options("k", "a:1,b:2;c:3").maps("k"))
        .isEqualTo(List.of(Map.of("a", "1", "b", "2"), Map.of("c", "3")));
  }

  @Test
  void anEmptyItemIsAnEmptyText() {
    assertThat(options("k", "[a, null]").list("k")).isEqualTo(List.of("a", ""));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "a | must be key:value pairs, but 'a' is none",
        "a:b:c | must be key:value pairs, but 'a:b:c' is none",
        "a:'b | has a quote that is not closed, or text beside one",
      })
  void whatIsNoMapIsToldWithItsKey(String text, String message) {
    assertThatThrownBy(() -> options("k", text).map("k"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("flinkConfiguration.k: " + message);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"0.5, 0.5", "' 2 ', 2", "1e3, 1000"})
  void aNumberIsDecimal(String text, double number) {
    assertThat(options("k", text).number("k", 7)).isEqualTo(number);
  }

  @Test
  void withoutTheKeyTheFallbackHolds() {
    assertThat(options(Map.of()).number("k", 7)).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "many", "1,5", "NaN", "Infinity", "1e999"})
  void whatIsNoNumberIsToldWithItsKey(String text) {
    assertThatThrownBy(() -> options("k", text).number("k", 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("flinkConfiguration.k: must be a number, but is '" + text + "'");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"V1_18, '''a'';''b''''c'''", "V1_19, '[\"a\",\"b''c\"]'"})
  void aListIsWrittenAsTheVersionReadsIt(FlinkVersion version, String text) {
    assertThat(StructuredOption.ofList(List.of("a", "b'c"), version)).isEqualTo(text);
  }

  @Test
  void whatIsWrittenIsReadBack() {
    List<String> nasty = List.of("", "a;b", "it's", "\"", "[x]", " lead", "a\nb", "null", "- x");

    assertThat(StructuredOption.list(StructuredOption.ofList(nasty, FlinkVersion.V2_0)))
        .isEqualTo(nasty);
  }
}
