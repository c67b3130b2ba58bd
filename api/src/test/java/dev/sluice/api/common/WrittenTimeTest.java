package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenTimeTest {

  @Test
  void aTimeIsRead() {
    assertThat(WrittenTime.read("2026-01-02T03:04:05Z"))
        .contains(Instant.parse("2026-01-02T03:04:05Z"));
    assertThat(WrittenTime.millis("1970-01-01T00:00:01Z")).isEqualTo(1000);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026-01-02",
        "2026-13-02T03:04:05Z",
        "+999999999-01-01T00:00:00Z"
      })
  void whatIsNoTimeIsAbsent(String text) {
    assertThat(WrittenTime.read(text)).isEmpty();
    assertThat(WrittenTime.millis(text)).isNull();
  }
}
