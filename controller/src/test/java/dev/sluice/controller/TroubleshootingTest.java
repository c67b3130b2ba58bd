package dev.sluice.controller;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.provider.MethodSource;

class TroubleshootingTest {

  private static final Pattern QUOTED = Pattern.compile("`([^`:]+)[^`]*`");

  @ParameterizedTest
  @MethodSource
  void each_word_that_people_may_meet_has_a_row_of_its_own(String word) throws IOException {
    assertThat(explained().contains(word)).as("a row explains " + word).isTrue();
  }

  static Stream<String> each_word_that_people_may_meet_has_a_row_of_its_own() {
    Stream<String> annotations =
        Stream.of(
            Annotations.ABORT,
            Annotations.RETRY,
            Annotations.RESTORE_FROM,
            Annotations.ROLLBACK,
            Annotations.ROLLBACK_TO,
            Annotations.ROLLBACK_STATE,
            Annotations.STABLE_AFTER,
            Annotations.STABLE_AFTER_CHECKPOINTS,
            Annotations.FORCE_DELETE);
    return Stream.concat(
            annotations,
            Stream.of(ConditionTypes.class, Reasons.class, EventReasons.class, FailureType.class)
                .flatMap(type -> Arrays.stream(type.getFields()))
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .map(TroubleshootingTest::value))
        .distinct();
  }

  /** What is quoted in the first cell of a row of any table; of {@code a: b} the {@code a}. */
  private static Set<String> explained() throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "troubleshooting.md")).stream()
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
