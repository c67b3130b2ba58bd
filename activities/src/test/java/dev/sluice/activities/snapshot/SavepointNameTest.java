package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SavepointNameTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:/sp/savepoint-1a-2b",
        "file:///sp/savepoint-1a-2b",
        "/sp/savepoint-1a-2b/",
        "/sp/savepoint-1a-2b/_metadata",
        "hdfs://nn:8020/sp/savepoint-1a-2b//_metadata",
      })
  void howeverItIsSpelledItIsTheSameSavepoint(String path) {
    assertThat(SavepointName.maybeSame("file:/sp/savepoint-1a-2b", path)).isTrue();
  }

  @Test
  void anotherNameIsAnotherSavepoint() {
    assertThat(SavepointName.maybeSame("/sp/savepoint-1a-2b", "/sp/savepoint-1a-2c")).isFalse();
    assertThat(SavepointName.maybeSame("/sp/savepoint-1a-2b", null)).isFalse();
  }
}
