package dev.sluice.activities.sessionjob;

import dev.sluice.activities.kubernetes.MadeFor;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.validation.SessionJobValidation.SessionCluster;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.operation.Step;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The FlinkDeployment that a job names, as far as the job goes by it. Pure.
 *
 * @param deployment as it was read; null when there is none
 * @param runs the spec that the cluster was made from, where that counts and not the one that is
 *     being deployed; else null
 */
record SessionPlace(@Nullable StoredResource deployment, @Nullable TargetSpec runs) {

  /** Where a job starts next. */
  SessionPlace(@Nullable StoredResource deployment) {
    this(deployment, null);
  }

  /**
   * The same, as the cluster that is there was made: that of the spec before while the next one
   * waits for its jobs.
   *
   * @param jobManager its Deployment; null when there is none
   */
  SessionPlace asItRuns(@Nullable Deployment jobManager) {
    return deployment == null
        ? this
        : new SessionPlace(
            deployment,
            RunningCluster.spec(
                    deployment, jobManager == null ? null : MadeFor.generation(jobManager))
                .orElse(null));
  }

  /** The spec that is, or is being, deployed; empty before the first. */
  Optional<TargetSpec> spec() {
    return runs != null
        ? Optional.of(runs)
        : deployment == null ? Optional.empty() : deployment.frozen().or(deployment::stable);
  }

  /** Its operation waits until the jobs are suspended, and replaces the cluster then. */
  boolean goes() {
    OperationStatus operation = deployment == null ? null : deployment.status().operation();
    return operation != null
        && operation.isOpen()
        && Step.SUSPEND_SESSION_JOBS.title().equals(operation.step())
        && deployment != null
        && deployment.observed().phase() != Observation.Phase.IDLE;
  }

  /** Its operation is about to begin, and waits for savepoints of jobs on it at most. */
  boolean awaitsSavepoints() {
    OperationStatus operation = deployment == null ? null : deployment.status().operation();
    return operation != null
        && Step.OBSERVE.title().equals(operation.step())
        && (operation.state() == OperationState.RUNNING
            || (operation.state() == OperationState.BLOCKED
                && Reasons.BLOCKED.equals(operation.reason())));
  }

  /** What the cluster is configured with, under the job's own configuration. */
  FlinkConfiguration configuration() {
    return spec().map(TargetSpec::configuration).orElseGet(FlinkConfiguration::empty);
  }

  /** Null when not known. */
  @Nullable FlinkVersion flinkVersion() {
    return spec().map(it -> it.target().flinkVersion()).orElse(null);
  }

  /** What the rules ask for. */
  SessionCluster known() {
    return spec()
        .map(
            it ->
                new SessionCluster(
                    true, it.target().flinkVersion(), it.configuration(), !it.target().session()))
        .orElse(SessionCluster.MISSING);
  }
}
