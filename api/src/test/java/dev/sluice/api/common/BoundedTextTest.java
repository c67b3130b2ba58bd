package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundedTextTest {

  @Test
  void what_fits_is_kept() {
    assertThat(BoundedText.of("12345", 5)).isEqualTo("12345");
  }

  @Test
  void what_does_not_fit_ends_with_dots() {
    assertThat(BoundedText.of("123456", 5)).isEqualTo("12...");
  }

  @Test
  void bytes_are_counted_where_they_are_what_is_bounded() {
    assertThat(BoundedText.ofBytes("\u00e4\u00e4\u00e4", 6)).isEqualTo("\u00e4\u00e4\u00e4");
    assertThat(BoundedText.ofBytes("\u00e4\u00e4\u00e4\u00e4", 6)).isEqualTo("\u00e4...");
    assertThat(BoundedText.ofBytes("12\uD83D\uDE003456", 8)).isEqualTo("12...");
  }

  @Test
  void a_character_is_never_cut_in_two() {
    assertThat(BoundedText.of("12\uD83D\uDE003456", 6)).isEqualTo("12...");
  }
}
