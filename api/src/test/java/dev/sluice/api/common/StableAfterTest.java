package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Annotations;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StableAfterTest {

  @ParameterizedTest
  @CsvSource({"2m, 120000", "0, 0", "' ', 30000", ", 30000", "soon, "})
  void ifReadable_annotation_goesOverTheDefault(@Nullable String text, @Nullable Long expectedMs) {
    Map<String, String> annotations = text == null ? null : Map.of(Annotations.STABLE_AFTER, text);

    assertThat(
            StableAfter.ifReadable(annotations, new StableAfter(30_000)).map(StableAfter::quietMs))
        .isEqualTo(java.util.Optional.ofNullable(expectedMs));
  }
}
