package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProgramArgumentsTest {

  static Stream<Arguments> texts() {
    return Stream.of(
        Arguments.of("", List.of()),
        Arguments.of("--rate 10", List.of("--rate", "10")),
        Arguments.of("  --rate \t 10\n--keys 5 ", List.of("--rate", "10", "--keys", "5")),
        Arguments.of("--topic 'a b' --x", List.of("--topic", "a b", "--x")),
        Arguments.of("--topic \"a b\" --x", List.of("--topic", "a b", "--x")),
        // quotes inside an argument keep nothing together, as with Flink
        Arguments.of("--topic='a b'", List.of("--topic=a", "b")),
        Arguments.of("--json {\"a\":1}", List.of("--json", "{a:1}")));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void aTextIsSplitAsFlinkSplitsIt(String text, List<String> arguments) {
    assertThat(ProgramArguments.split(text)).isEqualTo(arguments);
  }

  @Test
  void noTextHasNoArguments() {
    assertThat(ProgramArguments.split(null)).isEmpty();
  }
}
