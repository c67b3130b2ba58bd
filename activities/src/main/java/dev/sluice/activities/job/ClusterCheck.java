package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.JobRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends a wait when its cluster is gone (deleted by hand, or with its namespace) or was replaced by
 * that of another job: no JobManager is left to answer, and the deadline of a savepoint is far
 * away. The cache only raises the suspicion; the API server confirms it. A JobManager that is
 * merely rescheduled, or cannot be scheduled, keeps its Deployment, and the wait goes on.
 */
public final class ClusterCheck<T> {

  private static final Duration CONFIRM = Duration.ofSeconds(5);

  private final JobRef job;
  private final ClusterAccess access;
  private final Throttle confirm;
  private final ProbeResult<T> gone;
  private final boolean session;

  /**
   * @param gone how the wait ends when there is no JobManager Deployment
   * @param session the cluster was made without a job of its own, so that it cannot tell by the job
   *     whether it was replaced
   */
  public ClusterCheck(JobRef job, ClusterAccess access, ProbeResult<T> gone, boolean session) {
    this.session = session;
    this.job = job;
    this.access = access;
    this.confirm = new Throttle(access.clock(), CONFIRM);
    this.gone = gone;
  }

  /** Takes the look, unless the cluster is not that of the job any more. */
  public ProbeResult<T> then(Supplier<ProbeResult<T>> look) {
    if (!access.cache().synced() || !isSuspect() || !confirm.isDue()) {
      return look.get();
    }
    Deployment found;
    try {
      found = access.live().deployment(job.cluster()).orElse(null);
    } catch (RuntimeException unanswered) {
      return look.get();
    }
    if (found == null) {
      return gone;
    }
    return isOther(found)
        ? ProbeResult.failed(FailureType.OUTDATED, outdated(job, ClusterAnnotations.jobId(found)))
        : look.get();
  }

  private boolean isSuspect() {
    return access.cache().deployment(job.cluster()).map(this::isOther).orElse(true);
  }

  private boolean isOther(Deployment deployment) {
    String madeFor = ClusterAnnotations.jobId(deployment);
    return !session && madeFor != null && !madeFor.equals(job.jobId());
  }

  static String outdated(JobRef job, @Nullable String madeFor) {
    return "cluster %s was made for job %s, not for job %s"
        .formatted(job.cluster().display(), madeFor, job.jobId());
  }
}
