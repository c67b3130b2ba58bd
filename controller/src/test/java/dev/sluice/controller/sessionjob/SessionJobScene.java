package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.deployment.DeployedSpec;
import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.job.Observed;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Times;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A FlinkSessionJob and its cluster, for tests: starts as one that was just created. */
final class SessionJobScene {

  static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  static final String JOB = "0".repeat(31) + "1";
  static final String CLUSTER = "0".repeat(31) + "c";
  static final String LANE = "FlinkSessionJob_default_orders_0a1b2c3d";

  private final FlinkSessionJob resource = new FlinkSessionJob();
  private FlinkDeployment deployment = sessionCluster();
  private TemporalAnswers temporal = TemporalAnswers.NOTHING;
  private ObservedJob told = new Pending();

  private SessionJobScene() {
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("orders")
            .withUid("0a1b2c3d-0000-4000-8000-000000000001")
            .withGeneration(1L)
            .withAnnotations(new HashMap<>())
            .build());
    resource.setSpec(
        new FlinkSessionJobSpec(
            "session",
            JobSpec.of("https://repo.example.com/job.jar", 2, UpgradeMode.SAVEPOINT),
            null,
            FlinkConfiguration.empty().toJson()));
  }

  /** Just created, on a session cluster that runs. */
  static SessionJobScene created() {
    return new SessionJobScene();
  }

  /** Generation 6 runs, upgraded from 5; the controller has seen it before. */
  static SessionJobScene running() {
    return new SessionJobScene()
        .generation(6)
        .frozen(6)
        .stable(6)
        .reconciliation(ReconciliationState.DEPLOYED)
        .operation(OperationType.UPGRADE, OperationState.SUCCEEDED, 5L, 6)
        .seenBefore();
  }

  /** Generation 6 runs and generation 7 is in the spec. */
  static SessionJobScene changed() {
    return running().generation(7).parallelism(3);
  }

  /** Generation 7 is being brought to the cluster, and is frozen. */
  static SessionJobScene upgrading() {
    return changed()
        .frozen(7)
        .reconciliation(ReconciliationState.UPGRADING)
        .operation(OperationType.UPGRADE, OperationState.RUNNING, 6L, 7);
  }

  /** A FlinkDeployment whose session cluster runs. */
  static FlinkDeployment sessionCluster() {
    FlinkDeployment cluster = new FlinkDeployment();
    cluster.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("session")
            .withGeneration(3L)
            .build());
    FlinkDeploymentSpec spec = DeployedSpec.valid().withJob(null);
    cluster.setSpec(spec);
    cluster.setStatus(
        cluster
            .getStatus()
            .withReconciliationStatus(
                new ReconciliationStatus(
                    1L, new FrozenSpec(spec, 3, true).toJson(), null, ReconciliationState.DEPLOYED))
            .withConditions(List.of(running("True", "The session cluster runs."))));
    return cluster;
  }

  static Condition running(String status, String message) {
    return new Condition("2026-11-21T09:00:00Z", message, 3L, "Running", status, "Running");
  }

  SessionJobScene cluster(FlinkDeployment other) {
    deployment = other;
    return this;
  }

  /** Its session cluster is upgraded, and waits until its jobs are suspended. */
  SessionJobScene clusterGoes() {
    deployment.setStatus(
        deployment
            .getStatus()
            .withReconciliationStatus(
                deployment
                    .getStatus()
                    .reconciliationStatus()
                    .withReconciliationTimestamp(
                        Instant.parse("2026-11-21T09:30:00Z").toEpochMilli())
                    .withState(ReconciliationState.UPGRADING))
            .withOperation(
                OperationStatus.EMPTY
                    .withType(OperationType.UPGRADE)
                    .withState(OperationState.RUNNING)
                    .withStep("SuspendSessionJobs")));
    return this;
  }

  SessionJobScene generation(long generation) {
    resource.getMetadata().setGeneration(generation);
    return this;
  }

  SessionJobScene parallelism(int parallelism) {
    return job(resource.getSpec().job().withParallelism(parallelism));
  }

  SessionJobScene suspended() {
    return job(resource.getSpec().job().withState(DesiredJobState.SUSPENDED));
  }

  SessionJobScene resumed() {
    return job(resource.getSpec().job().withState(DesiredJobState.RUNNING));
  }

  private SessionJobScene job(JobSpec job) {
    resource.setSpec(resource.getSpec().withJob(job));
    return this;
  }

  SessionJobScene invalid() {
    return job(resource.getSpec().job().withJarURI("ftp://repo.example.com/job.jar"));
  }

  SessionJobScene frozen(long generation) {
    ReconciliationStatus now = reconciliation();
    return status(
        resource
            .getStatus()
            .withReconciliationStatus(
                now.withLastReconciledSpec(
                    new FrozenSessionJob(resource.getSpec(), generation, false).toJson())));
  }

  SessionJobScene unreadable() {
    return status(
        resource
            .getStatus()
            .withReconciliationStatus(reconciliation().withLastReconciledSpec("{")));
  }

  SessionJobScene stable(long generation) {
    return status(
        resource
            .getStatus()
            .withReconciliationStatus(
                reconciliation()
                    .withLastStableSpec(
                        new FrozenSessionJob(resource.getSpec(), generation, false).toJson())));
  }

  SessionJobScene reconciliation(ReconciliationState state) {
    return status(resource.getStatus().withReconciliationStatus(reconciliation().withState(state)));
  }

  private ReconciliationStatus reconciliation() {
    ReconciliationStatus now = resource.getStatus().reconciliationStatus();
    return now == null ? new ReconciliationStatus(1L, null, null, null) : now;
  }

  SessionJobScene operation(OperationType type, OperationState state, Long from, long to) {
    return status(
        resource
            .getStatus()
            .withOperation(
                OperationStatus.EMPTY
                    .withType(type)
                    .withState(state)
                    .withWorkflowId(LANE)
                    .withSince("2026-11-21T09:45:00Z")
                    .withFromGeneration(from)
                    .withTargetGeneration(to)));
  }

  SessionJobScene endedBeforeItsClusterGoes() {
    return status(
        resource
            .getStatus()
            .withOperation(resource.getStatus().operation().withSince("2026-11-21T09:15:00Z")));
  }

  SessionJobScene submitted() {
    return status(
        resource
            .getStatus()
            .withSubmission(new Submission(JOB, 1L, CLUSTER, "containerd://jm", null, null)));
  }

  SessionJobScene seenBefore() {
    return condition("Ready", "UpToDate");
  }

  /** A run was called for, and has written nothing yet. */
  SessionJobScene begun() {
    return condition("Progressing", "Deploying");
  }

  private SessionJobScene condition(String type, String reason) {
    Condition condition =
        new Condition("2026-11-21T09:00:00Z", "earlier", 6L, reason, "True", type);
    return status(resource.getStatus().withConditions(List.of(condition)));
  }

  private SessionJobScene status(FlinkSessionJobStatus status) {
    resource.setStatus(status);
    return this;
  }

  SessionJobScene annotated(String name, String value) {
    resource.getMetadata().getAnnotations().put(name, value);
    return this;
  }

  SessionJobScene deleted() {
    resource.getMetadata().setDeletionTimestamp("2026-11-21T09:30:00Z");
    return this;
  }

  /** Flink answers, and says this of the job; null that it does not know it. */
  SessionJobScene told(@Nullable FlinkJobState state) {
    Optional<Job> job =
        Optional.ofNullable(state)
            .map(
                it ->
                    new Job(
                        JOB,
                        "orders",
                        it,
                        it == FlinkJobState.RUNNING,
                        new Times(NOW.minusSeconds(60), NOW.minusSeconds(30)),
                        it == FlinkJobState.FAILED ? Optional.of("boom") : Optional.empty(),
                        List.of()));
    told = new Answered(job, Map.of());
    return this;
  }

  /** Temporal cannot be used. */
  SessionJobScene unavailable(String why) {
    return temporal(new TemporalAnswers(Map.of(), why));
  }

  /** The controller has looked at this generation. */
  SessionJobScene observed(long generation) {
    return status(resource.getStatus().withObservedGeneration(generation));
  }

  /** Flink does not answer. */
  SessionJobScene silent() {
    told = new Unreachable("The JobManager does not answer");
    return this;
  }

  /** The controller has seen that job in this state before. */
  SessionJobScene saw(FlinkJobState state) {
    return status(
        resource.getStatus().withJobStatus(JobStatus.EMPTY.withJobId(JOB).withState(state)));
  }

  /** The configuration of the session cluster. */
  SessionJobScene clusterSays(String key, String value) {
    FlinkDeploymentSpec spec = deployment.getSpec();
    FlinkDeploymentSpec now =
        spec.withFlinkConfiguration(spec.configuration().withAll(Map.of(key, value)).toJson());
    deployment.setSpec(now);
    deployment.setStatus(
        deployment
            .getStatus()
            .withReconciliationStatus(
                new ReconciliationStatus(
                    1L,
                    new FrozenSpec(now, 3, true).toJson(),
                    null,
                    ReconciliationState.DEPLOYED)));
    return this;
  }

  /** The configuration of the job, which is deployed. */
  SessionJobScene says(String key, String value) {
    resource.setSpec(
        resource
            .getSpec()
            .withFlinkConfiguration(FlinkConfiguration.of(Map.of(key, value)).toJson()));
    return frozen(resource.getMetadata().getGeneration());
  }

  SessionJobScene temporal(TemporalAnswers state) {
    temporal = state;
    return this;
  }

  /** A request was sent and answered a moment ago. */
  SessionJobScene answered(Request request, TemporalAnswers.Answer answer) {
    return temporal(new TemporalAnswers(Map.of(request, answer), null));
  }

  /** The status that is to be written. */
  FlinkSessionJobStatus wanted() {
    SeenSessionJob seen = seen();
    return new SessionJobProjection(Clock.fixed(NOW, ZoneOffset.UTC))
        .project(seen, JobPlanner.decide(seen));
  }

  SeenSessionJob seen() {
    ResourceRef ref = new KubernetesCluster("kubernetes-1").ref(resource);
    return SeenSessionJob.of(
        resource, ref, Observed.of(SeenCluster.of("session", deployment), told, temporal, NOW));
  }

  ReconcileAction decision() {
    return JobPlanner.decide(seen());
  }
}
