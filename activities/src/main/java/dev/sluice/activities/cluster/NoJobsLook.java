package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.workflows.activity.ClusterActivities.AwaitNoJobsRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;

/** Looks whether what holds the deletion of a session cluster has changed. */
final class NoJobsLook {

  private final AwaitNoJobsRequest request;
  private final Endpoint endpoint;
  private final SessionJobsCheck check;
  private final ClusterAccess access;

  /** Blocks for two calls to the API server. */
  NoJobsLook(AwaitNoJobsRequest request, SessionJobsCheck check, ClusterAccess access) {
    this.request = request;
    this.endpoint = check.endpoint();
    this.check = check;
    this.access = access;
  }

  ProbeResult<HeldDeletion> look() {
    return judge(check.held(check.ask(endpoint)));
  }

  private ProbeResult<HeldDeletion> judge(HeldDeletion now) {
    boolean late = access.clock().millis() >= request.deadlineMs();
    // jobs that come and go are no news as long as there are any
    boolean known = now.reason() != null && now.reason().equals(request.known().reason());
    return known && !late ? ProbeResult.notYet(now.message()) : ProbeResult.done(now);
  }
}
