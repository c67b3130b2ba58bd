package dev.sluice.activities.manifest.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationFileTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "1.0",
        "true",
        "null",
        "~",
        "",
        " padded ",
        "# comment",
        "a # b",
        "a: b",
        "'single'",
        "\"double\"",
        "[list]",
        "{map: 1}",
        "back\\slash",
        "line\nbreak",
        "tab\there",
        "üñí",
        "*anchor",
        "&ref",
        "%percent",
        "@at",
        "`tick`",
        "2026-11-21",
        "0x1F",
        "1e3",
        "yes",
        "-Dx=\"a b\" -Xss1m"
      })
  void everyValueReachesFlinkUnchanged(String value) {
    ConfigurationFile file =
        ConfigurationFile.of(FlinkConfiguration.of(Map.of("some.key", value)), FlinkVersion.V2_2);

    assertThat(FlatObject.readByFlink(file.text()))
        .containsExactlyEntriesOf(Map.of("some.key", value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "env",
        "$internal.pipeline.job-id",
        "true",
        "1",
        "a b.c",
        "metrics.scope.<x>",
        "a:b",
        "x."
      })
  void everyKeyReachesFlinkUnchanged(String key) {
    ConfigurationFile file =
        ConfigurationFile.of(FlinkConfiguration.of(Map.of(key, "value")), FlinkVersion.V2_2);

    assertThat(FlatObject.readByFlink(file.text())).containsExactlyEntriesOf(Map.of(key, "value"));
  }

  @Test
  void aKeyMayBeThePrefixOfAnother() {
    Map<String, String> both =
        Map.of("high-availability", "kubernetes", "high-availability.storageDir", "s3://bucket");

    ConfigurationFile file = ConfigurationFile.of(FlinkConfiguration.of(both), FlinkVersion.V1_20);

    assertThat(FlatObject.readByFlink(file.text())).containsExactlyInAnyOrderEntriesOf(both);
  }

  @Test
  void isNamedConfigYamlSince119() {
    assertThat(nameFor(FlinkVersion.V1_19)).isEqualTo("config.yaml");
    assertThat(nameFor(FlinkVersion.V1_18)).isEqualTo("flink-conf.yaml");
  }

  @Test
  void isPlainBefore119() {
    ConfigurationFile file =
        ConfigurationFile.of(FlinkConfiguration.of(Map.of("a.b", "'x';'y'")), FlinkVersion.V1_18);

    assertThat(file.text()).isEqualTo("a.b: 'x';'y'\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a # b", "a\nb", "a\rb"})
  void refusesWhatThePlainFileWouldCutOff(String value) {
    FlinkConfiguration configuration = FlinkConfiguration.of(Map.of("some.key", value));

    assertThatThrownBy(() -> ConfigurationFile.of(configuration, FlinkVersion.V1_18))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("flinkConfiguration.some.key");
  }

  private static String nameFor(FlinkVersion version) {
    return ConfigurationFile.of(FlinkConfiguration.empty(), version).name();
  }
}
