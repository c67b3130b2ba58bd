package dev.sluice.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Annotations;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.operation.FailureType;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TroubleshootingTest {

  @ParameterizedTest
  @MethodSource
  void each_word_that_people_may_meet_is_explained(String word) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "troubleshooting.md"));

    assertThat(page).contains("`" + word);
  }

  static Stream<String> each_word_that_people_may_meet_is_explained() {
    Stream<String> requests =
        Stream.of(Annotations.ABORT, Annotations.RETRY, Annotations.FORCE_DELETE);
    return Stream.concat(
            requests,
            Stream.of(ConditionTypes.class, Reasons.class, EventReasons.class, FailureType.class)
                .flatMap(type -> Arrays.stream(type.getFields()))
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .map(TroubleshootingTest::value))
        .distinct();
  }

  private static String value(Field constant) {
    try {
      return (String) constant.get(null);
    } catch (IllegalAccessException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
