package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sluice.dev/stable-after} and {@code sluice.dev/stable-after-checkpoints}. */
class StableAfterAnnotationsTest {

  private static final StableAfter DEFAULTS = new StableAfter(60_000);

  private static List<String> messages(String annotation, String value) {
    FlinkDeployment resource = Specs.resource(Specs.VALID);
    resource.getMetadata().setAnnotations(new HashMap<>(Map.of(annotation, value)));
    return SpecValidation.validate(resource, null).stream().map(Violation::toString).toList();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0s, 0", "1s, 1000", "2m, 120000", "2 min, 120000", "PT1H, 3600000"})
  void aTimeIsReadAsFlinkSpellsIt(String text, long ms) {
    assertThat(messages(Annotations.STABLE_AFTER, text)).isEmpty();
    assertThat(StableAfter.parseQuietMs(text)).isEqualTo(ms);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"soon", "3 checkpoints", "-1s", "120", "999ms", "8d", "2 parsecs", "PT-1S"})
  void aTimeThatIsNoneIsRefused(String text) {
    assertThat(messages(Annotations.STABLE_AFTER, text))
        .containsExactly(
            "metadata.annotations.sluice.dev/stable-after: must be 0, or a duration from 1 s to"
                + " 7 d like '2 min', but is '"
                + text
                + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "3", "three"})
  void aNumberOfCheckpointsIsRefusedWithWhatToWriteInstead(String text) {
    assertThat(messages("sluice.dev/stable-after-checkpoints", text))
        .containsExactly(
            "metadata.annotations.sluice.dev/stable-after-checkpoints: is not supported,"
                + " checkpoints are not counted: remove it and set sluice.dev/stable-after to a"
                + " time such as '2 min', for which every task must run without a restart");
  }

  @Test
  void theAnnotationGoesOverTheDefault() {
    assertThat(StableAfter.ifReadable(Map.of(Annotations.STABLE_AFTER, "2m"), DEFAULTS))
        .contains(new StableAfter(120_000));
    assertThat(StableAfter.ifReadable(Map.of(Annotations.STABLE_AFTER, "0"), DEFAULTS))
        .contains(StableAfter.NONE);
  }

  @Test
  void withoutAnnotationsTheDefaultsHold() {
    assertThat(StableAfter.ifReadable(null, DEFAULTS)).contains(DEFAULTS);
    assertThat(StableAfter.ifReadable(Map.of(Annotations.STABLE_AFTER, " "), DEFAULTS))
        .contains(DEFAULTS);
  }
}
