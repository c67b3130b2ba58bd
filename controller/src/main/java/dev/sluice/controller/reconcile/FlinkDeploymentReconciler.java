package dev.sluice.controller.reconcile;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.Labels;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.deployment.AnnotationRequests;
import dev.sluice.controller.deployment.Decision;
import dev.sluice.controller.deployment.Decision.Nothing;
import dev.sluice.controller.deployment.Decision.RemoveFinalizer;
import dev.sluice.controller.deployment.DeploymentPhase;
import dev.sluice.controller.deployment.DeploymentPlanner;
import dev.sluice.controller.deployment.DeploymentSnapshot;
import dev.sluice.controller.deployment.ObservedCluster;
import dev.sluice.controller.deployment.ObservedState;
import dev.sluice.controller.observation.ClusterReader;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.status.StatusEvents;
import dev.sluice.controller.status.StatusProjection;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks at a FlinkDeployment, decides, projects its status. Waits for nothing: Temporal and Flink
 * are called on other threads, and their answers bring the resource back here.
 */
public final class FlinkDeploymentReconciler
    implements Reconciler<FlinkDeployment>, Cleaner<FlinkDeployment> {

  private static final String PORT = "rest.port";

  private final SimpleInboundEventSource<FlinkDeployment> answers =
      new SimpleInboundEventSource<>("answers");
  private final OperationDispatcher lanes;
  private final JobPollers watch;
  private final StatusProjection projection;
  private final ControllerStatusWriter status;
  private final EventWriter events;
  private final Duration resync;
  private final Duration retry;

  /**
   * @param resync how often the lane of an operation that is at work is looked after
   * @param retry how soon Temporal is tried again while it does not answer
   */
  public FlinkDeploymentReconciler(
      KubernetesClient client,
      OperationDispatcher lanes,
      JobPollers watch,
      Clock clock,
      Duration resync,
      Duration retry) {
    this.lanes = lanes;
    this.watch = watch;
    this.projection = new StatusProjection(clock);
    this.status = new ControllerStatusWriter(client);
    this.events = new EventWriter(client, clock);
    this.resync = resync;
    this.retry = retry;
  }

  @Override
  public List<EventSource<?, FlinkDeployment>> prepareEventSources(
      EventSourceContext<FlinkDeployment> context) {
    return List.of(answers, informer(Deployment.class, context), informer(Pod.class, context));
  }

  private static <R extends HasMetadata> EventSource<R, FlinkDeployment> informer(
      Class<R> type, EventSourceContext<FlinkDeployment> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(type, FlinkDeployment.class)
            .withLabelSelector(Labels.TYPE + "=" + Labels.TYPE_NATIVE)
            .withSecondaryToPrimaryMapper(FlinkDeploymentReconciler::cluster)
            .withNamespacesInheritedFromController()
            .build(),
        context);
  }

  private static Set<ResourceID> cluster(HasMetadata part) {
    Map<String, String> labels = part.getMetadata().getLabels();
    String name = labels == null ? null : labels.get(Labels.APP);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, part.getMetadata().getNamespace()));
  }

  @Override
  public UpdateControl<FlinkDeployment> reconcile(
      FlinkDeployment resource, Context<FlinkDeployment> context) {
    try (LogContext about = LogContext.of(resource)) {
      DeploymentSnapshot situation = look(resource, context);
      Decision decision = DeploymentPlanner.decide(situation);
      carryOut(situation, decision, context);
      UpdateControl<FlinkDeployment> done = UpdateControl.noUpdate();
      lookAgain(situation, decision).ifPresent(done::rescheduleAfter);
      return done;
    }
  }

  @Override
  public DeleteControl cleanup(FlinkDeployment resource, Context<FlinkDeployment> context) {
    try (LogContext about = LogContext.of(resource)) {
      DeploymentSnapshot situation = look(resource, context);
      Decision decision = DeploymentPlanner.decide(situation);
      if (decision instanceof RemoveFinalizer) {
        StatusEvents.of(situation, decision, resource.getStatus())
            .forEach(notice -> events.write(resource, notice));
        forget(situation);
        return DeleteControl.defaultDelete();
      }
      carryOut(situation, decision, context);
      return DeleteControl.noFinalizerRemoval()
          .rescheduleAfter(lookAgain(situation, decision).orElse(resync));
    }
  }

  private DeploymentSnapshot look(FlinkDeployment resource, Context<FlinkDeployment> context) {
    ObservedCluster cluster =
        ClusterReader.of(
            resource.getMetadata().getUid(),
            context.getSecondaryResources(Deployment.class),
            context.getSecondaryResources(Pod.class));
    String uid = resource.getMetadata().getUid();
    ResourceRef ref =
        new ResourceRef(
            FlinkDeployment.KIND,
            resource.getMetadata().getNamespace(),
            resource.getMetadata().getName(),
            uid);
    ObservedState seen =
        Pass.seen(cluster, watch.seen(uid, Pass.about(resource, cluster)), lanes.seen(ref));
    return DeploymentSnapshot.of(resource, seen);
  }

  private void carryOut(
      DeploymentSnapshot situation, Decision decision, Context<FlinkDeployment> context) {
    FlinkDeployment resource = situation.resource();
    lanes.submit(situation.ref(), decision, wake(resource));
    FlinkDeploymentStatus wanted = projection.project(situation, decision);
    watch(situation, decision, wanted);
    if (status.differs(resource, wanted)) {
      status
          .apply(resource, wanted)
          .ifPresent(
              written -> {
                // so that the next pass sees it, even before the informer does
                context
                    .eventSourceRetriever()
                    .getControllerEventSource()
                    .handleRecentResourceUpdate(
                        ResourceID.fromResource(resource), written, resource);
                StatusEvents.of(situation, decision, wanted)
                    .forEach(notice -> events.write(resource, notice));
              });
    }
    lanes.forgetAnswers(
        situation.ref(), request -> AnnotationRequests.isHandled(situation, request));
  }

  private void watch(
      DeploymentSnapshot situation, Decision decision, FlinkDeploymentStatus wanted) {
    String uid = situation.ref().uid();
    ObservedCluster cluster = situation.seen().cluster();
    if (!cluster.answerable() || projection.isFrozen(situation, decision)) {
      watch.forget(uid);
      return;
    }
    boolean settled =
        wanted
            .condition(ConditionTypes.READY)
            .filter(condition -> "True".equals(condition.getStatus()))
            .isPresent();
    watch.watch(
        uid,
        new PollTarget(
            endpoint(situation),
            cluster.jobId(),
            Pass.about(situation.resource(), cluster),
            cluster.pods(),
            settled),
        wake(situation.resource()));
  }

  private static Endpoint endpoint(DeploymentSnapshot situation) {
    var spec =
        situation.frozen() == null ? situation.resource().getSpec() : situation.frozen().spec();
    String port = spec.configuration().getOrDefault(PORT, "");
    return new Endpoint(
        situation.ref().namespace(),
        situation.ref().name(),
        port.matches("\\d{1,5}") ? Integer.parseInt(port) : Endpoint.DEFAULT_PORT);
  }

  private Runnable wake(FlinkDeployment resource) {
    ResourceID id = ResourceID.fromResource(resource);
    return () -> answers.propagateEvent(id);
  }

  private Optional<Duration> lookAgain(DeploymentSnapshot situation, Decision decision) {
    if (situation.seen().lane().unavailable() != null && !(decision instanceof Nothing)) {
      return Optional.of(retry);
    }
    boolean open = situation.stage().inFlight() || situation.stage() == DeploymentPhase.PARKED;
    return open ? Optional.of(resync) : Optional.empty();
  }

  private void forget(DeploymentSnapshot situation) {
    watch.forget(situation.ref().uid());
    lanes.forget(situation.ref());
    status.forget(situation.resource());
  }
}
