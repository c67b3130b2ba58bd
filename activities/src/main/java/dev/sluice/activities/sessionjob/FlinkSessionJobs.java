package dev.sluice.activities.sessionjob;

import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.kubernetes.AllResources;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.operation.Step;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The FlinkSessionJobs that name a cluster; none where the API server does not know the kind. */
public final class FlinkSessionJobs implements SessionJobSource {

  private final AllResources<FlinkSessionJob> all;

  /** Reads them with {@code client}, each time anew. */
  public FlinkSessionJobs(KubernetesClient client) {
    this.all = new AllResources<>(client, FlinkSessionJob.class, Set.of());
  }

  @Override
  public List<SessionJob> of(ClusterRef cluster) {
    List<SessionJob> found = new ArrayList<>();
    all.forEachServedIn(
        cluster.namespace(),
        it -> {
          if (cluster.clusterId().equals(it.getSpec().deploymentName())) {
            found.add(sessionJob(it));
          }
        });
    return List.copyOf(found);
  }

  static SessionJob sessionJob(FlinkSessionJob job) {
    FlinkSessionJobStatus status = job.getStatus();
    return new SessionJob(
        job.getMetadata().getName(),
        jobId(status),
        sentAt(status),
        status.operation(),
        problem(job));
  }

  /** One that an operation has ended is not on its way any more: the next is not sent yet. */
  private static @Nullable Instant sentAt(FlinkSessionJobStatus status) {
    OperationStatus operation = status.operation();
    Submission submission = status.submission();
    return submission != null
            && !Boolean.TRUE.equals(submission.removed())
            && operation != null
            && operation.isOpen()
            && Step.START_JOB.title().equals(operation.step())
        ? StoredSessionJob.sentAt(submission)
        : null;
  }

  /** Why the controller begins no Upgrade of it while its job runs; null when it does. */
  private static @Nullable String problem(FlinkSessionJob job) {
    FlinkSessionJobStatus status = job.getStatus();
    OperationStatus operation = status.operation();
    if (operation == null || operation.isOpen()) {
      return null;
    }
    boolean invalid =
        status
            .condition(ConditionTypes.READY)
            .filter(it -> Reasons.INVALID_SPEC.equals(it.getReason()))
            .isPresent();
    if (invalid) {
      return "its newest spec is not valid: correct it";
    }
    long target = Objects.requireNonNullElse(operation.targetGeneration(), 0L);
    long known = Math.max(target, Objects.requireNonNullElse(operation.fromGeneration(), 0L));
    // a recovery of the newest spec has given nothing up
    boolean keptAnother =
        (operation.type() == OperationType.ROLLBACK || operation.type() == OperationType.RECOVER)
            && target != known;
    boolean leftBehind =
        keptAnother
            || (operation.type() == OperationType.UPGRADE
                && (operation.state() == OperationState.ABORTED
                    || operation.state() == OperationState.FAILED));
    return leftBehind && Objects.equals(job.getMetadata().getGeneration(), known)
        ? "its last upgrade was given up: apply another spec, or request sluice.dev/retry there"
        : null;
  }

  /** What Flink was asked to run counts before it was seen. */
  private static @Nullable String jobId(FlinkSessionJobStatus status) {
    Submission submission = status.submission();
    if (submission != null) {
      return Boolean.TRUE.equals(submission.removed()) ? null : submission.jobId();
    }
    JobStatus seen = status.jobStatus();
    return seen == null ? null : seen.jobId();
  }
}
