package dev.sluice.api.application;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedSavepointTest {

  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource({
    "file:///new, , file:///new",
    ", file:///older, file:///older",
    "file:///new, file:///older, file:///new",
    "'', file:///older, file:///older",
    ", '', ",
    ", , "
  })
  void either_field_names_it_and_the_newer_one_counts(
      @Nullable String path, @Nullable String older, @Nullable String expected) {
    FlinkApplicationSpec spec =
        FlinkApplicationSpec.EMPTY
            .withSavepointPath(path)
            .withSavepointInfo(older == null ? null : new NamedSavepoint(older));

    assertThat(spec.namedSavepoint()).isEqualTo(expected);
  }
}
