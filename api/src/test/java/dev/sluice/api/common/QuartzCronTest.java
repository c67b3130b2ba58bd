package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuartzCronTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        // expression; which field; its values
        "0 0 3 * * ?; 0; 0",
        "0 0 3 * * ?; 2; 3",
        "0/20 * * * * ?; 0; 0 20 40",
        "5/20 * * * * ?; 0; 5 25 45",
        "*/15 * * * * ?; 0; 0 15 30 45",
        "10-12 * * * * ?; 0; 10 11 12",
        "10-20/5 * * * * ?; 0; 10 15 20",
        "0 1,3,5-6 * * * ?; 1; 1 3 5 6",
        "0 0 22-2 * * ?; 2; 0 1 2 22 23",
        "0 0 0 1,15 * ?; 3; 1 15",
        "0 0 0 ? JAN,jun-AUG *; 4; 1 6 7 8",
        "0 0 0 ? * 1; 5; 0",
        "0 0 0 ? * SUN,SAT; 5; 0 6",
        "0 0 0 ? * MON-FRI; 5; 1 2 3 4 5",
        "0 0 0 ? * FRI-MON; 5; 0 1 5 6",
        "0 0 0 ? * 7; 5; 6",
        "0 0 0 1 1 ? 2027,2029-2030; 6; 2027 2029 2030",
      })
  void eachFieldIsTheSetOfItsValues(String expression, int field, String values) {
    QuartzCron cron = QuartzCron.parse(expression);

    List<Integer> found =
        List.copyOf(
            List.of(
                    cron.seconds(),
                    cron.minutes(),
                    cron.hours(),
                    cron.daysOfMonth(),
                    cron.months(),
                    cron.daysOfWeek(),
                    cron.years())
                .get(field));
    assertThat(found.stream().map(String::valueOf).collect(Collectors.joining(" ")))
        .isEqualTo(values);
  }

  @Test
  void aStarAndAQuestionMarkAreEveryValue() {
    QuartzCron cron = QuartzCron.parse("* * * * * ?");

    assertThat(cron.minutes()).containsExactlyElementsOf(range(0, 59));
    assertThat(cron.daysOfMonth()).containsExactlyElementsOf(range(1, 31));
    assertThat(cron.daysOfWeek()).containsExactlyElementsOf(range(0, 6));
    assertThat(cron.isAnyYear()).isTrue();
    assertThat(QuartzCron.parse("0 0 0 1 1 ? 2027").isAnyYear()).isFalse();
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toList();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "0 3 * * *; must be a cron expression of 6 or 7 fields",
        "0 0 3 * * ? * *; must be a cron expression of 6 or 7 fields",
        "0 0 0 L * ?; must do without L, W and # (in day of month)",
        "0 0 0 1,L * ?; must do without L, W and # (in day of month)",
        "0 0 0 L-3 * ?; must do without L, W and # (in day of month)",
        "0 0 0 LW * ?; must do without L, W and # (in day of month)",
        "0 0 0 15W * ?; must do without L, W and # (in day of month)",
        "0 0 0 ? * 6L; must do without L, W and # (in day of week)",
        "0 0 0 ? * 6#3; must do without L, W and # (in day of week)",
        "0 0 0 ? * L; must do without L, W and # (in day of week)",
        "0 0 0 1 * MON; must have a ? as day of month",
        "60 * * * * ?; must have values from 0 to 59 as seconds",
        "0 0 24 * * ?; must have values from 0 to 23 as hours",
        "0 0 0 0 * ?; must have values from 1 to 31 as day of month",
        "0 0 0 ? 13 *; must have values from 1 to 12 as month",
        "0 0 0 ? * 0; must have values from 1 to 7 as day of week",
        "0 0 0 ? * WEDS; must have values from 1 to 7 as day of week",
        "0/0 * * * * ?; must have values from 0 to 59 as seconds",
        "1, * * * * ?; must have values from 0 to 59 as seconds",
        "? * * * * ?; must have values from 0 to 59 as seconds",
        "0 0 0 ? JAN-x *; must have values from 1 to 12 as month",
      })
  void whatCannotBeTranslatedIsRefused(String expression, String message) {
    assertThatThrownBy(() -> QuartzCron.parse(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
