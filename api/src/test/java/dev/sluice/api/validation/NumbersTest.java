package dev.sluice.api.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "taskmanager.numberOfTaskSlots, 1",
    "taskmanager.numberOfTaskSlots, 32768",
    "pipeline.max-parallelism, 1",
    "pipeline.max-parallelism, 32768",
    "pipeline.max-parallelism, -1",
    "jobmanager.memory.jvm-overhead.fraction, 0.1",
  })
  void numbersWithinTheirBoundsAreFine(String key, String value) {
    assertThat(Specs.messages(Specs.configured(key, value))).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "taskmanager.numberOfTaskSlots | 0 | must be between 1 and 32768, but is 0",
        "taskmanager.numberOfTaskSlots | -1 | must be between 1 and 32768, but is -1",
        "taskmanager.numberOfTaskSlots | 32769 | must be between 1 and 32768, but is 32769",
        "taskmanager.numberOfTaskSlots | two | must be a whole number, but is 'two'",
        "taskmanager.numberOfTaskSlots | 2147483648 | must be a whole number, but is '2147483648'",
        "taskmanager.numberOfTaskSlots | '' | must be a whole number, but is empty. Remove it",
        "pipeline.max-parallelism | 0 | must be between 1 and 32768, but is 0",
        "pipeline.max-parallelism | 32769 | must be between 1 and 32768, but is 32769",
        "pipeline.max-parallelism | -2 | must be between 1 and 32768, but is -2",
        "kubernetes.taskmanager.cpu.amount | -1 | must be between 0 and 1000000, but is -1.0",
        "taskmanager.cpu.cores | NaN | must be a number, but is 'NaN'",
        "jobmanager.memory.jvm-overhead.fraction | 1 | must be between 0 and 0.99, but is 1.0",
      })
  void numbersOutsideOfThemAreReportedWithTheirKey(String key, String value, String message) {
    assertThat(Specs.messages(Specs.configured(key, value)))
        .containsExactly("spec.flinkConfiguration." + key + ": " + message);
  }
}
