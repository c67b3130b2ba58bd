package dev.sluice.activities.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.RecordedState.Type;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OwnedStatusTest {

  @ParameterizedTest
  @MethodSource("points")
  void whatIsRecordedIsReadBack(RestorePoint point) {
    OwnedStatus status = OwnedStatus.EMPTY.withRecorded(point).withRedeployNonce(3L);

    assertThat(status.restorePoint()).isEqualTo(point);
    assertThat(status.upgradeSavepointPath()).isEqualTo(point.state().pathOrNull());
    assertThat(status.startedJob()).isEqualTo(Refs.OTHER_JOB_ID);
  }

  static Stream<RestorePoint> points() {
    StateRef savepoint = new StateRef.Savepoint("s3://b/savepoint-1");
    RestorePoint before = new RestorePoint(savepoint, null, Refs.JOB_ID);
    return Stream.of(
        point(savepoint),
        point(savepoint).initial(savepoint, true),
        point(new StateRef.Checkpoint("s3://b/chk-7")).up(Refs.OTHER_JOB_ID).after(before),
        point(new StateRef.Empty("upgradeMode is stateless")),
        point(new StateRef.HaMetadata(Refs.OTHER_JOB_ID)));
  }

  private static RestorePoint point(StateRef state) {
    return new RestorePoint(state, Refs.JOB_ID, Refs.OTHER_JOB_ID);
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void whatDoesNotSayEnoughIsNotUsed(RecordedState recorded) {
    OwnedStatus status = OwnedStatus.EMPTY.withRecorded(recorded);

    assertThat(status.restorePoint()).isNull();
  }

  static Stream<RecordedState> unusable() {
    return Stream.of(
        new RecordedState(null, "s3://b/x", null, null, Refs.JOB_ID), // of a newer worker
        new RecordedState(Type.SAVEPOINT, null, null, null, Refs.JOB_ID),
        new RecordedState(Type.CHECKPOINT, null, null, null, Refs.JOB_ID),
        new RecordedState(Type.SAVEPOINT, "s3://b/x", null, null, null));
  }

  /** Apache's operator records a path and nothing else. */
  @Test
  void whatTheRunningJobWasStartedFromIsKeptWhoeverRecordedIt() {
    OwnedStatus apaches = apaches("s3://b/sp-5");

    OwnedStatus kept = apaches.keptForRunningJob();

    assertThat(kept.recorded().path()).isEqualTo("s3://b/sp-5");
    assertThat(kept.restorePoint()).isNull();
    assertThat(kept.upgradeSavepointPath()).isNull();
    assertThat(kept.keptForRunningJob()).isEqualTo(kept);
    assertThat(kept.withRunningJob().upgradeSavepointPath()).isEqualTo("s3://b/sp-5");
    assertThat(kept.withRunningJob().restorePoint()).isNull();
  }

  /** An older definition drops the field that tells it apart. */
  @Test
  void whatIsKeptForTheRunningJobIsNotTakenForRecordedWhereItsMarkIsLost() {
    RecordedState recorded = new RecordedState(Type.SAVEPOINT, "s3://b/x", null, null, Refs.JOB_ID);
    RecordedState kept = recorded.withOfRunningJob(true);
    RecordedState pruned =
        new RecordedState(
            kept.type(), kept.path(), kept.reason(), kept.takenFrom(), kept.startedJob());

    whatDoesNotSayEnoughIsNotUsed(pruned);
    assertThat(kept.withOfRunningJob(false)).isEqualTo(recorded);
  }

  @Test
  void whereNothingWasRecordedNothingIsKept() {
    assertThat(OwnedStatus.EMPTY.keptForRunningJob()).isEqualTo(OwnedStatus.EMPTY);
    assertThat(apaches("KUBERNETES_OPERATOR_LAST_STATE").keptForRunningJob())
        .isEqualTo(OwnedStatus.EMPTY);
    assertThat(OwnedStatus.EMPTY.withRunningJob()).isEqualTo(OwnedStatus.EMPTY);
  }

  private static OwnedStatus apaches(String path) {
    return OwnedStatus.EMPTY.withUpgradeSavepointPath(path);
  }
}
