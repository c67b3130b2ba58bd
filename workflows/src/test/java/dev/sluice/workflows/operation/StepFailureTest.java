package dev.sluice.workflows.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.api.enums.v1.RetryState;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StepFailureTest {

  @ParameterizedTest
  @MethodSource
  void eachFailureTypeIsAReasonOfItsOwn(String type) {
    assertThat(StepFailure.of(failure(type)).type()).isEqualTo(type);
  }

  /** All but those that never hold a run. */
  static Stream<String> eachFailureTypeIsAReasonOfItsOwn() {
    return Arrays.stream(FailureType.class.getFields())
        .map(StepFailureTest::value)
        .filter(type -> !type.equals(FailureType.OUTDATED))
        .filter(type -> !type.equals(FailureType.RESOURCE_GONE));
  }

  @Test
  void anyOtherFailureIsBlocked() {
    StepFailure failure = StepFailure.of(failure("java.lang.IllegalStateException"));

    assertThat(failure.type()).isEqualTo(Reasons.BLOCKED);
    assertThat(failure.mayPass()).isTrue();
  }

  private static ActivityFailure failure(String type) {
    return new ActivityFailure(
        "failed",
        5,
        6,
        "Observe",
        "activity-1",
        RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE,
        "worker-1",
        ApplicationFailure.newNonRetryableFailure("why", type));
  }

  private static String value(Field constant) {
    try {
      return (String) constant.get(null);
    } catch (IllegalAccessException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
