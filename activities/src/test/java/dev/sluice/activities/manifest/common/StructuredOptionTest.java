package dev.sluice.activities.manifest.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.StructuredOption;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Flink itself says what is right. */
class StructuredOptionTest {
  private static final ConfigOption<List<String>> LIST =
      ConfigOptions.key("list").stringType().asList().noDefaultValue();
  private static final ConfigOption<Map<String, String>> MAP =
      ConfigOptions.key("map").mapType().noDefaultValue();

  private static final List<String> NASTY =
      List.of(
          "--topic",
          "a;b",
          "it's",
          "say \"hi\"",
          "''",
          "",
          " lead and trail ",
          "[1, 2]",
          "{a: b}",
          "true",
          "007",
          "null",
          "~",
          "- x",
          "# no comment",
          "a: b",
          "k:v,w",
          "line\nbreak",
          "tab\t",
          "back\\slash",
          "$HOME",
          "üñí",
          "%s");

  @ParameterizedTest
  @EnumSource(
      value = FlinkVersion.class,
      names = {"V1_18", "V1_19", "V2_2"})
  void aListReadsBackInFlinkWhateverIsInIt(FlinkVersion version) {
    String text = StructuredOption.ofList(NASTY, version);

    assertThat(readAsList(text)).isEqualTo(NASTY);
  }

  @Test
  void aSingleItemThatLooksLikeAListStaysOneItem() {
    String text = StructuredOption.ofList(List.of("[a, b]"), FlinkVersion.V2_2);

    assertThat(readAsList(text)).containsExactly("[a, b]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a;b",
        " a ; b ",
        "a;;b",
        ";a",
        "a;",
        "'a;b';c",
        "\"a;b\";c",
        "'it''s'",
        "[a, b]",
        "['a;b', c]",
        "a b;c",
        "a'b;c",
        "key:k,operator:Exists;key:l",
        "''"
      })
  void readsListsAsFlinkDoes(String text) {
    assertThat(StructuredOption.list(text)).isEqualTo(readAsList(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:b",
        "a:b,c:d",
        " a : b , c : d ",
        "'a:b,c'",
        "'a:''b,c'''",
        "{a: b, c: d}",
        "a: b",
        "prometheus.io/scrape:true"
      })
  void readsMapsAsFlinkDoes(String text) {
    Configuration configuration = new Configuration();
    configuration.setString("map", text);

    assertThat(StructuredOption.map(text)).isEqualTo(configuration.get(MAP));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a:b:c", "a:b,c"})
  void saysWhatIsNoPair(String text) {
    assertThatThrownBy(() -> StructuredOption.map(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key:value");
  }

  @Test
  void saysWhenAQuoteIsNotClosed() {
    assertThatThrownBy(() -> StructuredOption.list("a;'b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("quote");
  }

  private static List<String> readAsList(String text) {
    Configuration configuration = new Configuration();
    configuration.setString("list", text);
    return configuration.get(LIST);
  }
}
