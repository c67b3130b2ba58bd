package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationType;
import io.temporal.workflow.WorkflowMethod;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationsTest {

  @Test
  void anOperationIsNamedAlikeInTheStatusAndInTemporal() {
    List<String> types =
        Arrays.stream(Operations.class.getClasses())
            .flatMap(it -> Arrays.stream(it.getDeclaredMethods()))
            .filter(it -> !it.isSynthetic())
            .map(it -> it.getAnnotation(WorkflowMethod.class).name())
            .toList();

    assertThat(types).hasSize(9).allMatch(it -> OperationType.of(it).isPresent());
  }
}
