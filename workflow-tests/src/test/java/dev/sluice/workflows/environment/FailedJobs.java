package dev.sluice.workflows.environment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that have failed while an operation waited for them. Kubernetes must not begin one again
 * while a person is asked what is to become of it: what it had done would be lost.
 */
final class FailedJobs {

  private final Set<String> seen = new LinkedHashSet<>();
  private final Set<String> heldFor = new LinkedHashSet<>();

  /** An operation has seen that a job failed, and what it left. */
  void observed(Observation now) {
    if (now.begun()
        && now.job() instanceof Ended job
        && job.state() == FlinkJobState.FAILED
        && job.newest().pathOrNull() != null) {
      seen.add(job.jobId());
    }
  }

  /**
   * An operation says that it is held for that.
   *
   * @param flink the JobManager; null when it does not answer: then nothing is known any more
   */
  void reported(OperationReport report, @Nullable JobManagerProcess flink) {
    FlinkJob job = flink == null ? null : flink.job();
    if (job != null
        && job.state() == FlinkJobState.FAILED
        && FailureType.JOB_FAILED.equals(report.reason())
        && seen.contains(job.jobId)) {
      heldFor.add(job.jobId);
    }
  }

  /** Whether nobody knows any more what such a job left, with high availability. */
  boolean isForgotten(OperationReport report, @Nullable Deployment own) {
    return own != null
        && own.spec().shape().highAvailability()
        && heldFor.contains(own.jobId())
        && FailureType.STATE_NOT_FOUND.equals(report.reason());
  }

  /** Whether such a job begins again with less than it had. */
  boolean beginsAgain(JobManagerProcess process, FlinkJob again) {
    FlinkJob before = process.jobBefore();
    return before != null
        && heldFor.contains(again.jobId)
        && before.state() == FlinkJobState.FAILED
        && again.progress() < Snapshot.progress(before.newestEver());
  }
}
