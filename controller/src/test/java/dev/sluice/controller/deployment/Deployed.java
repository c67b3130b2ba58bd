package dev.sluice.controller.deployment;

import dev.sluice.activities.flink.JobExceptions.Failure;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.job.Observed;
import dev.sluice.controller.observation.ClusterHealth;
import dev.sluice.controller.observation.ClusterProblem;
import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ProcessSizes;
import dev.sluice.controller.observation.ProcessSizes.Size;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.status.SpecCheck;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A FlinkDeployment and what was seen of it, for tests: starts as one that was just created. */
public final class Deployed {

  public static final String UID = "0a1b2c3d-0000-4000-8000-000000000001";
  public static final String LANE = "FlinkDeployment_default_orders_0a1b2c3d";
  public static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  public static final String JOB_ID = "00000000000000000000000000000001";

  static final DeploymentProjection PROJECTION =
      new DeploymentProjection(Clock.fixed(NOW, ZoneOffset.UTC));

  private final FlinkDeployment resource = new FlinkDeployment();
  private boolean lacksTaskManagers;
  private Integer taskManagers;
  private @Nullable Long madeFrom;
  private ObservedCluster cluster = ObservedCluster.NONE;
  private ObservedJob job = new ObservedJob.Unreachable("There is no JobManager Deployment");
  private TemporalAnswers temporal = TemporalAnswers.NOTHING;
  private List<String> ignored = List.of();
  private InPlaceOutcome.Problem ingress;
  private Instant at = NOW;

  private Deployed() {
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("orders")
            .withUid(UID)
            .withGeneration(1L)
            .withAnnotations(new HashMap<>())
            .build());
    resource.setSpec(DeployedSpec.valid());
  }

  /** Looked at that much later. */
  public Deployed later(Duration by) {
    at = NOW.plus(by);
    return this;
  }

  /** Just created, nothing began. */
  public static Deployed created() {
    return new Deployed();
  }

  /** Generation 6 runs, upgraded from 5; the controller has seen it before. */
  public static Deployed running() {
    return new Deployed()
        .seenBefore()
        .generation(6)
        .frozen(6)
        .stable(6)
        .reconciliation(ReconciliationState.DEPLOYED)
        .operation(OperationType.UPGRADE, OperationState.SUCCEEDED, 5L, 6)
        .cluster(JobManager.RUNNING)
        .job(FlinkJobState.RUNNING, true);
  }

  /** Generation 6 runs and generation 7 is in the spec. */
  public static Deployed changed() {
    return running().generation(7).image("flink:2.2");
  }

  /** Generation 7 is being brought to the cluster, and is frozen. */
  public static Deployed upgrading() {
    return changed()
        .frozen(7)
        .reconciliation(ReconciliationState.UPGRADING)
        .operation(OperationType.UPGRADE, OperationState.RUNNING, 6L, 7);
  }

  /** Generation 6 runs, and its job has finished. */
  public static Deployed finished() {
    return running().job(FlinkJobState.FINISHED, false);
  }

  /** As {@link #running}, with high availability. */
  public static Deployed highlyAvailable() {
    Map<String, String> on =
        Map.of("high-availability.type", "kubernetes", "high-availability.storageDir", "s3://b/ha");
    FlinkDeploymentSpec spec = DeployedSpec.valid();
    return running()
        .spec(spec.withConfiguration(spec.configuration().withAll(on)))
        .frozen(6)
        .stable(6);
  }

  public Deployed generation(long generation) {
    resource.getMetadata().setGeneration(generation);
    return this;
  }

  public Deployed spec(FlinkDeploymentSpec spec) {
    resource.setSpec(spec);
    return this;
  }

  public Deployed image(String image) {
    return spec(resource.getSpec().withImage(image));
  }

  public Deployed configured(String key, String value) {
    FlinkDeploymentSpec spec = resource.getSpec();
    return spec(spec.withConfiguration(spec.configuration().withAll(Map.of(key, value))));
  }

  public Deployed invalid() {
    return spec(resource.getSpec().withServiceAccount(null));
  }

  public Deployed deleted() {
    resource.getMetadata().setDeletionTimestamp(NOW.toString());
    return this;
  }

  public Deployed annotated(String key, String value) {
    resource.getMetadata().getAnnotations().put(key, value);
    return this;
  }

  public Deployed annotated(Request request) {
    return annotated(request.kind().annotation(), request.text());
  }

  public Deployed status(FlinkDeploymentStatus status) {
    resource.setStatus(status);
    return this;
  }

  /** Freezes the spec as it is now. */
  public Deployed frozen(long generation) {
    String json = new FrozenSpec(resource.getSpec(), generation, false).toJson();
    return reconciliation(reconciliation().withLastReconciledSpec(json));
  }

  /** The same over these defaults. */
  Deployed frozen(long generation, FlinkConfiguration defaults) {
    String json = new FrozenSpec(resource.getSpec(), generation, false, defaults).toJson();
    return reconciliation(reconciliation().withLastReconciledSpec(json));
  }

  /** The controller has published what it sees. */
  Deployed projected() {
    SeenDeployment seen = snapshot();
    FlinkDeploymentStatus told = PROJECTION.project(seen, JobPlanner.decide(seen));
    return status(
        resource
            .getStatus()
            .withConditions(told.conditions())
            .withJobStatus(told.jobStatus())
            .withError(told.error()));
  }

  public Deployed stable(long generation) {
    String json = new FrozenSpec(resource.getSpec(), generation, false).toJson();
    return reconciliation(reconciliation().withLastStableSpec(json));
  }

  public Deployed reconciliation(ReconciliationState state) {
    return reconciliation(reconciliation().withState(state));
  }

  private Deployed reconciliation(ReconciliationStatus reconciliation) {
    return status(resource.getStatus().withReconciliationStatus(reconciliation));
  }

  private ReconciliationStatus reconciliation() {
    ReconciliationStatus there = resource.getStatus().reconciliationStatus();
    return there == null ? ReconciliationStatus.EMPTY : there;
  }

  public Deployed operation(OperationType type, OperationState state, Long from, long target) {
    return status(
        resource
            .getStatus()
            .withOperation(
                OperationStatus.EMPTY
                    .withType(type)
                    .withState(state)
                    .withWorkflowId(LANE)
                    .withRunId("run-" + target)
                    .withFromGeneration(from)
                    .withTargetGeneration(target)));
  }

  public Deployed operationSays(String reason, String message) {
    return status(
        resource
            .getStatus()
            .withOperation(
                resource.getStatus().operation().withReason(reason).withMessage(message)));
  }

  /** Its operation has decided this, a moment ago. */
  public Deployed planned(String plan) {
    reconciliation(reconciliation().withReconciliationTimestamp(NOW.toEpochMilli()));
    return status(
        resource.getStatus().withOperation(resource.getStatus().operation().withPlan(plan)));
  }

  public Deployed noOperation() {
    return status(resource.getStatus().withOperation(null));
  }

  public Deployed handled(String abort, String retry) {
    return status(resource.getStatus().withRequests(new HandledRequests(abort, retry)));
  }

  public Deployed cluster(JobManager jobManager) {
    return cluster(jobManager, ClusterHealth.GOOD);
  }

  /** With something wrong in its pods. */
  public Deployed cluster(JobManager jobManager, ClusterProblem... problems) {
    return cluster(jobManager, new ClusterHealth(List.of(problems), null));
  }

  /** How its job ended was recorded now, with a checkpoint that it left. */
  public Deployed ended(FlinkJobState as) {
    return ended(as, new RecordedState.Left(RecordedState.Type.CHECKPOINT, "s3://b/c/chk-9", null));
  }

  /** The same with what it left; null where Flink did not tell. */
  public Deployed ended(FlinkJobState as, RecordedState.@Nullable Left left) {
    return status(
        resource.getStatus().withEndedJob(new EndedJob(JOB_ID, as, left, true, NOW.toString())));
  }

  /** The end of its job was recorded then. */
  public Deployed endRecorded(String at) {
    EndedJob it = resource.getStatus().endedJob();
    return status(
        resource
            .getStatus()
            .withEndedJob(new EndedJob(it.jobId(), it.state(), it.left(), it.progressed(), at)));
  }

  /** The same, and its cluster was deleted. */
  public Deployed endedForGood(FlinkJobState as) {
    return ended(as).cluster(JobManager.MISSING);
  }

  /** The Deployment of its TaskManagers is missing. */
  public Deployed withoutTaskManagers() {
    lacksTaskManagers = true;
    return cluster(JobManager.RUNNING, ClusterHealth.GOOD);
  }

  /** Kubernetes is to make so many TaskManagers. */
  public Deployed withTaskManagers(int number) {
    taskManagers = number;
    return cluster(JobManager.RUNNING, ClusterHealth.GOOD);
  }

  /** Its JobManager Deployment says from which generation it was made. */
  Deployed madeFrom(long generation) {
    madeFrom = generation;
    return cluster(JobManager.RUNNING, ClusterHealth.GOOD);
  }

  private Deployed cluster(JobManager jobManager, ClusterHealth health) {
    cluster =
        new ObservedCluster(
            jobManager,
            JOB_ID,
            madeFrom,
            lacksTaskManagers,
            health,
            new ProcessSizes(new Size(0.5, 1L << 30), new Size(1.0, 2L << 30), taskManagers),
            "jm-1/0");
    String silent = cluster.whyNotAnswering();
    return silent == null ? this : job(new ObservedJob.Unreachable(silent));
  }

  public Deployed job(FlinkJobState state, boolean tasksUp) {
    return job(FlinkAnswers.job(state, tasksUp, Optional.empty()));
  }

  /** The job has failed, and Flink said why. */
  public Deployed failed(String cause) {
    return job(FlinkAnswers.job(FlinkJobState.FAILED, false, Optional.of(cause)));
  }

  /** Its job runs, and its cluster says this of itself. */
  public Deployed says(Map<String, String> clusterInfo) {
    return job(new Answered(((Answered) job).job(), clusterInfo));
  }

  /** Its job runs, and counts what a healthy one does not. */
  public Deployed unhealthy(String why) {
    return job(FlinkAnswers.unhealthy((Answered) job, why));
  }

  /** The job has this state for this reason, and fails with these, newest first. */
  public Deployed failing(FlinkJobState state, String why, Failure... newestFirst) {
    return job(FlinkAnswers.failing(state, why, newestFirst));
  }

  /** Its JobManager was restarted, and runs the same job since then. */
  public Deployed begunAgain() {
    return job(FlinkAnswers.begunAgain((Answered) job));
  }

  public Deployed job(ObservedJob observed) {
    job = observed;
    return this;
  }

  /** Its JobManager answers, and knows no job. */
  public Deployed forgotten() {
    return job(FlinkAnswers.noJob());
  }

  /** Flink was not asked since something changed. */
  public Deployed notAsked() {
    return job(new ObservedJob.Pending());
  }

  public Deployed temporal(TemporalAnswers state) {
    temporal = state;
    return this;
  }

  /** A request was sent and answered a moment ago. */
  public Deployed answered(Request request, TemporalAnswers.Answer answer) {
    return temporal(new TemporalAnswers(Map.of(request, answer), null));
  }

  /** Temporal does not answer. */
  public Deployed temporalAway(String why) {
    return temporal(new TemporalAnswers(Map.of(), why));
  }

  public Deployed condition(String type, String status, String reason, long generation) {
    Condition condition =
        new Condition("2026-11-21T09:00:00Z", "earlier", generation, reason, status, type);
    return status(resource.getStatus().withConditions(List.of(condition)));
  }

  /** The controller has written a status before. */
  public Deployed seenBefore() {
    return condition("Ready", "True", "UpToDate", 6);
  }

  /** These fields of the newest spec have no effect. */
  public Deployed ignoring(String... fields) {
    ignored = List.of(fields);
    return this;
  }

  /** Its Ingress cannot be as the spec says. */
  public Deployed ingressHeld(String reason, String message) {
    ingress = new InPlaceOutcome.Problem(reason, message);
    return this;
  }

  public Deployed jobStatus(JobStatus status) {
    return status(resource.getStatus().withJobStatus(status));
  }

  public FlinkDeployment resource() {
    return resource;
  }

  public SeenDeployment snapshot() {
    ResourceRef ref = new KubernetesCluster("kubernetes-1").ref(resource);
    SpecCheck<FrozenSpec> check = DeploymentCheck.of(resource, DefaultConfiguration.NONE);
    return SeenDeployment.of(
        resource,
        ref,
        new Observed<>(
            cluster, job, temporal, at, new InPlaceOutcome(ingress, List.of(), null), null),
        new SpecCheck<>(
            check.violations(),
            ignored.isEmpty() ? check.ignored() : ignored,
            check.frozen(),
            check.changes()));
  }
}
