package dev.sluice.workflows.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RestorePointTest {

  private static final StateRef METADATA = new StateRef.HaMetadata("old");

  @Test
  void aJobThatGoesOnFromItsMetadataKeepsItsId() {
    assertThat(RestorePoint.of(METADATA, null, "new"))
        .isEqualTo(new RestorePoint(METADATA, "old", "old"));
  }

  @Test
  void fromASavepointAnotherJobIsStarted() {
    StateRef savepoint = new StateRef.Savepoint("s3://sp-6");

    assertThat(RestorePoint.of(savepoint, "old", "new"))
        .isEqualTo(new RestorePoint(savepoint, "old", "new"));
  }

  @Test
  void whatTheLastStableJobLeftStaysKnownWhenALaterJobIsLeft() {
    StateRef ofStable = new StateRef.Savepoint("s3://sp-5");
    StateRef later = new StateRef.Savepoint("s3://sp-6");
    RestorePoint before = new RestorePoint(ofStable, "job-5", "job-6");

    RestorePoint second = new RestorePoint(later, "job-6", "job-7").after(before);
    RestorePoint third =
        new RestorePoint(new StateRef.Savepoint("s3://sp-7"), "job-7", "job-8").after(second);

    assertThat(before.leftByStable()).isEqualTo(ofStable);
    assertThat(second.state()).isEqualTo(later);
    assertThat(second.leftByStable()).isEqualTo(ofStable);
    assertThat(second.again("job-7", "job-9").leftByStable()).isEqualTo(ofStable);
    assertThat(third.leftByStable()).isEqualTo(ofStable);
    assertThat(third.settled().leftByStable()).isEqualTo(third.state());
  }

  @Test
  void metadataThatALaterJobHasUsedIsNotWhatIsGoneBackTo() {
    RestorePoint before = RestorePoint.of(METADATA, "old", "old");
    StateRef later = new StateRef.Savepoint("s3://sp-6");

    assertThat(new RestorePoint(later, "old", "new").after(before).leftByStable()).isEqualTo(later);
  }

  @Test
  void thatAJobWasUpIsKnownUntilTheOperationIsOver() {
    RestorePoint before = new RestorePoint(new StateRef.Savepoint("s3://sp-6"), "old", "new");

    RestorePoint up = before.up("new");

    assertThat(before.wasUp("new")).isFalse();
    assertThat(before.wasUp(null)).isFalse();
    assertThat(up.wasUp("new")).isTrue();
    assertThat(up.again("new", "newer").wasUp("new")).isTrue();
    assertThat(up.again("new", "newer").wasUp("newer")).isFalse();
    assertThat(up.settled()).isEqualTo(before);
  }

  @Test
  void ofAJobThatIsNotStartedFromItNothingIsNoted() {
    RestorePoint before = new RestorePoint(new StateRef.Savepoint("s3://sp-6"), "old", "new");

    assertThat(before.up("old")).isEqualTo(before);
  }

  @Test
  void noOtherJobGoesOnFromMetadata() {
    assertThatThrownBy(() -> new RestorePoint(METADATA, "old", "new"))
        .hasMessageContaining("cannot go on from high-availability metadata of job old");
  }
}
