package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.ChildMetadata;
import dev.sluice.api.bluegreen.ChildTemplate;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.bluegreen.GivenUp;
import dev.sluice.api.bluegreen.LiveChild;
import dev.sluice.api.bluegreen.TransitionStatus;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.IngressSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.deployment.DecisionText;
import dev.sluice.controller.deployment.DeployedSpec;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.TemporalAnswers;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A FlinkBlueGreenDeployment and its children, for tests: starts as one just created. */
final class BlueGreenScene {

  static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  static final String UID = "0a1b2c3d-0000-4000-8000-000000000001";
  static final String LANE = "FlinkBlueGreenDeployment_default_orders_0a1b2c3d";

  private final FlinkBlueGreenDeployment resource = new FlinkBlueGreenDeployment();
  private final List<FlinkDeployment> children = new ArrayList<>();
  private final List<FlinkSessionJob> jobs = new ArrayList<>();
  private TemporalAnswers temporal = TemporalAnswers.NOTHING;
  private InPlaceOutcome.@Nullable Problem ingress;

  private BlueGreenScene() {
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("orders")
            .withUid(UID)
            .withGeneration(1L)
            .withAnnotations(new HashMap<>())
            .build());
    resource.setSpec(
        FlinkBlueGreenDeploymentSpec.EMPTY.withTemplate(
            new ChildTemplate(ChildMetadata.EMPTY, DeployedSpec.valid())));
  }

  /** Just created. */
  static BlueGreenScene created() {
    return new BlueGreenScene();
  }

  /** Generation 6 is live as blue; the controller has seen it before. */
  static BlueGreenScene running() {
    return created()
        .generation(6)
        .reached(6)
        .live(Color.BLUE, 6)
        .operation(OperationState.SUCCEEDED, 6)
        .ready(Color.BLUE)
        .seenBefore();
  }

  /** Generation 6 is live as blue, and generation 7 is in the spec. */
  static BlueGreenScene changed() {
    return running().generation(7).image("flink:1.20.1");
  }

  /** Generation 7 comes as green. */
  static BlueGreenScene transition() {
    return changed().coming(Color.GREEN, 7).operation(OperationState.RUNNING, 7);
  }

  /** Generation 7 was given up. */
  static BlueGreenScene givenUp() {
    return changed().givenUp(7).operation(OperationState.ABORTED, 7);
  }

  BlueGreenScene givenUp(long generation) {
    return status(it -> it.withGivenUp(new GivenUp(generation, "it failed")));
  }

  BlueGreenScene generation(long generation) {
    resource.getMetadata().setGeneration(generation);
    return this;
  }

  BlueGreenScene template(UnaryOperator<FlinkDeploymentSpec> change) {
    FlinkBlueGreenDeploymentSpec spec = resource.getSpec();
    resource.setSpec(
        spec.withTemplate(spec.template().withSpec(change.apply(spec.template().spec()))));
    return this;
  }

  BlueGreenScene image(String image) {
    return template(it -> it.withImage(image));
  }

  BlueGreenScene state(DesiredJobState state) {
    return template(it -> it.withJob(it.job().withState(state)));
  }

  BlueGreenScene ingress(String template) {
    resource.setSpec(
        resource
            .getSpec()
            .withIngress(new IngressSpec(template, null, Map.of(), Map.of(), List.of())));
    return this;
  }

  BlueGreenScene configured(String key, String value) {
    resource.setSpec(resource.getSpec().withConfiguration(Map.of(key, value)));
    return this;
  }

  BlueGreenScene invalid() {
    return configured("sluice.bluegreen.abort.child", "keep");
  }

  BlueGreenScene status(UnaryOperator<FlinkBlueGreenDeploymentStatus> change) {
    resource.setStatus(change.apply(resource.getStatus()));
    return this;
  }

  /** The spec as it is now was reached. */
  BlueGreenScene reached(long generation) {
    return status(
        it ->
            it.withLastReconciledSpec(
                new FrozenBlueGreen(resource.getSpec(), generation).toJson()));
  }

  BlueGreenScene unreadable() {
    return status(it -> it.withLastReconciledSpec("{"));
  }

  BlueGreenScene live(Color color, long generation) {
    return status(
        it ->
            it.withLive(new LiveChild(color, generation, "2026-11-21T08:00:00Z"))
                .withBlueGreenState(BlueGreenState.active(color)));
  }

  BlueGreenScene apache(BlueGreenState state) {
    return status(it -> it.withLive(null).withBlueGreenState(state));
  }

  BlueGreenScene coming(Color color, long generation) {
    return status(
        it ->
            it.withTransition(
                TransitionStatus.EMPTY
                    .withTo(color)
                    .withGeneration(generation)
                    .withSince("2026-11-21T09:45:00Z")));
  }

  BlueGreenScene operation(OperationState state, long target) {
    return operation(OperationType.TRANSITION, state, target);
  }

  BlueGreenScene operation(OperationType type, OperationState state, long target) {
    return operation(
        OperationStatus.EMPTY
            .withType(type)
            .withState(state)
            .withWorkflowId(LANE)
            .withRunId("run-1")
            .withTargetGeneration(target));
  }

  BlueGreenScene operation(OperationStatus operation) {
    return status(it -> it.withOperation(operation));
  }

  OperationStatus operation() {
    return resource.getStatus().operation();
  }

  BlueGreenScene says(String reason, String message) {
    return operation(operation().withReason(reason).withMessage(message));
  }

  BlueGreenScene seenBefore() {
    return status(
        it ->
            it.withConditions(
                List.of(
                    new Condition(
                        "2026-11-21T09:00:00Z", "earlier", 6L, "UpToDate", "True", "Ready"))));
  }

  /** The child runs its job. */
  BlueGreenScene ready(Color color) {
    return child(
        color,
        condition("Ready", "True", "UpToDate", "Generation 1 is deployed and all tasks run."),
        condition("Stalled", "False", "NotStalled", "No action required."),
        condition("Running", "True", "Running", "Job 1 is RUNNING."));
  }

  /** The child needs help. */
  BlueGreenScene stalled(Color color) {
    return child(
        color,
        condition("Ready", "False", "ImagePullBackOff", "The image cannot be pulled."),
        condition("Stalled", "True", "ImagePullBackOff", "The image cannot be pulled."),
        condition("Running", "False", "ClusterNotReady", "There is no JobManager."));
  }

  /** The child says this of generation 1, which is its newest. */
  BlueGreenScene child(Color color, Condition... conditions) {
    FlinkDeployment child = child(color, UID);
    child.setStatus(
        child
            .getStatus()
            .withJobStatus(
                JobStatus.EMPTY
                    .withJobId("of " + color)
                    .withState(FlinkJobState.RUNNING)
                    .withUpgradeSavepointPath("s3://streams/savepoint-1"))
            .withConditions(List.of(conditions)));
    children.add(child);
    return this;
  }

  BlueGreenScene childOfSomebodyElse(Color color) {
    children.add(child(color, "another"));
    return this;
  }

  BlueGreenScene childGeneration(Color color, long generation) {
    return change(color, it -> it.getMetadata().setGeneration(generation));
  }

  /** The child is to be suspended, and is. */
  BlueGreenScene stopped(Color color) {
    return child(color, condition("Ready", "True", "Suspended", "It is suspended."))
        .change(
            color,
            it ->
                it.setSpec(
                    it.getSpec().withJob(it.getSpec().job().withState(DesiredJobState.SUSPENDED))));
  }

  /** The child is a session cluster, with that job on it. */
  BlueGreenScene session(Color color, @Nullable FlinkSessionJob job) {
    if (job != null) {
      jobs.add(job);
    }
    return change(color, it -> it.setSpec(it.getSpec().withJob(null)));
  }

  /** Somebody edits the child. */
  BlueGreenScene edited(Color color, UnaryOperator<FlinkDeploymentSpec> edit) {
    return change(color, it -> it.setSpec(edit.apply(it.getSpec())));
  }

  /** Somebody deletes the child. */
  BlueGreenScene goes(Color color) {
    return change(color, it -> it.getMetadata().setDeletionTimestamp("2026-11-21T09:30:00Z"));
  }

  private BlueGreenScene change(Color color, Consumer<FlinkDeployment> change) {
    children.stream()
        .filter(it -> it.getMetadata().getName().equals(color.child("orders")))
        .forEach(change);
    return this;
  }

  BlueGreenScene without(Color color) {
    children.removeIf(it -> it.getMetadata().getName().equals(color.child("orders")));
    return this;
  }

  static Condition condition(String type, String status, String reason, String message) {
    return new Condition("2026-11-21T09:00:00Z", message, 1L, reason, status, type);
  }

  private static FlinkDeployment child(Color color, String owner) {
    FlinkDeployment child = new FlinkDeployment();
    child.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName(color.child("orders"))
            .withUid("0a1b2c3d-0000-4000-8000-00000000000" + color.ordinal())
            .withGeneration(1L)
            .withOwnerReferences(
                new OwnerReferenceBuilder()
                    .withApiVersion(FlinkBlueGreenDeployment.API_VERSION)
                    .withKind(FlinkBlueGreenDeployment.KIND)
                    .withName("orders")
                    .withUid(owner)
                    .build())
            .build());
    child.setSpec(DeployedSpec.valid());
    return child;
  }

  BlueGreenScene annotated(String name, String value) {
    resource.getMetadata().getAnnotations().put(name, value);
    return this;
  }

  BlueGreenScene deleted() {
    resource.getMetadata().setDeletionTimestamp("2026-11-21T09:30:00Z");
    return this;
  }

  BlueGreenScene ingressProblem(String reason, String message) {
    ingress = new InPlaceOutcome.Problem(reason, message);
    return this;
  }

  BlueGreenScene temporal(TemporalAnswers state) {
    temporal = state;
    return this;
  }

  /** A request was sent and answered a moment ago. */
  BlueGreenScene answered(Request request, TemporalAnswers.Answer answer) {
    return temporal(new TemporalAnswers(Map.of(request, answer), null));
  }

  /** Temporal cannot be used. */
  BlueGreenScene unavailable(String why) {
    return temporal(new TemporalAnswers(Map.of(), why));
  }

  FlinkBlueGreenDeployment resource() {
    return resource;
  }

  SeenBlueGreen seen() {
    var ref = new KubernetesCluster("kubernetes-1").ref(resource);
    return SeenBlueGreen.of(
            resource,
            ref,
            BlueGreenCheck.of(resource, DefaultConfiguration.NONE),
            SeenBlueGreen.Observed.of(KnownChildren.of(ref, children, jobs), temporal, NOW))
        .withIngress(new InPlaceOutcome(ingress, List.of(), null));
  }

  String decision() {
    return DecisionText.of(BlueGreenRequests.decide(seen()));
  }

  /** The status that is to be written. */
  FlinkBlueGreenDeploymentStatus wanted() {
    SeenBlueGreen seen = seen();
    return new BlueGreenStatusFields(Clock.fixed(NOW, ZoneOffset.UTC))
        .project(seen, BlueGreenRequests.decide(seen));
  }

  /** {@code True/UpToDate: message}. */
  String condition(String type) {
    Condition condition = wanted().condition(type).orElseThrow();
    return condition.getStatus() + "/" + condition.getReason() + ": " + condition.getMessage();
  }
}
