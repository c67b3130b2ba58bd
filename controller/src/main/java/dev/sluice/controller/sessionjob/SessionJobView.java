package dev.sluice.controller.sessionjob;

import dev.sluice.api.Annotations;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.job.JobView;
import dev.sluice.controller.job.RecoveryDecision;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.sessionjob.SeenCluster.Readiness;
import dev.sluice.controller.status.OperationConditions.Finding;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;

/** What the status of a FlinkSessionJob says of its job. */
final class SessionJobView extends JobView<SeenSessionJob> {

  private final SeenCluster cluster;
  private final boolean clusterReady;

  SessionJobView(SeenSessionJob seen, ReconcileAction decision, Clock clock) {
    super(seen, decision, clock);
    this.cluster = seen.cluster();
    this.clusterReady = cluster.readiness() == Readiness.READY;
  }

  @Override
  protected Condition deployed(String reason, String what) {
    return super.deployed(
        reason, cluster.readiness() == Readiness.DELETING ? what + " " + cluster.advice() : what);
  }

  /** "Unknown" is not "failed": the cluster may be there, and not answer. */
  @Override
  protected Finding silent(String why) {
    return new Finding(
        common.ready(
            clusterReady ? ConditionStatus.UNKNOWN : ConditionStatus.FALSE,
            Reasons.CLUSTER_NOT_READY,
            clusterReady ? why : cluster.advice()),
        common.running(
            cluster.readiness() == Readiness.MISSING
                ? ConditionStatus.FALSE
                : ConditionStatus.UNKNOWN,
            Reasons.CLUSTER_NOT_READY,
            why));
  }

  @Override
  protected String absent() {
    String what =
        "The session cluster of FlinkDeployment %s does not know job %s."
            .formatted(cluster.name(), seen.jobId());
    if (RecoveryDecision.of(seen).isPresent()) {
      return what + " It is started again.";
    }
    return seen.mayHaveEnded()
        ? what
            + " With high availability this means that the job has ended. [A new spec or"
            + " restartNonce starts it.]"
        : what + " [To start it again, annotate with " + Annotations.RETRY + ".]";
  }

  /** No action is required, unless the cluster is not there while no operation is open. */
  @Override
  protected Condition notHeld() {
    boolean byItself = clusterReady || cluster.readiness() == Readiness.NOT_READY;
    return byItself || !seen.wantsJob() || seen.job().isPresent() || seen.end().isPresent()
        ? common.notStalled()
        : common.stalled(Reasons.CLUSTER_NOT_READY, cluster.advice());
  }
}
