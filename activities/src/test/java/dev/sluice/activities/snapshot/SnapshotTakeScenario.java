package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Jobs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An attempt to take a snapshot of a job that runs, with one savepoint at a time. */
abstract class SnapshotTakeScenario {

  static final String ID = "00000000000000000000000000000002";
  static final String PATH = "file:/savepoints/savepoint-ab12cd-77";
  static final ActGuard LEASED = () -> true;

  final TestClock clock = new TestClock();
  final FakeFlink flink = new FakeFlink().running();
  final SavepointLimiter limiter = new SavepointLimiter(1, clock, new SimpleMeterRegistry());
  SavepointSpec spec = new SavepointSpec(null, null, null, null);
  CheckpointType checkpointType = CheckpointType.FULL;
  @Nullable String madeFor = FakeFlink.JOB;
  boolean exists = true;
  private final FlinkDeployment orders = Deployed.orders("default");

  /** The newest operation on the job. */
  void operation(OperationType type, OperationState state) {
    orders.setStatus(
        FlinkDeploymentStatus.EMPTY.withOperation(
            OperationStatus.EMPTY.withType(type).withState(state)));
  }

  private Optional<SnapshotJob> owner() {
    return exists
        ? Optional.of(
            new SnapshotJob("FlinkDeployment", Stored.of(orders), Jobs.cluster(madeFor, Map.of())))
        : Optional.empty();
  }

  TakeSnapshot attempt(boolean fresh, boolean mayTrigger) {
    return new TakeSnapshot(
        new TakeRequest(
            Jobs.RESOURCE,
            new Trigger(ID, FakeFlink.JOB, clock.millis()),
            mayTrigger,
            clock.in(Duration.ofMinutes(10))),
        new TakeSnapshot.Subject(
            "FlinkDeployment default/orders",
            new FlinkStateSnapshotSpec(
                null, spec, spec == null ? new CheckpointSpec(checkpointType) : null, null),
            this::owner,
            Jobs.ENDPOINT,
            "; if it was completed, it is in s3://there"),
        flink,
        fresh,
        limiter.slot(),
        clock);
  }

  static Outcome outcome(ProbeResult<Outcome> result) {
    assertThat(result).isInstanceOf(ProbeResult.Done.class);
    return ((ProbeResult.Done<Outcome>) result).result();
  }

  static ProbeResult<Outcome> look(TakeSnapshot take) {
    return take.look(LEASED);
  }
}
