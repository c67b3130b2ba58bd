package dev.sluice.controller.bluegreen;

import dev.sluice.api.Labels;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.controller.common.EventRecorder;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.LogContext;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.common.ReconcileTrigger;
import dev.sluice.controller.common.StatusThrottle;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.inplace.IngressWriter;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.status.ChangeEvents;
import dev.sluice.controller.status.PlanEvents;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Observes a FlinkBlueGreenDeployment and its children, decides, points the Ingress at the child
 * that is live, and writes its status. Waits for nothing, and asks no cluster: what Flink says the
 * children say.
 */
public final class FlinkBlueGreenDeploymentReconciler
    implements Reconciler<FlinkBlueGreenDeployment>, Cleaner<FlinkBlueGreenDeployment> {

  private final ReconcileTrigger<FlinkBlueGreenDeployment> trigger =
      new ReconcileTrigger<>(this::forget);
  private final KubernetesCluster kubernetes;
  private final OperationDispatcher dispatcher;
  private final Supplier<DefaultConfiguration> defaults;
  private final BlueGreenIngress ingress;
  private final ChildLabels labels;
  private final BlueGreenStatusFields fields;
  private final StatusWriter<FlinkBlueGreenDeployment, FlinkBlueGreenDeploymentStatus> status;
  private final EventRecorder events;
  private final Clock clock;
  private final ReconcileIntervals intervals;

  /**
   * @param client for statuses, labels of children and Ingresses
   * @param events records what happens
   * @param kubernetes the cluster that this controller serves
   * @param dispatcher calls Temporal
   * @param defaults Flink configuration that holds where a template does not say, as it is now
   */
  public FlinkBlueGreenDeploymentReconciler(
      KubernetesClient client,
      EventRecorder events,
      KubernetesCluster kubernetes,
      OperationDispatcher dispatcher,
      Clock clock,
      ReconcileIntervals intervals,
      Supplier<DefaultConfiguration> defaults) {
    this.kubernetes = kubernetes;
    this.dispatcher = dispatcher;
    this.defaults = defaults;
    this.ingress = new BlueGreenIngress(client, clock);
    this.labels = new ChildLabels(client);
    this.fields = new BlueGreenStatusFields(clock);
    this.status =
        new StatusWriter<>(
            client,
            FlinkBlueGreenDeployment.class,
            fields,
            new StatusThrottle<>(fields, clock, intervals.liveStatus()));
    this.events = events;
    this.clock = clock;
    this.intervals = intervals;
  }

  @Override
  public List<EventSource<?, FlinkBlueGreenDeployment>> prepareEventSources(
      EventSourceContext<FlinkBlueGreenDeployment> context) {
    return List.of(
        trigger,
        new InformerEventSource<>(children(), context),
        new InformerEventSource<>(jobs(), context),
        new InformerEventSource<>(IngressWriter.informer(FlinkBlueGreenDeployment.class), context));
  }

  /** By their label, because most FlinkDeployments are nobody's children; see ChildLabels. */
  private static InformerEventSourceConfiguration<FlinkDeployment> children() {
    return InformerEventSourceConfiguration.from(
            FlinkDeployment.class, FlinkBlueGreenDeployment.class)
        .withLabelSelector(Labels.BLUE_GREEN)
        .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(FlinkBlueGreenDeployment.class))
        .withOnUpdateFilter(BlueGreenChangeFilter::concernsParent)
        .withNamespacesInheritedFromController()
        .build();
  }

  /** The jobs of those that are session clusters. */
  private static InformerEventSourceConfiguration<FlinkSessionJob> jobs() {
    return InformerEventSourceConfiguration.from(
            FlinkSessionJob.class, FlinkBlueGreenDeployment.class)
        .withLabelSelector(Labels.BLUE_GREEN)
        .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(FlinkBlueGreenDeployment.class))
        .withOnUpdateFilter(BlueGreenChangeFilter::concernsParent)
        .withNamespacesInheritedFromController()
        .build();
  }

  @Override
  public UpdateControl<FlinkBlueGreenDeployment> reconcile(
      FlinkBlueGreenDeployment resource, Context<FlinkBlueGreenDeployment> context) {
    ResourceRef ref = kubernetes.ref(resource);
    try (LogContext log = LogContext.of(ref)) {
      SeenBlueGreen seen = observe(resource, ref, context);
      ReconcileAction decision = BlueGreenRequests.decide(seen);
      submit(seen, decision);
      // after that, because it calls Kubernetes, which may be slow
      InPlaceOutcome beside = ingress.bring(seen, context.getSecondaryResources(Ingress.class));
      beside.events().forEach(event -> events.record(resource, event));
      UpdateControl<FlinkBlueGreenDeployment> done = UpdateControl.noUpdate();
      Stream.of(
              tell(seen.withIngress(beside.problem()), decision, context),
              Optional.ofNullable(beside.review()))
          .flatMap(Optional::stream)
          .min(Duration::compareTo)
          .ifPresent(done::rescheduleAfter);
      return done;
    }
  }

  @Override
  public DeleteControl cleanup(
      FlinkBlueGreenDeployment resource, Context<FlinkBlueGreenDeployment> context) {
    ResourceRef ref = kubernetes.ref(resource);
    try (LogContext log = LogContext.of(ref)) {
      SeenBlueGreen seen = observe(resource, ref, context);
      ReconcileAction decision = BlueGreenRequests.decide(seen);
      submit(seen, decision);
      if (decision instanceof RemoveFinalizer remove) {
        ChangeEvents.of(remove, "Kubernetes deletes its children, each as its own spec says.")
            .forEach(event -> events.record(resource, event));
        return DeleteControl.defaultDelete();
      }
      return DeleteControl.noFinalizerRemoval()
          .rescheduleAfter(tell(seen, decision, context).orElse(intervals.resync()));
    }
  }

  private SeenBlueGreen observe(
      FlinkBlueGreenDeployment resource,
      ResourceRef ref,
      Context<FlinkBlueGreenDeployment> context) {
    KnownChildren children =
        KnownChildren.of(
            ref,
            context.getSecondaryResources(FlinkDeployment.class),
            context.getSecondaryResources(FlinkSessionJob.class));
    SeenBlueGreen seen =
        SeenBlueGreen.of(
            resource,
            ref,
            BlueGreenCheck.of(resource, defaults.get()),
            new SeenBlueGreen.Observed(children, dispatcher.state(ref), clock.instant()));
    for (Color color : seen.missing()) {
      children = labels.restore(ref, color, children);
    }
    return seen.withChildren(children);
  }

  private void submit(SeenBlueGreen seen, ReconcileAction decision) {
    dispatcher.submit(seen.ref(), decision, seen.workflow(), trigger.wake(seen.resource()));
    dispatcher.keepAnswers(seen.ref(), seen.requests().all());
  }

  /** Returns when to come back, if nothing happens before. */
  private Optional<Duration> tell(
      SeenBlueGreen seen, ReconcileAction decision, Context<FlinkBlueGreenDeployment> context) {
    FlinkBlueGreenDeployment resource = seen.resource();
    FlinkBlueGreenDeploymentStatus wanted = fields.project(seen, decision);
    Optional<Duration> due =
        status.write(
            resource,
            wanted,
            wanted,
            context,
            () ->
                BlueGreenEvents.of(seen, wanted).forEach(event -> events.record(resource, event)));
    PlanEvents.of(seen).ifPresent(event -> events.record(resource, event));
    return Stream.of(due.stream(), checks(seen, decision).stream())
        .flatMap(Function.identity())
        .min(Duration::compareTo);
  }

  private Optional<Duration> checks(SeenBlueGreen seen, ReconcileAction decision) {
    if (seen.workflow().unavailable() != null && !(decision instanceof Nothing)) {
      return Optional.of(decision.isCheck() ? intervals.resync() : intervals.temporalRetry());
    }
    boolean open =
        seen.phase().isOpen()
            || seen.phase().inFlight()
            || seen.lacksLiveChild()
            || seen.runsBoth();
    return open ? Optional.of(intervals.resync()) : Optional.empty();
  }

  private void forget(FlinkBlueGreenDeployment resource) {
    ResourceRef ref = kubernetes.ref(resource);
    dispatcher.forget(ref);
    status.forget(ref.uid());
    ingress.forget(ref);
  }
}
