package dev.sluice.activities.sessionjob;

import dev.sluice.activities.deployment.StartSnapshot;
import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.deployment.StoredJobResource;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.sessionjob.Submission;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A FlinkSessionJob named {@code totals} on the session cluster {@code orders}, for tests. */
public final class SessionJobs {

  public static final String CLUSTER_UID = "uid-of-the-cluster";
  public static final FlinkSessionJobSpec SPEC =
      new FlinkSessionJobSpec(
          "orders",
          JobSpec.of("https://example.com/job.jar", 2, UpgradeMode.SAVEPOINT),
          null,
          null);

  private SessionJobs() {}

  public static FlinkSessionJob totals() {
    FlinkSessionJob job = new FlinkSessionJob();
    job.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("totals")
            .withUid(Refs.UID)
            .withGeneration(1L)
            .build());
    job.setSpec(SPEC);
    return job;
  }

  /** One to be created. */
  public static FlinkSessionJob in(String namespace, String name) {
    FlinkSessionJob job = new FlinkSessionJob();
    job.setMetadata(new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
    job.setSpec(SPEC);
    return job;
  }

  /** Generation 1 is frozen. */
  public static FlinkSessionJob frozen(FlinkSessionJob job, ReconciliationState state) {
    String json = new FrozenSessionJob(job.getSpec(), 1, true).toJson();
    job.setStatus(
        job.getStatus()
            .withReconciliationStatus(
                ReconciliationStatus.EMPTY.withState(state).withLastReconciledSpec(json)));
    return job;
  }

  /** Flink was asked to run that job, for generation 1. */
  public static FlinkSessionJob submitted(
      FlinkSessionJob job, String jobId, @Nullable String jobManager, @Nullable Boolean removed) {
    FlinkSessionJobStatus status = job.getStatus();
    job.setStatus(
        status.withSubmission(new Submission(jobId, 1L, "c1", jobManager, removed, null)));
    return job;
  }

  public static FlinkDeployment cluster(Map<String, String> configuration) {
    FlinkDeploymentSpec base = Deployed.SPEC.withJob(null);
    FlinkDeploymentSpec spec = base.withConfiguration(base.configuration().withAll(configuration));
    FlinkDeployment cluster = new FlinkDeployment();
    cluster.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("orders")
            .withUid(CLUSTER_UID)
            .build());
    cluster.setSpec(spec);
    cluster.setStatus(deployed(cluster.getStatus(), spec));
    return cluster;
  }

  /** The status of a cluster with that spec. */
  public static FlinkDeploymentStatus deployed(
      FlinkDeploymentStatus status, FlinkDeploymentSpec spec) {
    String json = new FrozenSpec(spec, 1, true).toJson();
    return status.withReconciliationStatus(
        ReconciliationStatus.EMPTY
            .withState(ReconciliationState.DEPLOYED)
            .withLastReconciledSpec(json)
            .withLastStableSpec(json));
  }

  /** Its operation waits until its jobs are suspended. */
  public static FlinkDeployment suspendingJobs() {
    FlinkDeployment cluster = cluster(Map.of());
    cluster.setStatus(
        cluster
            .getStatus()
            .withReconciliationStatus(
                cluster.getStatus().reconciliationStatus().withState(ReconciliationState.UPGRADING))
            .withOperation(
                OperationStatus.EMPTY
                    .withState(OperationState.RUNNING)
                    .withStep("SuspendSessionJobs")));
    return cluster;
  }

  /** The same that is to be replaced by one of generation 2, which says something else. */
  public static FlinkDeployment replaced(
      FlinkDeployment cluster, UnaryOperator<FlinkDeploymentSpec> change) {
    String json = new FrozenSpec(change.apply(cluster.getSpec()), 2, false).toJson();
    cluster.setStatus(
        cluster
            .getStatus()
            .withReconciliationStatus(
                cluster
                    .getStatus()
                    .reconciliationStatus()
                    .withState(ReconciliationState.UPGRADING)
                    .withLastReconciledSpec(json)));
    return cluster;
  }

  public static StoredResource stored(FlinkSessionJob job, @Nullable FlinkDeployment cluster) {
    return new StoredSessionJob(
        job,
        new SessionPlace(cluster == null ? null : Stored.of(cluster)),
        new StoredJobResource.Starts(StartSnapshot.NONE, StableAfter.NONE));
  }
}
