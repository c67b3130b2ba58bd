package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.job.SlotQueue;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.snapshot.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** An attempt to take a snapshot of a job that runs, with one savepoint at a time. */
abstract class SnapshotTakeScenario {

  static final String ID = "00000000000000000000000000000002";
  static final String EARLIER = "00000000000000000000000000000001";
  static final String PATH = "file:/savepoints/savepoint-ab12cd-77";
  static final ActGuard LEASED = () -> true;

  final TestClock clock = new TestClock();
  final FakeFlink flink = new FakeFlink().running();
  final SavepointLimiter limiter = new SavepointLimiter(1, 1);
  SavepointSpec spec = new SavepointSpec(null, null, null, null);
  CheckpointType checkpointType = CheckpointType.FULL;
  Supplier<Optional<StoppedJob.Stop>> stopped = Optional::empty;

  SnapshotTake attempt(boolean mayTrigger, String... earlier) {
    return new SnapshotTake(
        new TakeRequest(
            Jobs.RESOURCE,
            new Trigger(ID, FakeFlink.JOB, clock.millis()),
            List.of(earlier),
            mayTrigger,
            clock.in(Duration.ofMinutes(10))),
        new SnapshotCalls(flink, Jobs.ENDPOINT, FakeFlink.JOB, spec, checkpointType),
        failure -> stopped.get(),
        "; if it was completed, it is in s3://there",
        new SlotQueue(limiter.slot("default", () -> {}), 0, clock),
        clock);
  }

  static Outcome outcome(ProbeResult<Outcome> result) {
    assertThat(result).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<Outcome>) result).result();
  }

  static ProbeResult<Outcome> look(SnapshotTake take) {
    return take.look(LEASED);
  }
}
