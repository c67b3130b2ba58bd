package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

class SettingsTest {

  @Test
  void absentAndBlankValuesReadAsTheDefault() {
    Settings settings = new Settings(Map.of("A_PORT", "  "));

    assertThat(settings.integer("A_PORT", 7, 0, 9)).isEqualTo(7);
    assertThat(settings.text("B", "b")).isEqualTo("b");
    assertThat(settings.optionalText("B")).isNull();
    assertThat(settings.list("B")).isEmpty();
    settings.check();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "10", "1.5", "seven", "99999999999999"})
  void numbersOutsideTheRangeNameKeyValueAndWhatIsAllowed(String wrong) {
    Settings settings = new Settings(Map.of("A_PORT", wrong));

    assertThat(settings.integer("A_PORT", 7, 0, 9)).isEqualTo(7);

    assertThatThrownBy(settings::check)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("A_PORT=" + wrong + ": allowed is a whole number from 0 to 9");
  }

  @ParameterizedTest
  @CsvSource({"500ms,500", "30s,30000", "5m,300000", "1h,3600000", "PT2S,2000", "1 H,3600000"})
  void durationsReadAsPeopleWriteThem(String text, long millis) {
    Settings settings = new Settings(Map.of("WAIT", text));

    Duration read = settings.duration("WAIT", Duration.ZERO, Duration.ZERO, Duration.ofHours(2));

    settings.check();
    assertThat(read).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "3h", "soon", "-1s", "99999999999999999999s"})
  void durationsThatAreNotAllowedSayTheRange(String text) {
    Settings settings = new Settings(Map.of("WAIT", text));

    settings.duration("WAIT", Duration.ZERO, Duration.ofMillis(1500), Duration.ofHours(2));

    assertThatThrownBy(settings::check).hasMessageContaining("WAIT=" + text, "from 1500ms to 2h");
  }

  @Test
  void allMistakesAreToldAtOnce() {
    Settings settings = new Settings(Map.of("A", "x", "B", "maybe", "C", "loud"));

    settings.integer("A", 1, 0, 2);
    settings.flag("B", true);
    settings.choice("C", Level.INFO);

    assertThatThrownBy(settings::check)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "A=x: allowed is a whole number from 0 to 2",
            "B=maybe: allowed is one of false, true",
            "C=loud: allowed is one of debug, error, info, trace, warn");
  }

  @Test
  void choicesTakeAnyCase() {
    assertThat(new Settings(Map.of("F", "Json")).choice("F", Logging.Format.TEXT))
        .isEqualTo(Logging.Format.JSON);
    assertThat(new Settings(Map.of("F", "TRUE")).flag("F", false)).isTrue();
  }

  @Test
  void listsDropEmptyEntries() {
    assertThat(new Settings(Map.of("L", "a, ,b,")).list("L")).containsExactly("a", "b");
  }
}
