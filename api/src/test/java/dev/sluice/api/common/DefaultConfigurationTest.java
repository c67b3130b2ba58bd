package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefaultConfigurationTest {

  private static final DefaultConfiguration ALL =
      DefaultConfiguration.parse(
          """
          # as in Flink's config.yaml
          state.checkpoints.num-retained: 3
          restart-strategy:
            type: fixed-delay
            fixed-delay: {attempts: 10, delay: 5 s}
          kubernetes.operator.savepoint.format.type: NATIVE
          web.timeout: 1 s
          kubernetes:
            operator:
              default-configuration:
                namespace:
                  streams: {web.timeout: 2 s, metrics.scope.jm: streams}
                  batch: {web.timeout: 3 s}
                flink-version:
                  v1_18+: {web.timeout: 4 s, web.history: 18}
                  v1_20+: {web.timeout: 5 s}
                  v1_20: {web.timeout: 6 s}
          """);

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "other, v1_17, 1 s",
    "streams, v1_17, 2 s",
    "batch, v1_17, 3 s",
    "other, v1_18, 4 s",
    "streams, v1_19, 4 s",
    "streams, v1_20, 6 s",
    "streams, v2_2, 5 s",
    "streams, , 2 s",
    "other, , 1 s",
  })
  void aVersionWinsOverANamespaceAndBothOverWhatIsForAll(
      String namespace, String version, String value) {
    assertThat(ALL.forResource(namespace, version(version)).getOrDefault("web.timeout", ""))
        .isEqualTo(value);
  }

  @Test
  void flatAndNestedKeysAndThoseOfTheOperatorAreDefaults() {
    assertThat(ALL.forResource("streams", FlinkVersion.V1_19).asMap())
        .containsEntry("state.checkpoints.num-retained", "3")
        .containsEntry("restart-strategy.fixed-delay.attempts", "10")
        .containsEntry("kubernetes.operator.savepoint.format.type", "NATIVE")
        .containsEntry("metrics.scope.jm", "streams")
        .containsEntry("web.history", "18")
        .hasSize(8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes.operator.default-configuration.flink-version.v9_9.a: 1 | v9_9 is no Flink version",
        "kubernetes.operator.default-configuration.flink-version.1.20.a: 1 | 1 is no Flink version",
        "kubernetes.operator.default-configuration.namespace.streams: 1 | and end with a key",
        "kubernetes.operator.default-configuration.region.a.b: 1 | must go on with namespace",
        "a: [ | is not YAML in line",
        "{a: 1, a: 2} | is not YAML",
        "just text | must be keys",
      })
  void whatIsWrongIsToldAndNotTaken(String yaml, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DefaultConfiguration.parse(yaml))
        .withMessageContaining(why);
  }

  @Test
  void anEmptyFileHasNoDefaults() {
    assertThat(DefaultConfiguration.parse("")).isEqualTo(DefaultConfiguration.NONE);
    assertThat(DefaultConfiguration.parse("# nothing\n")).isEqualTo(DefaultConfiguration.NONE);
  }

  @Test
  void asTextItHidesValues() {
    assertThat(DefaultConfiguration.parse("s3.secret-key: hunter2").toString())
        .contains("s3.secret-key")
        .doesNotContain("hunter2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DefaultConfiguration.parse("s3.secret-key: [hunter2"))
        .withMessageNotContaining("hunter2");
  }

  private static FlinkVersion version(String wire) {
    return wire == null ? null : FlinkVersion.of(wire).orElseThrow();
  }
}
