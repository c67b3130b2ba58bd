package dev.sluice.controller.application;

import dev.sluice.activities.application.ApplicationStatuses;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationDeployment;
import dev.sluice.api.application.DeployedVersion;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.controller.common.EventRecorder;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.LogContext;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.common.ReconcileTrigger;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.common.StatusThrottle;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.observation.JobPolls;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.status.ChangeEvents;
import dev.sluice.controller.status.ExceptionEvents;
import dev.sluice.controller.status.PlanEvents;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Observes a FlinkApplication and the clusters of its versions, decides, and writes its status.
 * Waits for nothing: Temporal and Flink are called on other threads.
 */
public final class FlinkApplicationReconciler implements Reconciler<FlinkApplication> {

  private static final Duration UNTIL_SEEN = Duration.ofSeconds(1);

  private final ReconcileTrigger<FlinkApplication> trigger = new ReconcileTrigger<>(this::forget);
  private final KubernetesCluster kubernetes;
  private final OperationDispatcher dispatcher;
  private final JobPollers pollers;
  private final FlinkRest flink;
  private final ApplicationStatusFields fields;
  private final StatusWriter<FlinkApplication, FlinkApplicationStatus> status;
  private final EventRecorder events;
  private final ExceptionEvents exceptions;
  private final ApplicationFinalizers finalizers;
  private final Clock clock;
  private final ReconcileIntervals intervals;
  private volatile @Nullable JobPolls<FlinkApplication, PollTarget, VersionPoll.Answer> polls;

  /**
   * @param client for statuses and finalizers
   * @param events records what happens
   * @param kubernetes the cluster that this controller serves
   * @param dispatcher calls Temporal
   * @param pollers ask clusters for their jobs
   * @param flink for what is asked besides; stays the caller's to close
   */
  public FlinkApplicationReconciler(
      KubernetesClient client,
      EventRecorder events,
      KubernetesCluster kubernetes,
      OperationDispatcher dispatcher,
      JobPollers pollers,
      FlinkRest flink,
      ReconcileIntervals intervals) {
    this.clock = Clock.systemUTC();
    this.kubernetes = kubernetes;
    this.dispatcher = dispatcher;
    this.pollers = pollers;
    this.flink = flink;
    this.fields = new ApplicationStatusFields(clock);
    this.status =
        new StatusWriter<>(
            client,
            FlinkApplication.class,
            fields,
            new StatusThrottle<>(fields, clock, intervals.liveStatus()));
    this.events = events;
    this.exceptions = new ExceptionEvents(clock);
    this.finalizers = new ApplicationFinalizers(client);
    this.intervals = intervals;
  }

  @Override
  public List<EventSource<?, FlinkApplication>> prepareEventSources(
      EventSourceContext<FlinkApplication> context) {
    JobPolls<FlinkApplication, PollTarget, VersionPoll.Answer> asked =
        pollers.of(
            context,
            target ->
                new VersionPoll(
                    target, pollers.cluster(target), flink, clock, intervals.liveStatus()),
            (before, now) -> now.differsFrom(before));
    polls = asked;
    return List.of(
        trigger,
        asked,
        new InformerEventSource<>(informer(Deployment.class), context),
        new InformerEventSource<>(informer(Pod.class), context));
  }

  private static <R extends HasMetadata> InformerEventSourceConfiguration<R> informer(
      Class<R> type) {
    return InformerEventSourceConfiguration.from(type, FlinkApplication.class)
        .withLabelSelector(Labels.FLINK_APP + "," + Labels.FLINK_DEPLOYMENT_TYPE)
        .withSecondaryToPrimaryMapper(FlinkApplicationReconciler::applicationOf)
        .withNamespacesInheritedFromController()
        .build();
  }

  private static Set<ResourceID> applicationOf(HasMetadata part) {
    Map<String, String> labels = part.getMetadata().getLabels();
    String name = labels == null ? null : labels.get(Labels.FLINK_APP);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, part.getMetadata().getNamespace()));
  }

  @Override
  public UpdateControl<FlinkApplication> reconcile(
      FlinkApplication resource, Context<FlinkApplication> context) {
    ResourceRef ref = kubernetes.ref(resource);
    try (LogContext log = LogContext.of(ref)) {
      boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
      if (context.isPrimaryResourceDeleted()
          || (deleting && !ApplicationFinalizers.holds(resource))) {
        return UpdateControl.noUpdate();
      }
      return deleting ? delete(resource, ref, context) : keep(resource, ref, context);
    }
  }

  private UpdateControl<FlinkApplication> keep(
      FlinkApplication resource, ResourceRef ref, Context<FlinkApplication> context) {
    Optional<FlinkApplication> kept = finalizers.keep(resource);
    if (kept.isEmpty()) {
      return after(UNTIL_SEEN);
    }
    SeenApplication seen = observe(kept.get(), ref, context);
    ReconcileAction decision = ApplicationOperations.decide(seen);
    submit(seen, decision);
    return tell(seen, decision, context)
        .map(FlinkApplicationReconciler::after)
        .orElseGet(UpdateControl::noUpdate);
  }

  private UpdateControl<FlinkApplication> delete(
      FlinkApplication resource, ResourceRef ref, Context<FlinkApplication> context) {
    SeenApplication seen = observe(resource, ref, context);
    ReconcileAction decision = ApplicationOperations.decide(seen);
    submit(seen, decision);
    if (!(decision instanceof RemoveFinalizer remove)) {
      return after(tell(seen, decision, context).orElse(intervals.resync()));
    }
    if (!finalizers.release(resource)) {
      return after(UNTIL_SEEN);
    }
    ChangeEvents.of(remove, "Kubernetes deletes its clusters, without a savepoint.")
        .forEach(event -> events.record(resource, event));
    return UpdateControl.noUpdate();
  }

  private static UpdateControl<FlinkApplication> after(Duration pause) {
    return UpdateControl.<FlinkApplication>noUpdate().rescheduleAfter(pause);
  }

  private SeenApplication observe(
      FlinkApplication resource, ResourceRef ref, Context<FlinkApplication> context) {
    ApplicationRecord record = ApplicationStatuses.record(resource.getStatus());
    ApplicationDeployment deployment = resource.getStatus().deployment();
    VersionObserver versions =
        new VersionObserver(
            resource,
            context.getSecondaryResources(Deployment.class),
            context.getSecondaryResources(Pod.class),
            Objects.requireNonNull(polls, "event sources come first"));
    SeenApplication.Observed observed =
        new SeenApplication.Observed(
            observe(versions, record.deployed(), deployment == null ? null : deployment.deployed()),
            observe(versions, record.target(), deployment == null ? null : deployment.target()),
            dispatcher.state(ref),
            clock.instant());
    versions.poll();
    return SeenApplication.of(resource, ref, observed);
  }

  private static Optional<ObservedVersion> observe(
      VersionObserver versions, @Nullable VersionRef version, @Nullable DeployedVersion stored) {
    return Optional.ofNullable(version)
        .map(it -> versions.observe(it, ApplicationCheck.frozen(stored).orElse(null)));
  }

  private void submit(SeenApplication seen, ReconcileAction decision) {
    dispatcher.submit(seen.ref(), decision, seen.workflow(), trigger.wake(seen.resource()));
    dispatcher.keepAnswers(seen.ref(), seen.requests().all());
  }

  /** Returns when to come back, if nothing happens before. */
  private Optional<Duration> tell(
      SeenApplication seen, ReconcileAction decision, Context<FlinkApplication> context) {
    FlinkApplication resource = seen.resource();
    FlinkApplicationStatus wanted = fields.project(seen, decision);
    Optional<Duration> due =
        status.write(
            resource,
            wanted,
            wanted,
            context,
            () -> changes(seen, wanted).forEach(event -> events.record(resource, event)));
    Stream.concat(PlanEvents.of(seen).stream(), exceptions.of(seen).stream())
        .forEach(event -> events.record(resource, event));
    return Stream.of(due.stream(), checks(seen, decision).stream())
        .flatMap(Function.identity())
        .min(Duration::compareTo);
  }

  private static Stream<StatusEvent> changes(SeenApplication seen, FlinkApplicationStatus wanted) {
    ChangeEvents change = new ChangeEvents(seen, new ApplicationStatusView(wanted));
    return Stream.of(
            change.spec().stream(),
            change.operation().stream(),
            change.job(false).stream(),
            seen.requests().events().stream())
        .flatMap(Function.identity());
  }

  private Optional<Duration> checks(SeenApplication seen, ReconcileAction decision) {
    if (seen.workflow().unavailable() != null && !(decision instanceof Nothing)) {
      return Optional.of(decision.isCheck() ? intervals.resync() : intervals.temporalRetry());
    }
    boolean open =
        seen.phase().isOpen() || seen.phase().inFlight() || LostVersion.of(seen).isPresent();
    return open ? Optional.of(intervals.resync()) : Optional.empty();
  }

  private void forget(FlinkApplication resource) {
    ResourceRef ref = kubernetes.ref(resource);
    dispatcher.forget(ref);
    status.forget(ref.uid());
    exceptions.forget(ref.uid());
  }
}
