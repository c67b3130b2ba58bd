package dev.sluice.e2e.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StepTest {

  @Test
  void aTypeThatComesAgainIsAnotherStep() {
    assertThat(Step.of(List.of("RecordVersions", "CutOver", "RecordVersions")))
        .extracting(Step::toString)
        .containsExactly("RecordVersions", "CutOver", "RecordVersions 2");
  }

  @Test
  void noStepOfAnOperationComesTwice() {
    assertThat(Kind.allOperations())
        .allSatisfy(it -> assertThat(it.steps()).isNotEmpty().doesNotHaveDuplicates());
  }

  @Test
  void noTwoOperationsHaveOneName() {
    assertThat(Kind.allOperations()).extracting(Operation::toString).doesNotHaveDuplicates();
  }
}
