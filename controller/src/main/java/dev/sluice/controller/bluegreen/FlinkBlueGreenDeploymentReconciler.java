package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.controller.admission.Verdict;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.inplace.IngressWriter;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.controller.status.PlanEvents;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.Mappers;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reconciles FlinkBlueGreenDeployments with their children, and points the Ingress at the child
 * that is live. Asks no cluster: what Flink says the children say.
 */
public final class FlinkBlueGreenDeploymentReconciler
    extends LaneReconciler<FlinkBlueGreenDeployment, FlinkBlueGreenDeploymentStatus, SeenBlueGreen>
    implements Cleaner<FlinkBlueGreenDeployment> {

  private final Supplier<DefaultConfiguration> defaults;
  private final BlueGreenIngress ingress;
  private final ChildLabels labels;

  /**
   * @param defaults Flink configuration that holds where a template does not say, as it is now
   */
  public FlinkBlueGreenDeploymentReconciler(
      Shared shared, Supplier<DefaultConfiguration> defaults) {
    super(shared, FlinkBlueGreenDeployment.class, new BlueGreenStatusFields(shared.clock()));
    this.defaults = defaults;
    this.ingress = new BlueGreenIngress(shared.client());
    this.labels = new ChildLabels(shared.client());
  }

  @Override
  public Registration<FlinkBlueGreenDeployment> registration() {
    return new Registration<>(
        "sluice-blue-green", new BlueGreenChangeFilter(), FlinkBlueGreenDeployment.FINALIZER);
  }

  @Override
  public Verdict check(FlinkBlueGreenDeployment resource) {
    BlueGreenCheck check = BlueGreenCheck.of(resource, defaults.get());
    return new Verdict(check.violations(), check.ignored());
  }

  @Override
  protected Stream<EventSource<?, FlinkBlueGreenDeployment>> eventSources(
      EventSourceContext<FlinkBlueGreenDeployment> context) {
    return Stream.of(
        new InformerEventSource<>(children(), context),
        new InformerEventSource<>(jobs(), context),
        new InformerEventSource<>(IngressWriter.informer(FlinkBlueGreenDeployment.class), context));
  }

  /** By their label, because most FlinkDeployments are nobody's children; see ChildLabels. */
  private static InformerEventSourceConfiguration<FlinkDeployment> children() {
    return InformerEventSourceConfiguration.from(
            FlinkDeployment.class, FlinkBlueGreenDeployment.class)
        .withLabelSelector(FlinkBlueGreenDeployment.LABEL)
        .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(FlinkBlueGreenDeployment.class))
        .withOnUpdateFilter(BlueGreenChangeFilter::concernsParent)
        .withNamespacesInheritedFromController()
        .build();
  }

  /** The jobs of those that are session clusters. */
  private static InformerEventSourceConfiguration<FlinkSessionJob> jobs() {
    return InformerEventSourceConfiguration.from(
            FlinkSessionJob.class, FlinkBlueGreenDeployment.class)
        .withLabelSelector(FlinkBlueGreenDeployment.LABEL)
        .withSecondaryToPrimaryMapper(Mappers.fromOwnerReferences(FlinkBlueGreenDeployment.class))
        .withOnUpdateFilter(BlueGreenChangeFilter::concernsParent)
        .withNamespacesInheritedFromController()
        .build();
  }

  @Override
  protected SeenBlueGreen observe(
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
            SeenBlueGreen.Observed.of(
                children,
                TemporalAnswers.of(resource.getStatus()::condition),
                shared().clock().instant()));
    for (Color color : seen.missing()) {
      children = labels.restore(ref, color, children);
    }
    return seen.withChildren(children);
  }

  @Override
  protected ReconcileAction decide(SeenBlueGreen seen) {
    return BlueGreenRequests.decide(seen);
  }

  @Override
  protected SeenBlueGreen changeInPlace(
      SeenBlueGreen seen, Context<FlinkBlueGreenDeployment> context) {
    InPlaceOutcome changed = ingress.bring(seen, context.getSecondaryResources(Ingress.class));
    record(seen.resource(), changed.events().stream());
    return seen.withIngress(changed);
  }

  @Override
  protected SeenBlueGreen with(
      SeenBlueGreen seen, FlinkBlueGreenDeployment resource, TemporalAnswers learned) {
    return SeenBlueGreen.of(
        resource,
        seen.ref(),
        BlueGreenCheck.of(resource, defaults.get()),
        seen.observed().with(learned));
  }

  @Override
  protected Stream<StatusEvent> changes(SeenBlueGreen seen, FlinkBlueGreenDeploymentStatus after) {
    return BlueGreenEvents.of(seen, after).stream();
  }

  @Override
  protected Stream<StatusEvent> presentEvents(SeenBlueGreen seen) {
    return PlanEvents.of(seen).stream();
  }

  @Override
  protected Stream<Duration> reviews(SeenBlueGreen seen) {
    return Stream.ofNullable(seen.observed().ingress().review());
  }

  @Override
  protected String left() {
    return "Kubernetes deletes its children, each as its own spec says.";
  }
}
