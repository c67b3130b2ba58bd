package dev.sluice.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotState;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SnapshotChangeFilterTest {

  private static final OperationStatus OPERATION =
      OperationStatus.EMPTY.withState(OperationState.RUNNING).withSince("2026-11-21T10:00:00Z");

  private static FlinkStateSnapshot before() {
    FlinkStateSnapshot snapshot = new FlinkStateSnapshot();
    snapshot.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("kept")
            .withUid("uid")
            .withGeneration(1L)
            .withResourceVersion("1")
            .withAnnotations(Map.of("example.com/owner", "me"))
            .build());
    snapshot.setStatus(
        FlinkStateSnapshotStatus.EMPTY
            .withState(SnapshotState.IN_PROGRESS)
            .withOperation(OPERATION));
    return snapshot;
  }

  private static Arguments metadata(String change, Consumer<ObjectMeta> by, boolean expected) {
    FlinkStateSnapshot after = before();
    by.accept(after.getMetadata());
    return arguments(change, after, expected);
  }

  private static Arguments status(
      String change, UnaryOperator<FlinkStateSnapshotStatus> by, boolean expected) {
    FlinkStateSnapshot after = before();
    after.setStatus(by.apply(after.getStatus()));
    return arguments(change, after, expected);
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource
  void whatLeadsToAReconciliation(String change, FlinkStateSnapshot after, boolean expected) {
    assertThat(FlinkStateSnapshotReconciler.isChange(after, before())).isEqualTo(expected);
  }

  static Stream<Arguments> whatLeadsToAReconciliation() {
    return Stream.of(
        metadata("nothing", it -> it.setResourceVersion("2"), false),
        metadata("another one of the name", it -> it.setUid("another"), true),
        metadata("another spec", it -> it.setGeneration(2L), true),
        metadata("a deletion", it -> it.setDeletionTimestamp("2026-11-21T10:00:00Z"), true),
        metadata("a finalizer", it -> it.setFinalizers(List.of("a/b")), true),
        metadata("a request", it -> it.setAnnotations(Map.of("sluice.dev/abort", "now")), true),
        metadata("a label", it -> it.setLabels(Map.of("a", "b")), true),
        status("the state", it -> it.withState(SnapshotState.COMPLETED), true),
        status("the path", it -> it.withPath("s3://b/savepoint-1"), true),
        status("an error", it -> it.withError("the disk is full"), true),
        status(
            "the state of its operation",
            it -> it.withOperation(OPERATION.withState(OperationState.BLOCKED)),
            true),
        status(
            "the message of its operation",
            it -> it.withOperation(OPERATION.withMessage("x")),
            true),
        status(
            "since when its operation waits",
            it -> it.withOperation(OPERATION.withSince("2026-11-21T10:05:00Z")),
            false),
        status(
            "until when its operation waits",
            it -> it.withOperation(OPERATION.withDeadline("2026-11-21T10:05:00Z")),
            false),
        status("what the controller has looked at", it -> it.withObservedGeneration(1L), false));
  }
}
