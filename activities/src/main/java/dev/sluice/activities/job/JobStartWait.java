package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.RunningJob;

/** Waits until every task of a new job is up, then asks what it was restored from. */
final class JobStartWait {

  private final JobUpWait<RunningJob> wait;

  JobStartWait(
      AwaitRunningRequest request, JobTarget target, ClusterAccess access, FlinkRest flink) {
    this.wait =
        new JobUpWait<>(
            request.job(),
            target,
            access,
            flink,
            new RestoreCheck(request, target, flink, access.clock()));
  }

  ProbeResult<RunningJob> look() {
    return wait.look();
  }
}
