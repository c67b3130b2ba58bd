package dev.sluice.controller.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SessionJobChangeFilterTest {

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource
  void what_leads_to_a_reconciliation(String change, SessionJobScene after, boolean expected) {
    assertThat(
            FlinkSessionJobReconciler.isChange(
                after.seen().resource(), SessionJobScene.running().seen().resource()))
        .isEqualTo(expected);
  }

  static Stream<Arguments> what_leads_to_a_reconciliation() {
    return Stream.of(
        arguments("nothing", SessionJobScene.running(), false),
        arguments("a new spec", SessionJobScene.changed(), true),
        arguments("a deletion", SessionJobScene.running().deleted(), true),
        arguments(
            "an annotation of ours",
            SessionJobScene.running().annotated("sluice.dev/retry", "now"),
            true),
        arguments(
            "another annotation",
            SessionJobScene.running().annotated("example.com/owner", "me"),
            false),
        arguments(
            "the state of an operation",
            SessionJobScene.running()
                .operation(OperationType.UPGRADE, OperationState.ABORTED, 5L, 6),
            true),
        arguments("another job", SessionJobScene.running().submitted(), true),
        arguments(
            "what was seen of the job", SessionJobScene.running().saw(FlinkJobState.FAILED), false),
        arguments("what was looked at", SessionJobScene.running().observed(6), false));
  }
}
