package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a person wrote, the text about it is one short line. */
class ViolationTest {

  @Test
  void aLongTextIsCut() {
    Violation violation = new Violation("p".repeat(5000), "m".repeat(5000));

    assertThat(violation.path()).hasSize(303).endsWith("p...");
    assertThat(violation.message()).hasSize(603).endsWith("m...");
    assertThat(violation.toString()).hasSizeLessThan(1000);
  }

  @Test
  void soIsAWarning() {
    assertThat(new Warning("p".repeat(5000), "m".repeat(5000)).toString()).hasSizeLessThan(1000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\t", "\r", "\u0000", "\u2028", "\u202E", "\uD83D", "\uE000"})
  void whatCannotBeShownIsReplaced(String unprintable) {
    assertThat(Printable.quoted("a" + unprintable + "b")).isEqualTo("'a\uFFFDb'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "日本語", "\uD83D\uDE80", "ß", "%s", "\\"})
  void whatCanBeShownStays(String text) {
    assertThat(Printable.quoted(text)).isEqualTo("'" + text + "'");
  }

  @Test
  void aCutNeverLeavesHalfACharacter() {
    String cut = Printable.shortened("a\uD83D\uDE80", 2);

    assertThat(cut).isEqualTo("a\uFFFD...");
  }
}
