package dev.sluice.api.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

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
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The reference is complete: whoever adds a field or a constant must say there what it means. */
class FlinkDeploymentPageTest {

  private static final String PAGE = "flinkdeployment.md";
  private static final PageSection SPEC = PageSection.of(PAGE, "Spec");
  private static final PageSection STATUS = PageSection.of(PAGE, "Status");
  private static final PageSection ANNOTATIONS = PageSection.of(PAGE, "Annotations");
  private static final List<String> WITH_PARTS = List.of("ingress", "jobManager", "taskManager");

  static Stream<String> names(Class<?> type) {
    return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName);
  }

  private static Stream<String> below(String field, Class<?> type) {
    return names(type).map(name -> field + "." + name);
  }

  private static Stream<String> values(Class<?> constants) {
    return Arrays.stream(constants.getFields()).map(FlinkDeploymentPageTest::value);
  }

  private static String value(Field constant) {
    try {
      return String.valueOf(constant.get(null));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theTablesHaveTheFieldsOfTheSpecAndNoOther() {
    assertThat(SPEC.namesWith("field of `spec`"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(
                    names(FlinkDeploymentSpec.class).filter(it -> !WITH_PARTS.contains(it)),
                    below("ingress", IngressSpec.class),
                    below("jobManager", JobManagerSpec.class),
                    below("taskManager", TaskManagerSpec.class))
                .flatMap(names -> names)
                .toList());
    assertThat(SPEC.namesWith("field of `spec.job`"))
        .containsExactlyInAnyOrderElementsOf(names(JobSpec.class).toList());
    assertThat(SPEC.words("jobManager.resource")).containsAll(names(Resource.class).toList());
  }

  @Test
  void theTablesHaveTheFieldsOfTheStatusAndNoOther() {
    assertThat(STATUS.namesWith("field of `status`"))
        .containsExactlyInAnyOrderElementsOf(names(FlinkDeploymentStatus.class).toList());
    assertThat(STATUS.namesWith("field"))
        .containsExactlyInAnyOrderElementsOf(names(OperationStatus.class).toList());
  }

  static Stream<Arguments> nested() {
    return Stream.of(
            row("jobStatus", names(JobStatus.class)),
            row("reconciliationStatus", names(ReconciliationStatus.class)),
            row("requests", names(HandledRequests.class)),
            row("type", Arrays.stream(OperationType.values())),
            row("state", Arrays.stream(OperationState.values())))
        .flatMap(rows -> rows);
  }

  private static Stream<Arguments> row(String row, Stream<?> words) {
    return words.map(word -> arguments(row, word.toString()));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("nested")
  void theRowOfAFieldHasItsFieldsOrValues(String row, String word) {
    assertThat(STATUS.words(row)).contains(word);
  }

  @Test
  void thereIsARowForEachAnnotation() {
    assertThat(ANNOTATIONS.namesWith("annotation")).containsAll(values(Annotations.class).toList());
  }

  @Test
  void eachFinalizerIsNamedBesideTheAnnotations() {
    assertThat(ANNOTATIONS.wordsOf("A FlinkDeployment carries the finalizer "))
        .containsAll(values(Finalizers.class).toList());
  }
}
