package dev.sluice.controller.deployment;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.api.Labels;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.EventRecorder;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.LogContext;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.common.ReconcileTrigger;
import dev.sluice.controller.common.StatusThrottle;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.inplace.IngressWriter;
import dev.sluice.controller.observation.ClusterObserver;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.observation.JobPolls;
import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.controller.observation.RestPort;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.status.ExceptionEvents;
import dev.sluice.controller.status.PlanEvents;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
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
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Observes a FlinkDeployment, decides, and writes its status. Waits for nothing: Temporal and Flink
 * are called on other threads, and their answers bring the resource back here.
 */
public final class FlinkDeploymentReconciler
    implements Reconciler<FlinkDeployment>, Cleaner<FlinkDeployment> {

  private final ReconcileTrigger<FlinkDeployment> trigger = new ReconcileTrigger<>(this::forget);
  private final KubernetesCluster kubernetes;
  private final OperationDispatcher dispatcher;
  private final JobPollers pollers;
  private final StatusProjection projection;
  private final StatusWriter<FlinkDeployment, FlinkDeploymentStatus> status;
  private final EventRecorder events;
  private final ExceptionEvents exceptions;
  private final InPlaceChanges inPlace;
  private final SnapshotRequests<FlinkDeployment> snapshots;
  private final Clock clock;
  private final ReconcileIntervals intervals;
  private final Supplier<DefaultConfiguration> defaults;
  private volatile @Nullable IndexerResourceCache<FlinkDeployment> known;
  private volatile @Nullable JobPolls<FlinkDeployment, PollTarget, ObservedJob> polls;

  /**
   * @param client for statuses, and what is changed in place
   * @param events records what happens
   * @param kubernetes the cluster that this controller serves
   * @param dispatcher calls Temporal
   * @param snapshots sees to those that specs ask for
   * @param pollers ask Flink
   * @param defaults Flink configuration that holds where a spec does not say, as it is now
   */
  public FlinkDeploymentReconciler(
      KubernetesClient client,
      EventRecorder events,
      KubernetesCluster kubernetes,
      OperationDispatcher dispatcher,
      SnapshotRequests<FlinkDeployment> snapshots,
      JobPollers pollers,
      Clock clock,
      ReconcileIntervals intervals,
      Supplier<DefaultConfiguration> defaults) {
    this.defaults = defaults;
    this.kubernetes = kubernetes;
    this.dispatcher = dispatcher;
    this.pollers = pollers;
    this.projection = new StatusProjection(clock);
    DeploymentStatusFields fields = new DeploymentStatusFields(clock);
    this.status =
        new StatusWriter<>(
            client,
            FlinkDeployment.class,
            fields,
            new StatusThrottle<>(fields, clock, intervals.liveStatus()));
    this.events = events;
    this.exceptions = new ExceptionEvents(clock);
    this.inPlace = new InPlaceChanges(client, clock);
    this.snapshots = snapshots;
    this.intervals = intervals;
    this.clock = clock;
  }

  @Override
  public List<EventSource<?, FlinkDeployment>> prepareEventSources(
      EventSourceContext<FlinkDeployment> context) {
    known = context.getPrimaryCache();
    var asked = pollers.ofHosts(context);
    polls = asked;
    return Stream.concat(
            Stream.<EventSource<?, FlinkDeployment>>of(
                trigger,
                asked,
                new InformerEventSource<>(informer(Deployment.class), context),
                new InformerEventSource<>(informer(Pod.class), context),
                new InformerEventSource<>(informer(Service.class), context),
                new InformerEventSource<>(IngressWriter.informer(FlinkDeployment.class), context)),
            snapshots.eventSource(context).stream())
        .toList();
  }

  /** The defaults have changed: what was invalid may be valid now, and the other way round. */
  public void defaultsChanged() {
    IndexerResourceCache<FlinkDeployment> all = known;
    if (all != null) {
      all.list().forEach(resource -> trigger.wake(resource).run());
    }
  }

  private FlinkConfiguration defaultsOf(SeenDeployment seen) {
    return defaults.get().forResource(seen.ref().namespace(), seen.deployedSpec().flinkVersion());
  }

  private static <R extends HasMetadata> InformerEventSourceConfiguration<R> informer(
      Class<R> type) {
    return InformerEventSourceConfiguration.from(type, FlinkDeployment.class)
        .withLabelSelector(Labels.OF_CLUSTERS)
        .withSecondaryToPrimaryMapper(FlinkDeploymentReconciler::resourceOf)
        .withNamespacesInheritedFromController()
        .build();
  }

  private static Set<ResourceID> resourceOf(HasMetadata part) {
    Map<String, String> labels = part.getMetadata().getLabels();
    String name = labels == null ? null : labels.get(Labels.APP);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, part.getMetadata().getNamespace()));
  }

  @Override
  public UpdateControl<FlinkDeployment> reconcile(
      FlinkDeployment resource, Context<FlinkDeployment> context) {
    ResourceRef ref = kubernetes.ref(resource);
    try (LogContext log = LogContext.of(ref)) {
      UpdateControl<FlinkDeployment> done = UpdateControl.noUpdate();
      SpecCheck check = SpecCheck.of(resource, defaults.get());
      SeenDeployment seen = observe(resource, ref, check, context);
      ReconcileAction decision = DeploymentPlanner.decide(seen);
      submit(seen, decision);
      // after that, because it calls Kubernetes, which may be slow
      InPlaceOutcome beside = inPlace.carryOut(seen, context);
      beside.events().forEach(event -> events.record(resource, event));
      JobSnapshots.Outcome asked =
          snapshots.carryOut(seen, context, defaultsOf(seen), trigger.wake(resource));
      asked.events().forEach(event -> events.record(resource, event));
      Stream.of(
              tell(seen.withInPlace(beside.problem()), decision, asked, context),
              Optional.ofNullable(beside.review()),
              asked.review())
          .flatMap(Optional::stream)
          .min(Duration::compareTo)
          .ifPresent(done::rescheduleAfter);
      return done;
    }
  }

  @Override
  public DeleteControl cleanup(FlinkDeployment resource, Context<FlinkDeployment> context) {
    ResourceRef ref = kubernetes.ref(resource);
    try (LogContext log = LogContext.of(ref)) {
      SeenDeployment snapshot =
          observe(resource, ref, SpecCheck.of(resource, defaults.get()), context);
      ReconcileAction decision = DeploymentPlanner.decide(snapshot);
      submit(snapshot, decision);
      JobSnapshots.Outcome last = snapshots.carryOutLast(snapshot); // may be slow
      last.events().forEach(event -> events.record(resource, event));
      if (decision instanceof RemoveFinalizer remove
          && (remove.forced() || last.review().isEmpty())) {
        snapshots.end(snapshot);
        StatusEvents.of(remove).forEach(event -> events.record(resource, event));
        return DeleteControl.defaultDelete();
      }
      return DeleteControl.noFinalizerRemoval()
          .rescheduleAfter(
              Stream.of(tell(snapshot, decision, last, context), last.review())
                  .flatMap(Optional::stream)
                  .min(Duration::compareTo)
                  .orElse(intervals.resync()));
    }
  }

  private SeenDeployment observe(
      FlinkDeployment resource,
      ResourceRef ref,
      SpecCheck check,
      Context<FlinkDeployment> context) {
    Instant now = clock.instant();
    ObservedCluster cluster =
        ClusterObserver.of(
            ref.uid(),
            context.getSecondaryResources(Deployment.class),
            context.getSecondaryResources(Pod.class),
            now);
    String silent = cluster.whyNotAnswering();
    ObservedJob job =
        silent == null
            ? polls().answer(resource, "", subject(resource, cluster)).orElseGet(Pending::new)
            : new ObservedJob.Unreachable(silent);
    return SeenDeployment.of(
        resource, ref, new ObservedState(cluster, job, dispatcher.state(ref), now, null), check);
  }

  /** What answers of Flink are about: these JobManager processes, after this operation. */
  private static String subject(FlinkDeployment resource, ObservedCluster cluster) {
    OperationStatus operation = resource.getStatus().operation();
    return cluster.jobManagerPods()
        + " "
        + (operation == null ? "" : operation.runId() + " " + operation.state());
  }

  private void submit(SeenDeployment snapshot, ReconcileAction decision) {
    dispatcher.submit(
        snapshot.ref(),
        decision,
        snapshot.observed().workflow(),
        trigger.wake(snapshot.resource()));
    dispatcher.keepAnswers(snapshot.ref(), snapshot.requests().all());
  }

  /** Returns when to come back, if nothing happens before. */
  private Optional<Duration> tell(
      SeenDeployment snapshot,
      ReconcileAction decision,
      JobSnapshots.Outcome asked,
      Context<FlinkDeployment> context) {
    FlinkDeployment resource = snapshot.resource();
    FlinkDeploymentStatus projected = projection.project(snapshot, decision);
    FlinkDeploymentStatus wanted =
        projected
            .withSnapshotTriggers(asked.triggers().orNull())
            .withRequests(asked.requests(projected.requests()));
    poll(snapshot, context);
    Optional<Duration> due =
        status.write(
            resource,
            wanted,
            wanted.withSnapshotTriggers(JobSnapshots.urgent(snapshot, wanted.snapshotTriggers())),
            context,
            () ->
                StatusEvents.of(snapshot, wanted).forEach(event -> events.record(resource, event)));
    Stream.of(
            PlanEvents.of(snapshot).stream(),
            ProblemEvents.of(snapshot).stream(),
            exceptions.of(snapshot).stream())
        .flatMap(Function.identity())
        .forEach(event -> events.record(resource, event));
    return Stream.of(due.stream(), checks(snapshot, decision))
        .flatMap(Function.identity())
        .min(Duration::compareTo);
  }

  private void poll(SeenDeployment snapshot, Context<FlinkDeployment> context) {
    ObservedCluster cluster = snapshot.observed().cluster();
    polls()
        .poll(
            snapshot.resource(),
            cluster.answerable()
                ? List.of(
                    snapshot.pollTarget(
                        endpoint(snapshot, context), subject(snapshot.resource(), cluster)))
                : List.of());
  }

  private JobPolls<FlinkDeployment, PollTarget, ObservedJob> polls() {
    return Objects.requireNonNull(polls, "event sources come first");
  }

  private static Endpoint endpoint(SeenDeployment snapshot, Context<FlinkDeployment> context) {
    ResourceRef ref = snapshot.ref();
    return new Endpoint(
        new ClusterRef(ref.namespace(), ref.name()),
        RestPort.of(ref, context.getSecondaryResources(Service.class))
            .orElseGet(() -> FlinkPorts.rest(snapshot.deployedSpec().configuration())));
  }

  private Stream<Duration> checks(SeenDeployment snapshot, ReconcileAction decision) {
    if (snapshot.observed().workflow().unavailable() != null && !(decision instanceof Nothing)) {
      return Stream.of(decision.isCheck() ? intervals.resync() : intervals.temporalRetry());
    }
    boolean open =
        snapshot.phase().isOpen()
            || snapshot.phase().inFlight()
            || snapshot.mustFinish()
            || LostJob.of(snapshot).isPresent();
    return Stream.concat(
        open ? Stream.of(intervals.resync()) : Stream.empty(),
        Stream.concat(
            // time alone makes a problem of a pod count, or pass
            Stream.ofNullable(snapshot.observed().cluster().health().review()).map(this::until),
            JobManagerShutdown.stopAt(snapshot)
                .filter(at -> at.isAfter(snapshot.observed().at()))
                .map(this::until)
                .stream()));
  }

  private Duration until(Instant at) {
    Duration left = Duration.between(clock.instant(), at).plusMillis(1);
    return left.isNegative() ? Duration.ofMillis(1) : left;
  }

  private void forget(FlinkDeployment resource) {
    ResourceRef ref = kubernetes.ref(resource);
    dispatcher.forget(ref);
    status.forget(ref.uid());
    exceptions.forget(ref.uid());
    inPlace.forget(ref);
    snapshots.forget(ref);
  }
}
