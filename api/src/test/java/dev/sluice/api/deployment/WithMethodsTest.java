package dev.sluice.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.UpgradeMode;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Specs and statuses are copied with one value changed. */
class WithMethodsTest {

  static Stream<Arguments> components() {
    return Stream.of(
            FlinkDeploymentSpec.EMPTY,
            FlinkDeploymentStatus.EMPTY,
            JobSpec.of("local:///a.jar", 2, UpgradeMode.SAVEPOINT),
            JobStatus.EMPTY,
            OperationStatus.EMPTY,
            ReconciliationStatus.EMPTY,
            HandledRequests.NONE)
        .flatMap(
            record ->
                Arrays.stream(record.getClass().getRecordComponents())
                    .map(component -> Arguments.of(record, component)));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("components")
  void everyComponentHasAMethodThatCopies(Object record, RecordComponent component)
      throws ReflectiveOperationException {
    String name = component.getName();
    Object value = component.getAccessor().invoke(record);

    Object copy =
        record
            .getClass()
            .getMethod(
                "with" + Character.toUpperCase(name.charAt(0)) + name.substring(1),
                component.getType())
            .invoke(record, value);

    assertThat(copy).isEqualTo(record).isNotSameAs(record);
  }

  @Test
  void onlyThatValueChanges() {
    JobSpec job = JobSpec.of("local:///a.jar", 2, UpgradeMode.SAVEPOINT);

    JobSpec copy = job.withParallelism(4);

    assertThat(copy).isEqualTo(JobSpec.of("local:///a.jar", 4, UpgradeMode.SAVEPOINT));
    assertThat(job.parallelism()).isEqualTo(2);
  }

  @Test
  void aCopyIsNormalizedAsTheOriginalWas() {
    assertThat(FlinkDeploymentSpec.EMPTY.withJobManager(null).jobManager())
        .isEqualTo(JobManagerSpec.DEFAULT);
  }
}
