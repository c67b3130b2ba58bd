package dev.sluice.controller.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ApplicationChangeFilterTest {

  private final ApplicationChangeFilter filter = new ApplicationChangeFilter();
  private final FlinkApplication before = ApplicationScene.deploying().resource();

  static Stream<ApplicationScene> changes() {
    return Stream.of(
        ApplicationScene.deploying().generation(8),
        ApplicationScene.deploying().annotated("sluice.dev/abort", "1"),
        ApplicationScene.deploying().deleting(),
        ApplicationScene.deploying().phase(ApplicationPhase.SAVEPOINTING),
        ApplicationScene.deploying().target(null, 7, ApplicationScene.NEW_JOB),
        ApplicationScene.deploying().operation(OperationType.DEPLOY, OperationState.PARKED, 7));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void what_somebody_asks_for_and_what_the_workflow_says_is_looked_at(ApplicationScene now) {
    assertThat(filter.accept(now.resource(), before)).isTrue();
  }

  @Test
  void what_the_controller_writes_itself_is_not() {
    FlinkApplication now =
        ApplicationScene.deploying()
            .status(
                it ->
                    it.withObservedGeneration(7L)
                        .withJobStatus(ApplicationJobStatus.EMPTY.withJobID("1")))
            .resource();

    assertThat(filter.accept(now, before)).isFalse();
  }
}
