package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.controller.common.EventRecorder;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.LogContext;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.common.ReconcileTrigger;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.common.StatusThrottle;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.controller.deployment.JobSnapshots;
import dev.sluice.controller.deployment.SnapshotRequests;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.observation.JobPolls;
import dev.sluice.controller.observation.PolledJob;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.Nothing;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.status.ChangeEvents;
import dev.sluice.controller.status.ExceptionEvents;
import dev.sluice.controller.status.PlanEvents;
import dev.sluice.workflows.model.ResourceRef;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Observes a FlinkSessionJob and the session cluster that it names, decides, and writes its status.
 * Waits for nothing: Temporal and Flink are called on other threads. What Flink says comes with
 * what its cluster is asked anyway.
 */
public final class FlinkSessionJobReconciler
    implements Reconciler<FlinkSessionJob>, Cleaner<FlinkSessionJob> {

  private static final String BY_CLUSTER = "deploymentName";

  private final ReconcileTrigger<FlinkSessionJob> trigger = new ReconcileTrigger<>(this::forget);
  private final KubernetesCluster kubernetes;
  private final OperationDispatcher dispatcher;
  private final JobPollers pollers;
  private final SnapshotRequests<FlinkSessionJob> snapshots;
  private final Supplier<DefaultConfiguration> defaults;
  private final SessionJobStatusFields fields;
  private final StatusWriter<FlinkSessionJob, FlinkSessionJobStatus> status;
  private final EventRecorder events;
  private final SessionClusterLabel label;
  private final ExceptionEvents exceptions;
  private final Clock clock;
  private final ReconcileIntervals intervals;
  private volatile @Nullable InformerEventSource<FlinkDeployment, FlinkSessionJob> clusters;
  private volatile @Nullable JobPolls<FlinkSessionJob, PolledJob.Target, PolledJob.Seen> polls;

  /**
   * @param client for statuses and labels
   * @param events records what happens
   * @param kubernetes the cluster that this controller serves
   * @param dispatcher calls Temporal
   * @param pollers ask the session clusters, for the reconciler of FlinkDeployments
   * @param snapshots sees to those that specs ask for
   * @param defaults Flink configuration that holds where a cluster does not say, as it is now
   */
  public FlinkSessionJobReconciler(
      KubernetesClient client,
      EventRecorder events,
      KubernetesCluster kubernetes,
      OperationDispatcher dispatcher,
      JobPollers pollers,
      SnapshotRequests<FlinkSessionJob> snapshots,
      Clock clock,
      ReconcileIntervals intervals,
      Supplier<DefaultConfiguration> defaults) {
    this.snapshots = snapshots;
    this.defaults = defaults;
    this.kubernetes = kubernetes;
    this.dispatcher = dispatcher;
    this.pollers = pollers;
    this.fields = new SessionJobStatusFields(clock);
    this.status =
        new StatusWriter<>(
            client,
            FlinkSessionJob.class,
            fields,
            new StatusThrottle<>(fields, clock, intervals.liveStatus()));
    this.events = events;
    this.label = new SessionClusterLabel(client);
    this.exceptions = new ExceptionEvents(clock);
    this.clock = clock;
    this.intervals = intervals;
  }

  @Override
  public List<EventSource<?, FlinkSessionJob>> prepareEventSources(
      EventSourceContext<FlinkSessionJob> context) {
    IndexerResourceCache<FlinkSessionJob> jobs = context.getPrimaryCache();
    jobs.addIndexers(
        Map.of(
            BY_CLUSTER,
            job -> clusterOf(job).map(FlinkSessionJobReconciler::key).stream().toList()));
    var deployments = deployments(context, jobs);
    clusters = deployments;
    var asked = pollers.ofHosted(context);
    polls = asked;
    return Stream.concat(
            Stream.of(trigger, asked, deployments), snapshots.eventSource(context).stream())
        .toList();
  }

  private static InformerEventSource<FlinkDeployment, FlinkSessionJob> deployments(
      EventSourceContext<FlinkSessionJob> context, IndexerResourceCache<FlinkSessionJob> jobs) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(FlinkDeployment.class, FlinkSessionJob.class)
            .withPrimaryToSecondaryMapper(
                (FlinkSessionJob job) -> clusterOf(job).map(Set::of).orElse(Set.of()))
            .withSecondaryToPrimaryMapper(
                deployment ->
                    jobs.byIndex(BY_CLUSTER, key(ResourceID.fromResource(deployment))).stream()
                        .map(ResourceID::fromResource)
                        .collect(Collectors.toSet()))
            .withOnUpdateFilter(FlinkSessionJobReconciler::concernsJobs)
            .withNamespacesInheritedFromController()
            .build(),
        context);
  }

  private static Optional<ResourceID> clusterOf(FlinkSessionJob job) {
    return Optional.ofNullable(job.getSpec().deploymentName())
        .filter(name -> !name.isBlank())
        .map(name -> new ResourceID(name, job.getMetadata().getNamespace()));
  }

  private static String key(ResourceID id) {
    return id.getNamespace().orElse("") + "/" + id.getName();
  }

  private static boolean concernsJobs(FlinkDeployment now, FlinkDeployment before) {
    return !now.getMetadata().getUid().equals(before.getMetadata().getUid())
        || !SeenCluster.of("", now).equals(SeenCluster.of("", before));
  }

  /** Checks a spec that is about to be stored, with what is known of the cluster that it names. */
  public SessionJobCheck check(FlinkSessionJob resource) {
    var known = clusters;
    FlinkDeployment cluster =
        known == null ? null : clusterOf(resource).flatMap(known::get).orElse(null);
    return SessionJobCheck.beforeStored(resource, cluster);
  }

  @Override
  public UpdateControl<FlinkSessionJob> reconcile(
      FlinkSessionJob resource, Context<FlinkSessionJob> context) {
    ResourceRef ref = kubernetes.ref(resource);
    try (LogContext log = LogContext.of(ref)) {
      SeenSessionJob seen = observe(resource, ref, context);
      ReconcileAction decision = SessionJobPlanner.decide(seen);
      submit(seen, decision);
      // after that, because they call Kubernetes, which may be slow
      label.keep(resource);
      JobSnapshots.Outcome asked =
          snapshots.carryOut(seen, context, defaultsOf(seen), trigger.wake(resource));
      asked.events().forEach(event -> events.record(resource, event));
      UpdateControl<FlinkSessionJob> done = UpdateControl.noUpdate();
      sooner(tell(seen, decision, asked, context), asked.review()).ifPresent(done::rescheduleAfter);
      return done;
    }
  }

  @Override
  public DeleteControl cleanup(FlinkSessionJob resource, Context<FlinkSessionJob> context) {
    ResourceRef ref = kubernetes.ref(resource);
    try (LogContext log = LogContext.of(ref)) {
      SeenSessionJob seen = observe(resource, ref, context);
      ReconcileAction decision = SessionJobPlanner.decide(seen);
      submit(seen, decision);
      JobSnapshots.Outcome last = snapshots.carryOutLast(seen); // may be slow
      last.events().forEach(event -> events.record(resource, event));
      if (decision instanceof RemoveFinalizer remove
          && (remove.forced() || last.review().isEmpty())) {
        snapshots.end(seen);
        ChangeEvents.of(remove, "Its job may run on, on the session cluster; its checkpoints stay.")
            .forEach(event -> events.record(resource, event));
        return DeleteControl.defaultDelete();
      }
      return DeleteControl.noFinalizerRemoval()
          .rescheduleAfter(
              sooner(tell(seen, decision, last, context), last.review())
                  .orElse(intervals.resync()));
    }
  }

  private static Optional<Duration> sooner(Optional<Duration> one, Optional<Duration> other) {
    return Stream.concat(one.stream(), other.stream()).min(Duration::compareTo);
  }

  private FlinkConfiguration defaultsOf(SeenSessionJob seen) {
    return defaults.get().forResource(seen.ref().namespace(), seen.flinkVersion());
  }

  private SeenSessionJob observe(
      FlinkSessionJob resource, ResourceRef ref, Context<FlinkSessionJob> context) {
    FlinkDeployment deployment = context.getSecondaryResource(FlinkDeployment.class).orElse(null);
    String name = Optional.ofNullable(resource.getSpec().deploymentName()).orElse("");
    return SeenSessionJob.of(
        resource,
        ref,
        new ObservedSessionJob(
            SeenCluster.of(name, deployment),
            told(resource, deployment),
            dispatcher.state(ref),
            clock.instant()));
  }

  /** What answers of Flink are about: this job, after this operation. */
  private static String subject(FlinkSessionJob resource) {
    OperationStatus operation = resource.getStatus().operation();
    return operation == null ? "" : operation.runId() + " " + operation.state();
  }

  private PolledJob.Seen told(FlinkSessionJob resource, @Nullable FlinkDeployment deployment) {
    JobPolls<FlinkSessionJob, PolledJob.Target, PolledJob.Seen> asked =
        Objects.requireNonNull(polls, "event sources come first");
    String job = SeenSessionJob.jobId(resource.getStatus());
    if (deployment == null || job == null) {
      asked.poll(resource, List.of());
      return PolledJob.Seen.NOTHING;
    }
    PolledJob.Target target =
        new PolledJob.Target(
            ResourceID.fromResource(deployment),
            deployment.getMetadata().getUid(),
            job,
            subject(resource));
    asked.poll(resource, List.of(target));
    return asked.answer(resource, target.key(), target.subject()).orElse(PolledJob.Seen.NOTHING);
  }

  private void submit(SeenSessionJob seen, ReconcileAction decision) {
    dispatcher.submit(seen.ref(), decision, seen.workflow(), trigger.wake(seen.resource()));
    dispatcher.keepAnswers(seen.ref(), seen.requests().all());
  }

  /** Returns when to come back, if nothing happens before. */
  private Optional<Duration> tell(
      SeenSessionJob seen,
      ReconcileAction decision,
      JobSnapshots.Outcome asked,
      Context<FlinkSessionJob> context) {
    FlinkSessionJob resource = seen.resource();
    FlinkSessionJobStatus projected = fields.project(seen, decision);
    FlinkSessionJobStatus wanted =
        projected
            .withSnapshotTriggers(asked.triggers().orNull())
            .withRequests(asked.requests(projected.requests()));
    Optional<Duration> due =
        status.write(
            resource,
            wanted,
            wanted.withSnapshotTriggers(JobSnapshots.urgent(seen, wanted.snapshotTriggers())),
            context,
            () -> changes(seen, wanted).forEach(event -> events.record(resource, event)));
    Stream.concat(PlanEvents.of(seen).stream(), exceptions.of(seen).stream())
        .forEach(event -> events.record(resource, event));
    return Stream.of(due.stream(), checks(seen, decision).stream())
        .flatMap(Function.identity())
        .min(Duration::compareTo);
  }

  private static Stream<StatusEvent> changes(SeenSessionJob seen, FlinkSessionJobStatus wanted) {
    ChangeEvents change = new ChangeEvents(seen, wanted);
    return Stream.of(
            change.spec().stream(),
            change.operation().stream(),
            change.job(false).stream(),
            change.snapshots().stream(),
            seen.requests().events().stream())
        .flatMap(Function.identity());
  }

  private Optional<Duration> checks(SeenSessionJob seen, ReconcileAction decision) {
    if (seen.workflow().unavailable() != null && !(decision instanceof Nothing)) {
      return Optional.of(decision.isCheck() ? intervals.resync() : intervals.temporalRetry());
    }
    if (seen.mustLeave()) {
      return Optional.of(intervals.temporalRetry());
    }
    boolean open =
        seen.phase().isOpen() || seen.phase().inFlight() || LostSessionJob.of(seen).isPresent();
    return open ? Optional.of(intervals.resync()) : Optional.empty();
  }

  private void forget(FlinkSessionJob resource) {
    ResourceRef ref = kubernetes.ref(resource);
    dispatcher.forget(ref);
    status.forget(ref.uid());
    exceptions.forget(ref.uid());
    snapshots.forget(ref);
  }
}
