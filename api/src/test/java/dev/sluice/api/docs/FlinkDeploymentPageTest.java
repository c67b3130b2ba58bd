package dev.sluice.api.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Annotations;
import dev.sluice.api.Finalizers;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.Resource;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference is complete: whoever adds a field or a constant must say what it means. */
class FlinkDeploymentPageTest {
  static Stream<String> fields() {
    return Stream.of(
            FlinkDeploymentSpec.class,
            JobSpec.class,
            JobManagerSpec.class,
            TaskManagerSpec.class,
            Resource.class,
            IngressSpec.class,
            FlinkDeploymentStatus.class,
            JobStatus.class,
            ReconciliationStatus.class,
            OperationStatus.class,
            HandledRequests.class)
        .flatMap(type -> Arrays.stream(type.getRecordComponents()))
        .map(RecordComponent::getName)
        .distinct();
  }

  static Stream<String> constants() {
    return Stream.of(
            ConditionTypes.class,
            Reasons.class,
            EventReasons.class,
            Annotations.class,
            Finalizers.class)
        .flatMap(type -> Arrays.stream(type.getFields()))
        .map(FlinkDeploymentPageTest::value);
  }

  static Stream<String> values() {
    return Stream.concat(
            Arrays.stream(OperationType.values()), Arrays.stream(OperationState.values()))
        .map(Object::toString);
  }

  private static String value(Field constant) {
    try {
      return String.valueOf(constant.get(null));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"fields", "constants", "values"})
  void isOnThePage(String word) {
    assertThat(ReferencePage.words()).contains(word);
  }
}
