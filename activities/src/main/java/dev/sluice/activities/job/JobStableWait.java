package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.api.common.StableAfter;
import dev.sluice.workflows.activity.JobActivities.AwaitStableRequest;
import dev.sluice.workflows.activity.JobActivities.StableJob;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits until a job that came up is stable, and goes on being up meanwhile. */
final class JobStableWait {

  private final StabilityCheck check;
  private final JobUpWait<StableJob> wait;

  /**
   * @param live what the resource asks for now; may block, empty when that cannot be understood
   */
  JobStableWait(
      AwaitStableRequest request,
      JobTarget target,
      ClusterAccess access,
      FlinkRest flink,
      Supplier<Optional<StableAfter>> live) {
    this.check =
        new StabilityCheck(
            request,
            target,
            flink,
            access.clock(),
            new WantedStability(request.wanted(), live, access.background(), access.clock()));
    this.wait = new JobUpWait<>(request.job(), target, access, flink, check);
  }

  ProbeResult<StableJob> look() {
    return wait.look();
  }

  /** By how much it may take longer than until the deadline of the request, in ms. */
  long extensionMs() {
    return check.extensionMs();
  }
}
