package dev.sluice.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlinkStateSnapshotTest {

  private static FlinkStateSnapshot parse(String spec) {
    return Serialization.unmarshal(
        "---\n{apiVersion: flink.apache.org/v1beta1, kind: FlinkStateSnapshot, spec: %s}"
            .formatted(spec),
        FlinkStateSnapshot.class);
  }

  @Test
  void whatIsNotSaidHasApachesDefaults() {
    FlinkStateSnapshotSpec spec = parse("{savepoint: {}}").getSpec();

    assertThat(spec.failuresAllowed()).isEqualTo(-1);
    assertThat(spec.savepoint().exists()).isFalse();
    assertThat(spec.isDisposedWithResource()).isTrue();
    assertThat(spec.savepoint().format()).isEqualTo(SavepointFormatType.CANONICAL);
    assertThat(spec.savepoint().pathOrNull()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{savepoint: {}} | true",
        "{savepoint: {disposeOnDelete: true}} | true",
        "{savepoint: {disposeOnDelete: false}} | false",
        "{savepoint: {alreadyExists: true, path: p}} | true",
        "{checkpoint: {}} | false",
        "{} | false"
      })
  void onlyTheFilesOfSavepointsGoWithTheResource(String spec, boolean disposed) {
    assertThat(parse(spec).getSpec().isDisposedWithResource()).isEqualTo(disposed);
  }

  /** FLINK-39356: a snapshot with null status never deletable. */
  @Test
  void flink39356StatusThatIsNullSaysNothing() {
    FlinkStateSnapshot snapshot = parse("{checkpoint: {}}");
    snapshot.setStatus(null);

    assertThat(snapshot.getStatus().stateOrPending()).isEqualTo(SnapshotState.TRIGGER_PENDING);
    assertThat(snapshot.getStatus().failureCount()).isZero();
  }

  /** Apache's operator does not record of which job. */
  @Test
  void whatApachesOperatorHasTriggeredIsTakenAgain() {
    FlinkStateSnapshotStatus theirs =
        FlinkStateSnapshotStatus.EMPTY
            .withState(SnapshotState.IN_PROGRESS)
            .withTriggerId("00000000000000000000000000000009");

    assertThat(theirs.isInFlight()).isFalse();
    assertThat(theirs.withJobId("ab12").isInFlight()).isTrue();
  }

  @Test
  void whatIsNotKnownInTheStatusIsLeftOut() {
    assertThat(Serialization.asJson(FlinkStateSnapshotStatus.EMPTY)).isEqualTo("{}");
  }

  @ParameterizedTest
  @CsvSource({
    "TRIGGER_PENDING,false",
    "IN_PROGRESS,false",
    "COMPLETED,true",
    "FAILED,true",
    "ABANDONED,true"
  })
  void threeStatesAreFinal(SnapshotState state, boolean isFinal) {
    assertThat(state.isFinal()).isEqualTo(isFinal);
  }
}
