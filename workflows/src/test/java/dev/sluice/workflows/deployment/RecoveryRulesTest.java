package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.plan.Sights.alive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import dev.sluice.workflows.plan.Sights;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether a job is still lost, and how many attempts count. */
class RecoveryRulesTest {

  private static final JobObservation RUNS = alive(FlinkJobState.RUNNING, 2, Times.UNKNOWN);
  private static final JobObservation SILENT = new Unreachable("no answer", "old");
  private static final JobObservation ABSENT = new Absent("old");

  private static JobObservation ended(FlinkJobState state) {
    return new Ended("old", state, new StateRef.Empty("none"), false);
  }

  static Stream<Arguments> losses() {
    HighAvailability off = HighAvailability.OFF;
    HighAvailability ha = HighAvailability.NO_METADATA;
    RecoveryCause missing = RecoveryCause.JOB_MANAGER_MISSING;
    RecoveryCause failed = RecoveryCause.JOB_FAILED;
    return Stream.of(
        Arguments.of(missing, false, off, SILENT, "lost"),
        Arguments.of(missing, true, off, RUNS, "not lost"),
        Arguments.of(failed, true, off, RUNS, "not lost"),
        Arguments.of(failed, true, off, ended(FlinkJobState.FAILED), "lost"),
        Arguments.of(failed, true, off, ended(FlinkJobState.CANCELED), "not lost"),
        Arguments.of(failed, false, off, SILENT, "not lost"),
        Arguments.of(failed, true, off, SILENT, "not known"),
        // without high availability the JobManager may not have begun it yet
        Arguments.of(failed, true, off, ABSENT, "not known"),
        // with it Flink remembers that the job has ended, and does not list it
        Arguments.of(failed, true, ha, ABSENT, "lost"),
        Arguments.of(RecoveryCause.UNHEALTHY, true, off, ended(FlinkJobState.CANCELED), "not lost"),
        Arguments.of(RecoveryCause.UNHEALTHY, true, off, RUNS, "lost"));
  }

  @ParameterizedTest(name = "{0}, cluster {1}, {2}, {3}: {4}")
  @MethodSource("losses")
  void aLossIsKnown_orNot(
      RecoveryCause cause,
      boolean cluster,
      HighAvailability availability,
      JobObservation job,
      String expected) {
    var seen = Sights.of(cluster, availability, job);
    boolean still = Recovery.isStillLost(seen, cause, new SeenUnhealthy(null, null, null), 0);

    assertThat(Recovery.isUnknown(seen) ? "not known" : still ? "lost" : "not lost")
        .isEqualTo(expected);
  }

  /** It was seen unhealthy at 5,000 ms; a minute and a half without a restart heals it. */
  @ParameterizedTest(name = "{0} of job {1}, checkpoint at {2} ms, up for {3} ms: lost {4}")
  @CsvSource({
    "RUNNING,    old,   4999, 0,     true",
    "RUNNING,    old,   5001, 0,     false",
    "RESTARTING, old,   5001, 0,     true",
    "RUNNING,    old,   0,    89999, true",
    "RUNNING,    old,   0,    90000, false",
    "RUNNING,    other, 0,    0,     false",
  })
  void aJobThatWasUnhealthyIsLostUntilItHeals(
      FlinkJobState state, String unhealthy, long checkpointAtMs, long upForMs, boolean lost) {
    long now = 900_000;
    Times times = new Times(now, 1_000, checkpointAtMs, 0, upForMs == 0 ? 0 : now - upForMs, 0);
    JobObservation job = alive(state, state == FlinkJobState.RUNNING ? 2 : 0, times);

    assertThat(
            Recovery.isStillLost(
                Sights.of(true, HighAvailability.OFF, job),
                RecoveryCause.UNHEALTHY,
                new SeenUnhealthy(unhealthy, null, 90_000L),
                5_000))
        .isEqualTo(lost);
  }

  @ParameterizedTest(name = "{0} attempts, up since {1}: {2} count")
  @CsvSource({
    "1, 2026-11-21T09:59:00Z, 1",
    "4, 2026-11-21T09:30:01Z, 4",
    "4, 2026-11-21T09:30:00Z, 0",
    "5, 2026-11-20T10:00:00Z, 0",
    "5,                     , 5",
    "5, edited by somebody,   5",
    " ,                     , 0",
  })
  void attemptsCountUntilTheJobWasStableForHalfAnHour(
      Integer attempts, String since, int expected) {
    RecoveryStatus before = new RecoveryStatus(attempts, since, RecoveryCause.JOB_FAILED);

    assertThat(Recovery.counted(before, Instant.parse("2026-11-21T10:00:00Z").toEpochMilli()))
        .isEqualTo(expected);
  }
}
