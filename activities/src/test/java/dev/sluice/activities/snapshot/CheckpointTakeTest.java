package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.CheckpointOperation;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A checkpoint in place of a savepoint. */
class CheckpointTakeTest extends SnapshotTakeScenario {

  /** An upgrade that stops its job with a savepoint must not wait for checkpoints. */
  @Test
  void aCheckpointTakesNoSavepointSlot() {
    spec = null;
    TakeSnapshot take = attempt(true, true);
    look(take);
    look(take);

    assertThat(flink.effects).containsExactly("checkpoint " + ID + " FULL");
    assertThat(limiter.inUse()).isZero();
  }

  @Test
  void aCheckpointWaitsForNoSavepoint() {
    spec = null;
    assertThat(limiter.slot().acquire()).isTrue();

    look(attempt(true, true));

    assertThat(flink.effects).containsExactly("checkpoint " + ID + " FULL");
  }

  @Test
  void aCheckpointHasThePathThatFlinkTellsOfItsId() {
    spec = null;
    TakeSnapshot take = attempt(true, true);
    look(take);
    flink.checkpoint(ID, new CheckpointOperation.Completed(24));
    assertThat(look(take)).as("the statistics are late").isInstanceOf(ProbeResult.NotYet.class);

    flink.completed(
        new Checkpoints.Completed(
            24, Checkpoints.Kind.CHECKPOINT, Optional.of("file:/chk-24"), false, Instant.EPOCH));

    assertThat(((Outcome.Taken) outcome(look(take))).path()).isEqualTo("file:/chk-24");
    assertThat(flink.effects).containsExactly("checkpoint " + ID + " FULL");
  }

  @ParameterizedTest
  @EnumSource
  void aCheckpointIsOfTheTypeThatIsAskedFor(CheckpointType type) {
    spec = null;
    checkpointType = type;

    look(attempt(true, true));

    assertThat(flink.effects).containsExactly("checkpoint " + ID + " " + type);
  }

  @Test
  void aCheckpointWhosePathFlinkDoesNotTellIsTakenAllTheSame() {
    spec = null;
    TakeSnapshot take = attempt(true, true);
    look(take);
    flink.checkpoint(ID, new CheckpointOperation.Completed(24));
    look(take);
    clock.advance(Duration.ofSeconds(30));

    assertThat(((Outcome.Taken) outcome(look(take))).path()).isNull();
  }
}
