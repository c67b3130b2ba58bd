package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuartzCronTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "0 0 3 * * ?; 0 0 3 * * * *",
        "0/20 * * * * ?; 0,20,40 * * * * * *",
        "5/20 * * * * ?; 5,25,45 * * * * * *",
        "*/15 10-20/5 * * * ?; 0,15,30,45 10,15,20 * * * * *",
        "0 1,3,5-6 22-2 * * ?; 0 1,3,5,6 0,1,2,22,23 * * * *",
        "0 0 0 1,15 * ?; 0 0 0 1,15 * * *",
        "0 0 0 ? JAN,jun-AUG *; 0 0 0 * 1,6,7,8 * *",
        "0 0 0 ? * 1; 0 0 0 * * 0 *",
        "0 0 0 ? * SUN,SAT; 0 0 0 * * 0,6 *",
        "0 0 0 ? * WED-FRI; 0 0 0 * * 3,4,5 *",
        "0 0 0 ? * FRI-MON; 0 0 0 * * 0,1,5,6 *",
        "0 0 0 1 JUL ? 2027,2029-2030; 0 0 0 1 7 * 2027,2029,2030",
      })
  void eachFieldIsTheListOfItsValues(String expression, String temporal) {
    assertThat(QuartzCron.toTemporal(expression)).isEqualTo(temporal);
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
        "0 0 0 15W * ?; must do without L, W and # (in day of month)",
        "0 0 0 ? * 6L; must do without L, W and # (in day of week)",
        "0 0 0 ? * 6#3; must do without L, W and # (in day of week)",
        "0 0 0 1 * MON; must have a ? as day of month",
        "60 * * * * ?; must have values from 0 to 59 as seconds",
        "0 0 0 0 * ?; must have values from 1 to 31 as day of month",
        "0 0 0 ? 13 *; must have values from 1 to 12 as month",
        "0 0 0 ? * WEDS; must have values from 1 to 7 as day of week",
        "0/0 * * * * ?; must have values from 0 to 59 as seconds",
        "1, * * * * ?; must have values from 0 to 59 as seconds",
        "? * * * * ?; must have values from 0 to 59 as seconds",
      })
  void whatCannotBeTranslatedIsRefused(String expression, String message) {
    assertThatThrownBy(() -> QuartzCron.toTemporal(expression))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
