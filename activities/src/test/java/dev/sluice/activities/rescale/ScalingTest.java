package dev.sluice.activities.rescale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Stats;
import dev.sluice.workflows.model.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What tasks may start again from. */
class ScalingTest {

  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  private final FakeFlink flink = new FakeFlink().running().unchangedSince(FakeFlink.BEGUN, NOW);
  private final Scaling scaling =
      new Scaling(
          flink, Endpoint.of(new ClusterRef("ns", "orders")), null, FakeFlink.JOB, null, null);

  private Optional<String> problem(Kind kind, boolean discarded, long triggered, Long completed) {
    Completed newest =
        new Completed(
            7,
            kind,
            Optional.of("file:/s/7"),
            discarded,
            NOW.minusSeconds(triggered),
            Optional.ofNullable(completed).map(NOW::minusSeconds));
    flink.checkpoints(Stats.none().newest(newest).build());
    return scaling.noCheckpoint(Instant.EPOCH);
  }

  @ParameterizedTest(name = "an interval of {0} s, triggered {1} s ago, completed {2} s ago: {3}")
  @CsvSource({
    "60, 120, , true",
    "60, 121, , false",
    "1, 60, , true",
    "1, 61, , false",
    "600, 900, , true",
    "60, 420, 120, true",
    "60, 421, 121, false"
  })
  void aCheckpointMayBeAsOldAsTwoIntervalsOrAMinute(
      long interval, long triggered, Long completed, boolean may) {
    flink.checkpointing(Duration.ofSeconds(interval), Duration.ofMinutes(10));
    assertThat(problem(Kind.CHECKPOINT, false, triggered, completed).isEmpty()).isEqualTo(may);
  }

  @ParameterizedTest
  @CsvSource({"CHECKPOINT, true", "SAVEPOINT, false"})
  void whatFlinkHasDeletedAndASavepointAreNone(Kind kind, boolean discarded) {
    flink.checkpointing(Duration.ofMinutes(1), Duration.ofMinutes(10));
    assertThat(problem(kind, discarded, 5, 5L))
        .contains("the job has no checkpoint since its JobManager started");
  }

  @Test
  void aJobThatTakesNoneByItselfMayHaveAnOldOne() {
    assertThat(problem(Kind.CHECKPOINT, false, 5, 5L))
        .contains("the job takes no checkpoints, from which its tasks could start again");
  }
}
