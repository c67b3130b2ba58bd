package dev.sluice.controller.application;

import dev.sluice.activities.application.ApplicationStatuses;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.activities.flink.TaskManagerOverview;
import dev.sluice.api.application.ApplicationDeployment;
import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.DeployedVersion;
import dev.sluice.api.application.DeploymentMode;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.application.ScaleMode;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FrozenDocument;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Times;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A FlinkApplication and its versions, for tests: starts as one that was just created. */
final class ApplicationScene {

  static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  static final String OLD_JOB = "0".repeat(31) + "1";
  static final String NEW_JOB = "0".repeat(31) + "2";
  static final String UID = "0a1b2c3d-0000-4000-8000-000000000001";
  static final String LANE = "FlinkApplication_default_words_0a1b2c3d";

  private final FlinkApplication resource = new FlinkApplication();
  private TemporalAnswers temporal = TemporalAnswers.NOTHING;
  private ObservedJob oldFlink = running(OLD_JOB);
  private ObservedJob newFlink = running(NEW_JOB);
  private VersionCluster cluster = new VersionCluster(true, true, 2, null, false);
  private VersionDetails details = VersionDetails.NONE;
  private FlinkApplicationSpec deployedSpec = spec();

  private ApplicationScene() {
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("words")
            .withUid(UID)
            .withGeneration(1L)
            .withAnnotations(new HashMap<>())
            .build());
    resource.setSpec(spec());
  }

  private static FlinkApplicationSpec spec() {
    return FlinkApplicationSpec.EMPTY
        .withImage("flink:1.20")
        .withFlinkVersion("1.20")
        .withJarName("words.jar")
        .withParallelism(3)
        .withEntryClass("org.example.Words");
  }

  static ApplicationScene created() {
    return new ApplicationScene();
  }

  /** Lyft's operator has deployed it. */
  static ApplicationScene ofLyft() {
    return created()
        .status(it -> it.withPhase(ApplicationPhase.RUNNING).withDeployHash("1a2b3c4d"));
  }

  /** Generation 6 runs. */
  static ApplicationScene running() {
    return created()
        .generation(6)
        .deployment(it -> it.withSettledGeneration(6L))
        .deployed(null, 6)
        .phase(ApplicationPhase.RUNNING)
        .operation(OperationType.DEPLOY, OperationState.SUCCEEDED, 6)
        .seenBefore();
  }

  /** Generation 6 runs and generation 7 is in the spec. */
  static ApplicationScene changed() {
    return running().generation(7).spec(it -> it.withRestartNonce("again"));
  }

  /** Generation 7 is being deployed, and its cluster is waited for. */
  static ApplicationScene deploying() {
    return changed()
        .target(null, 7, null)
        .phase(ApplicationPhase.CLUSTER_STARTING)
        .operation(OperationType.DEPLOY, OperationState.RUNNING, 7);
  }

  /** The deployment of generation 7 has failed, and generation 6 runs. */
  static ApplicationScene failed() {
    return changed()
        .deployment(it -> it.withSettledGeneration(7L))
        .status(it -> it.withFailedDeployHash("bbbbbbbbbb"))
        .phase(ApplicationPhase.DEPLOY_FAILED)
        .operation(OperationType.DEPLOY, OperationState.FAILED, 7);
  }

  /** Generations 6 (green) and 7 (blue) run beside each other. */
  static ApplicationScene dual() {
    ApplicationScene scene = running();
    scene.deployedSpec = scene.deployedSpec.withDeploymentMode(DeploymentMode.BLUE_GREEN);
    return scene
        .deployed(Colour.GREEN, 6)
        .generation(7)
        .spec(it -> it.withRestartNonce("again").withDeploymentMode(DeploymentMode.BLUE_GREEN))
        .target(Colour.BLUE, 7, NEW_JOB)
        .deployment(it -> it.withSettledGeneration(7L))
        .phase(ApplicationPhase.DUAL_RUNNING)
        .operation(OperationType.DEPLOY, OperationState.SUCCEEDED, 7);
  }

  ApplicationScene generation(long generation) {
    resource.getMetadata().setGeneration(generation);
    return this;
  }

  ApplicationScene spec(UnaryOperator<FlinkApplicationSpec> change) {
    resource.setSpec(change.apply(resource.getSpec()));
    return this;
  }

  ApplicationScene invalid() {
    return spec(it -> it.withEntryClass(null));
  }

  /** Only the parallelism is another one, and the cluster is to be scaled in place. */
  ApplicationScene rescaled(int parallelism) {
    resource.setSpec(spec().withParallelism(parallelism).withScaleMode(ScaleMode.IN_PLACE));
    return this;
  }

  ApplicationScene status(UnaryOperator<FlinkApplicationStatus> change) {
    resource.setStatus(change.apply(resource.getStatus()));
    return this;
  }

  ApplicationScene deployment(UnaryOperator<ApplicationDeployment> change) {
    ApplicationDeployment before = resource.getStatus().deployment();
    return status(
        it ->
            it.withDeployment(change.apply(before == null ? ApplicationDeployment.EMPTY : before)));
  }

  ApplicationScene phase(ApplicationPhase phase) {
    return status(it -> it.withPhase(phase));
  }

  ApplicationScene deployed(@Nullable Colour colour, long generation) {
    return deployment(
        it -> it.withDeployed(version("aaaaaaaaaa", deployedSpec, colour, generation, OLD_JOB)));
  }

  /** The version that runs was made from a spec with this change. */
  ApplicationScene deployedFrom(UnaryOperator<FlinkApplicationSpec> change) {
    deployedSpec = change.apply(deployedSpec);
    return deployed(null, 6);
  }

  ApplicationScene target(@Nullable Colour colour, long generation, @Nullable String job) {
    return deployment(
        it -> it.withTarget(version("bbbbbbbbbb", resource.getSpec(), colour, generation, job)));
  }

  private static DeployedVersion version(
      String hash,
      FlinkApplicationSpec spec,
      @Nullable Colour colour,
      long generation,
      @Nullable String job) {
    return new DeployedVersion(
        hash,
        ApplicationHash.of(spec).full(),
        "words-" + hash,
        colour,
        generation,
        job,
        new FrozenDocument(FrozenDocument.tree(spec), generation, false, null)
            .toJson(FlinkApplication.API_VERSION),
        null);
  }

  ApplicationScene operation(OperationType type, OperationState state, long target) {
    return status(
        it ->
            it.withOperation(
                OperationStatus.EMPTY
                    .withType(type)
                    .withState(state)
                    .withWorkflowId(LANE)
                    .withRunId("run-1")
                    .withTargetGeneration(target)));
  }

  /** The controller has written a status before. */
  ApplicationScene seenBefore() {
    return status(
        before ->
            before.withConditions(
                new ApplicationStatusFields(Clock.fixed(NOW, ZoneOffset.UTC))
                    .project(seen(), new ReconcileAction.Nothing())
                    .conditions()));
  }

  ApplicationScene annotated(String name, String value) {
    resource.getMetadata().getAnnotations().put(name, value);
    return this;
  }

  ApplicationScene deleting() {
    resource.getMetadata().setDeletionTimestamp("2026-11-21T09:00:00Z");
    return this;
  }

  ApplicationScene unavailable() {
    temporal = new TemporalAnswers(Map.of(), "Temporal does not answer");
    return this;
  }

  /** What Flink says of the job of the deployed version. */
  ApplicationScene flink(ObservedJob job) {
    oldFlink = job;
    return this;
  }

  ApplicationScene newFlink(ObservedJob job) {
    newFlink = job;
    return this;
  }

  ApplicationScene cluster(VersionCluster seen) {
    cluster = seen;
    oldFlink = seen.answerable() ? oldFlink : new Unreachable("No JobManager pod is ready");
    return this;
  }

  ApplicationScene details(VersionDetails seen) {
    details = seen;
    return this;
  }

  static ObservedJob running(String job) {
    return job(job, FlinkJobState.RUNNING, true);
  }

  static ObservedJob job(String id, FlinkJobState state, boolean up) {
    return new Answered(
        Optional.of(
            new Job(
                id,
                "words",
                state,
                up,
                new Times(NOW.minusSeconds(600), NOW.minusSeconds(300)),
                Optional.empty(),
                List.of())),
        Map.of());
  }

  static ObservedJob nothing() {
    return new Answered(Optional.empty(), Map.of());
  }

  /** Two TaskManagers with 16 slots each, and the job with so many of 3 tasks running. */
  static VersionDetails details(int running, Optional<Checkpoints> checkpoints) {
    return new VersionDetails(
        true,
        List.of(
            new TaskManagerOverview(NOW.minusSeconds(5), 16, 14),
            new TaskManagerOverview(NOW.minusSeconds(300), 16, 15)),
        Optional.of(
            new JobOverview(
                OLD_JOB,
                "words",
                FlinkJobState.RUNNING,
                "RUNNING",
                new JobOverview.Times(
                    NOW.minusSeconds(1800), Optional.empty(), NOW.minusSeconds(1700)),
                new JobOverview.Tasks(
                    3, Map.of(TaskState.RUNNING, running, TaskState.SCHEDULED, 3 - running)))),
        checkpoints,
        Optional.empty(),
        NOW);
  }

  FlinkApplication resource() {
    return resource;
  }

  SeenApplication seen() {
    var record = ApplicationStatuses.record(resource.getStatus());
    var stored = resource.getStatus().deployment();
    return SeenApplication.of(
        resource,
        new ResourceRef("kube", "FlinkApplication", "default", "words", UID),
        new SeenApplication.Observed(
            observed(record.deployed(), stored == null ? null : stored.deployed(), oldFlink),
            observed(record.target(), stored == null ? null : stored.target(), newFlink),
            temporal,
            NOW));
  }

  private Optional<ObservedVersion> observed(
      @Nullable VersionRef version, @Nullable DeployedVersion stored, ObservedJob flink) {
    return Optional.ofNullable(version)
        .map(
            it ->
                new ObservedVersion(
                    it, ApplicationCheck.frozen(stored).orElse(null), cluster, flink, details));
  }

  ReconcileAction decision() {
    return ApplicationOperations.decide(seen());
  }

  /** What the controller writes. */
  FlinkApplicationStatus written() {
    return new ApplicationStatusFields(Clock.fixed(NOW, ZoneOffset.UTC))
        .project(seen(), decision());
  }

  /** {@code True/UpToDate}. */
  String condition(String type) {
    return new ApplicationStatusView(written())
        .condition(type)
        .map(it -> it.getStatus() + "/" + it.getReason())
        .orElse("");
  }

  String message(String type) {
    return new ApplicationStatusView(written()).condition(type).orElseThrow().getMessage();
  }
}
