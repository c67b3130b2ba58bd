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
  void noOtherJobGoesOnFromMetadata() {
    assertThatThrownBy(() -> new RestorePoint(METADATA, "old", "new"))
        .hasMessageContaining("cannot go on from high-availability metadata of job old");
  }
}
