package dev.sluice.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.Annotations;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TroubleshootingTest {

  private static final Pattern QUOTED = Pattern.compile("`([^`:]+)[^`]*`");

  @ParameterizedTest(name = "{1}")
  @MethodSource
  void each_word_that_people_may_meet_has_a_row_where_they_look_for_it(String section, String word)
      throws IOException {
    assertThat(explained(section).contains(word)).as("a row explains " + word).isTrue();
  }

  static Stream<Arguments> each_word_that_people_may_meet_has_a_row_where_they_look_for_it() {
    return Stream.of(
            words("## 1. ", values(ConditionTypes.class)),
            words(
                "## 2. ",
                Stream.of(
                    Annotations.ABORT,
                    Annotations.RETRY,
                    Annotations.RESTORE_FROM,
                    Annotations.ROLLBACK,
                    Annotations.ROLLBACK_TO,
                    Annotations.ROLLBACK_STATE,
                    Annotations.STABLE_AFTER,
                    Annotations.FORCE_DELETE)),
            words("## 3. ", values(Reasons.class)),
            words("## 3. ", values(FailureType.class)),
            words("## 4. ", values(EventReasons.class)))
        .flatMap(words -> words);
  }

  private static Stream<Arguments> words(String section, Stream<String> words) {
    return words.map(word -> arguments(section, word));
  }

  private static Stream<String> values(Class<?> type) {
    return Arrays.stream(type.getFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .map(TroubleshootingTest::value);
  }

  /**
   * What is quoted in the first cell of a row of the section's tables; of {@code a: b} the {@code
   * a}.
   */
  private static Set<String> explained(String section) throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "troubleshooting.md")).stream()
        .dropWhile(line -> !line.startsWith(section))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("|"))
        .map(line -> line.split("\\|", -1)[1])
        .flatMap(cell -> QUOTED.matcher(cell).results())
        .map(quoted -> quoted.group(1))
        .collect(Collectors.toSet());
  }

  private static String value(Field constant) {
    try {
      return (String) constant.get(null);
    } catch (IllegalAccessException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
