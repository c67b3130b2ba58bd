package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.sessionjob.SessionClusterWords;
import dev.sluice.api.validation.SessionJobValidation.SessionCluster;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.workflows.operation.Step;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The session cluster of a job, as its FlinkDeployment says.
 *
 * @param readiness whether it can run jobs now
 * @param name of its FlinkDeployment
 * @param message why it is not ready, without a full stop; empty when it is
 * @param forRules what the rules for the job have to know of it
 * @param goesSince when the operation was frozen that waits until the jobs are suspended, and then
 *     replaces it; null when none does
 */
record SeenCluster(
    Readiness readiness,
    String name,
    String message,
    SessionCluster forRules,
    @Nullable Instant goesSince) {

  /** One that stays. */
  SeenCluster(Readiness readiness, String name, String message, SessionCluster forRules) {
    this(readiness, name, message, forRules, null);
  }

  /** Whether its operation waits until the jobs are suspended, and replaces it then. */
  boolean goes() {
    return goesSince != null;
  }

  /** Whether a session cluster can run jobs. */
  enum Readiness {
    /** It runs, and no operation changes it. */
    READY,
    /** There is no FlinkDeployment of that name. The job waits for one. */
    MISSING,
    /** It has a job of its own. The job cannot run there. */
    APPLICATION,
    /** It is deployed, upgraded or recovered, or does not answer. The job waits. */
    NOT_READY,
    /** The FlinkDeployment is being deleted. */
    DELETING
  }

  /**
   * What a FlinkDeployment says of the cluster.
   *
   * @param name that the job asks for
   * @param deployment null when there is none of that name
   */
  static SeenCluster of(String name, @Nullable FlinkDeployment deployment) {
    if (deployment == null) {
      return new SeenCluster(
          Readiness.MISSING, name, SessionClusterWords.missing(name), SessionCluster.MISSING);
    }
    SessionCluster rules = rules(deployment);
    if (deployment.getMetadata().getDeletionTimestamp() != null) {
      return new SeenCluster(Readiness.DELETING, name, SessionClusterWords.deleting(name), rules);
    }
    if (rules.application()) {
      return new SeenCluster(
          Readiness.APPLICATION, name, SessionClusterWords.application(name), rules);
    }
    return why(deployment)
        .map(
            why ->
                new SeenCluster(
                    Readiness.NOT_READY,
                    name,
                    "The session cluster of FlinkDeployment " + name + " is not ready: " + why,
                    rules,
                    goesSince(deployment)))
        .orElseGet(() -> new SeenCluster(Readiness.READY, name, "", rules));
  }

  /** What the job waits for, what happens next, and what to do; empty when it is ready. */
  String advice() {
    return switch (readiness) {
      case READY -> "";
      case MISSING ->
          message
              + ". The job waits for it. ["
              + SessionClusterWords.CREATE
              + ", in the same namespace.]";
      case APPLICATION -> message + ". [" + SessionClusterWords.RENAME + ".]";
      case NOT_READY ->
          message.replaceFirst("\\.$", "")
              + ". The job continues automatically once it is ready. [If this takes long, see kubectl describe"
              + " flinkdeployment "
              + name
              + ".]";
      case DELETING ->
          message
              + ", which waits for its session jobs by default. [Delete this resource, too, or wait"
              + " and create the FlinkDeployment again.]";
    };
  }

  /** Why it cannot run jobs now; empty when it can. */
  private static Optional<String> why(FlinkDeployment deployment) {
    var status = deployment.getStatus();
    var reconciliation = status.reconciliationStatus();
    if (reconciliation == null || reconciliation.lastReconciledSpec() == null) {
      return Optional.of("nothing is deployed yet");
    }
    OperationStatus operation = status.operation();
    if (status.isBegun() || (operation != null && operation.isOpen())) {
      return Optional.of(
          (operation == null ? "an operation" : operation.type() + " of it") + " is at work");
    }
    // Ready may be about a newer spec that was not taken, while the cluster runs
    Condition running = status.condition(ConditionTypes.RUNNING).orElse(null);
    if (running == null) {
      return Optional.of("it was not observed yet");
    }
    return ConditionStatus.TRUE.wire().equals(running.getStatus())
        ? Optional.empty()
        : Optional.of(running.getMessage());
  }

  private static @Nullable Instant goesSince(FlinkDeployment deployment) {
    OperationStatus operation = deployment.getStatus().operation();
    ReconciliationStatus reconciliation = deployment.getStatus().reconciliationStatus();
    boolean goes =
        operation != null
            && operation.isOpen()
            && deployment.getStatus().isBegun()
            && Step.SUSPEND_SESSION_JOBS.title().equals(operation.step());
    Long frozenAt = reconciliation == null ? null : reconciliation.reconciliationTimestamp();
    return goes ? Instant.ofEpochMilli(Objects.requireNonNullElse(frozenAt, 0L)) : null;
  }

  private static SessionCluster rules(FlinkDeployment deployment) {
    FrozenSpec frozen = frozen(deployment);
    if (frozen != null) {
      return SessionCluster.of(frozen.effective());
    }
    return asWanted(deployment);
  }

  /** What the rules for the job have to know of a cluster that is to become what its spec says. */
  static SessionCluster asWanted(FlinkDeployment deployment) {
    FlinkDeploymentSpec wanted = deployment.getSpec();
    return new SessionCluster(
        false, wanted.flinkVersion(), wanted.configuration(), wanted.isApplication());
  }

  private static @Nullable FrozenSpec frozen(FlinkDeployment deployment) {
    try {
      return deployment.getStatus().lastReconciled();
    } catch (IllegalArgumentException unreadable) {
      return null;
    }
  }
}
