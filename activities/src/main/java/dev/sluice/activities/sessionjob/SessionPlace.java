package dev.sluice.activities.sessionjob;

import dev.sluice.activities.cluster.ClusterEvidence;
import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.sessionjob.SessionClusterWords;
import dev.sluice.api.validation.SessionJobValidation.SessionCluster;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.Step;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;
import java.util.function.Supplier;
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
                    deployment,
                    jobManager == null ? null : ClusterAnnotations.generation(jobManager))
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

  SessionCluster known() {
    return spec()
        .map(
            it ->
                new SessionCluster(
                    true, it.target().flinkVersion(), it.configuration(), !it.target().session()))
        .orElse(SessionCluster.MISSING);
  }

  /**
   * What the job waits for; empty when its cluster may be asked.
   *
   * @param name the FlinkDeployment that the job names
   * @param place the FlinkDeployment as it was read
   * @param host the same as a reference; empty when there is none
   * @param cluster the objects of its cluster; asked for only when the rest is as it should be
   */
  static Optional<String> waitsFor(
      String name,
      SessionPlace place,
      Optional<ResourceRef> host,
      Supplier<ClusterObjects> cluster) {
    Optional<String> awaits = waitsFor(name, place);
    if (awaits.isPresent() || host.isEmpty()) {
      return awaits;
    }
    ClusterObjects objects = cluster.get();
    return ClusterEvidence.deployment(objects, host.get()).isPresent()
        ? Optional.empty()
        : Optional.of(
            "the session cluster of FlinkDeployment %s is not there: %s"
                .formatted(name, ClusterEvidence.absence(objects, host.get())));
  }

  /** The same, by what the FlinkDeployment says alone. */
  static Optional<String> waitsFor(String name, SessionPlace place) {
    String deployment = "FlinkDeployment " + name;
    StoredResource there = place.deployment();
    if (there == null) {
      return Optional.of(SessionClusterWords.missing(name) + ". " + SessionClusterWords.CREATE);
    }
    if (there.metadata().getDeletionTimestamp() != null) {
      return Optional.of(SessionClusterWords.deleting(name));
    }
    if (place.known().application()) {
      return Optional.of(SessionClusterWords.application(name) + ". " + SessionClusterWords.RENAME);
    }
    if (place.spec().isEmpty()) {
      return Optional.of(deployment + " is not deployed yet");
    }
    return there.observed().phase() == Observation.Phase.IDLE
        ? Optional.empty()
        : Optional.of(deployment + " is being upgraded");
  }
}
