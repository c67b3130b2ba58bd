package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.SessionJobsCheck.NotSuspended;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.activity.ClusterActivities.SuspendSessionJobsRequest;

/** Looks whether the FlinkSessionJobs of a session cluster have suspended their jobs. */
final class SessionJobsLook {

  private final SuspendSessionJobsRequest request;
  private final Endpoint endpoint;
  private final SessionJobsCheck check;
  private final ClusterAccess access;

  /** Blocks for two calls to the API server. */
  SessionJobsLook(SuspendSessionJobsRequest request, SessionJobsCheck check, ClusterAccess access) {
    this.request = request;
    this.endpoint = check.endpoint();
    this.check = check;
    this.access = access;
  }

  ProbeResult<HeldDeletion> look() {
    JobsOverview answer = check.ask(endpoint);
    return judge(check.notSuspended(answer, access.clock().instant()));
  }

  private ProbeResult<HeldDeletion> judge(NotSuspended now) {
    boolean late = access.clock().millis() >= request.deadlineMs();
    boolean news = now.held() && !now.jobs().message().equals(request.known().message());
    return now.jobs().reason() == null || late || news
        ? ProbeResult.done(now.jobs())
        : ProbeResult.notYet(now.jobs().message());
  }
}
