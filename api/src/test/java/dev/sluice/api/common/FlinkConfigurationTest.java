package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlinkConfigurationTest {
  private static FlinkConfiguration yaml(String text) throws JsonProcessingException {
    return FlinkConfiguration.of(new YAMLMapper().readTree(text));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "a.b: c|a.b|c",
        "{a: {b: {c: d}}}|a.b.c|d",
        "{a.b: {c: d}}|a.b.c|d",
        "{n: 2}|n|2",
        "{n: 0.5}|n|0.5",
        "{n: true}|n|true",
        "{n: '007'}|n|007",
        "{l: [x, 2, true]}|l|x;2;true",
        "{l: [only]}|l|only",
        "{l: []}|l|''",
        "{l: ['a;b', c]}|l|'''a;b'';c'",
        "{l: [\"it's\", c]}|l|'''it''''s'';c'",
        "{l: [{a: 1}, {b: 2}]}|l|[{\"a\":1},{\"b\":2}]",
      })
  void everyWayToWriteAValueEndsAsFlatText(String yaml, String key, String value) throws Exception {
    assertThat(yaml(yaml).asMap()).isEqualTo(Map.of(key, value));
  }

  @Test
  void aKeyWithoutValueIsNoKey() throws Exception {
    assertThat(yaml("{a: null, b: ''}").asMap()).isEqualTo(Map.of("b", ""));
  }

  @Test
  void keysAreSortedSoThatWhatIsMadeFromThemIsTheSameEachTime() throws Exception {
    assertThat(yaml("{b: 1, a: {z: 1, c: 2}}").asMap().keySet()).containsExactly("a.c", "a.z", "b");
    assertThat(yaml("{b: 1, a: 2}").toJson()).hasToString("{\"a\":\"2\",\"b\":\"1\"}");
  }

  @Test
  void typedGettersReadFlinksSpelling() {
    FlinkConfiguration configuration =
        FlinkConfiguration.of(
            Map.of("d", "10 min", "m", "1 gb", "b", "TRUE", "i", " 3 ", "blank", " "));

    assertThat(configuration.duration("d")).contains(Duration.ofMinutes(10));
    assertThat(configuration.memoryBytes("m")).contains(1L << 30);
    assertThat(configuration.bool("b")).contains(true);
    assertThat(configuration.integer("i")).contains(3);
    assertThat(configuration.integer("absent")).isEmpty();
    assertThat(configuration.integer("blank")).isEmpty();
    assertThat(configuration.has("blank")).isFalse();
    assertThat(configuration.getOrDefault("absent", "x")).isEqualTo("x");
  }

  @Test
  void aValueOfTheWrongTypeIsToldWithItsKey() {
    FlinkConfiguration configuration = FlinkConfiguration.of(Map.of("k", "soon"));

    assertThatThrownBy(() -> configuration.integer("k"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("flinkConfiguration.k: must be a whole number, but is 'soon'");
    assertThatThrownBy(() -> configuration.bool("k"))
        .hasMessage("flinkConfiguration.k: must be true or false, but is 'soon'");
    assertThatThrownBy(() -> configuration.duration("k"))
        .hasMessageContaining("flinkConfiguration.k: must be a duration");
    assertThatThrownBy(() -> configuration.memoryBytes("k"))
        .hasMessageContaining("amount of memory");
  }

  @Test
  void changesMakeCopies() {
    FlinkConfiguration before = FlinkConfiguration.of(Map.of("a", "1"));

    assertThat(before.with("b", "2").without("a"))
        .isEqualTo(FlinkConfiguration.of(Map.of("b", "2")));
    assertThat(before.asMap()).isEqualTo(Map.of("a", "1"));
    assertThatThrownBy(() -> before.asMap().put("x", "y"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void asTextItShowsNoValues() {
    assertThat(FlinkConfiguration.of(Map.of("s3.secret-key", "hunter2")))
        .hasToString("FlinkConfiguration[s3.secret-key]");
  }
}
