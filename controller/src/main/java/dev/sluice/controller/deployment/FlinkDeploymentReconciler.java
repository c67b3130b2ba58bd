package dev.sluice.controller.deployment;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.api.Labels;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.admission.Verdict;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.inplace.IngressWriter;
import dev.sluice.controller.job.JobReconciler;
import dev.sluice.controller.job.Observed;
import dev.sluice.controller.observation.ClusterObserver;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.observation.JobPolls;
import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.snapshot.JobSnapshots;
import dev.sluice.controller.status.Changes;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reconciles FlinkDeployments. */
public final class FlinkDeploymentReconciler
    extends JobReconciler<FlinkDeployment, FlinkDeploymentStatus, ObservedCluster, SeenDeployment> {

  private final InPlaceChanges inPlace;
  private final Clock clock;
  private final JobPolls<PollTarget, ObservedJob> polls;

  /**
   * @param snapshots sees to those that specs ask for
   * @param pollers ask Flink
   * @param defaults Flink configuration that holds where a spec does not say, as it is now
   */
  public FlinkDeploymentReconciler(
      Shared shared,
      JobSnapshots<FlinkDeployment> snapshots,
      JobPollers pollers,
      Supplier<DefaultConfiguration> defaults) {
    super(
        shared,
        FlinkDeployment.class,
        new DeploymentProjection(shared.clock()),
        snapshots,
        defaults);
    this.clock = shared.clock();
    this.polls = pollers.ofHosts(trigger);
    this.inPlace = new InPlaceChanges(shared.client());
  }

  /** Whether an update leads to a reconciliation. */
  public static boolean isChange(FlinkDeployment now, FlinkDeployment before) {
    return !Changes.lookedAt(now, now.getStatus())
        .equals(Changes.lookedAt(before, before.getStatus()));
  }

  @Override
  public Registration<FlinkDeployment> registration() {
    return new Registration<>(
        "sluice-controller", FlinkDeploymentReconciler::isChange, FlinkDeployment.FINALIZER);
  }

  @Override
  protected Verdict checkSpec(FlinkDeployment resource) {
    var check = DeploymentCheck.of(resource, defaults());
    return new Verdict(check.violations(), check.ignored());
  }

  @Override
  protected FlinkDeploymentStatus acknowledged(long generation) {
    return FlinkDeploymentStatus.EMPTY.withObservedGeneration(generation);
  }

  @Override
  protected Stream<EventSource<?, FlinkDeployment>> clusterSources(
      EventSourceContext<FlinkDeployment> context) {
    return Stream.of(
        new InformerEventSource<>(informer(Deployment.class), context),
        new InformerEventSource<>(informer(Pod.class), context),
        new InformerEventSource<>(informer(Service.class), context),
        new InformerEventSource<>(IngressWriter.informer(FlinkDeployment.class), context));
  }

  /** The defaults have changed: what was invalid may be valid now, and the other way round. */
  public void defaultsChanged() {
    trigger.wakeAll();
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
    String name = Labels.of(part, Labels.APP);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, part.getMetadata().getNamespace()));
  }

  @Override
  protected SeenDeployment observe(
      FlinkDeployment resource, ResourceRef ref, Context<FlinkDeployment> context) {
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
            ? polls
                .answer(resource, it -> it.subject().equals(subject(resource, cluster)))
                .orElseGet(Pending::new)
            : new ObservedJob.Unreachable(silent);
    SeenDeployment seen =
        SeenDeployment.of(
            resource,
            ref,
            Observed.of(cluster, job, TemporalAnswers.of(resource.getStatus()::condition), now),
            DeploymentCheck.of(resource, defaults()));
    poll(seen, context);
    return seen;
  }

  /** What answers of Flink are about: these JobManager processes, after this operation. */
  private static String subject(FlinkDeployment resource, ObservedCluster cluster) {
    OperationStatus operation = resource.getStatus().operation();
    return cluster.jobManagerPods()
        + " "
        + (operation == null ? "" : operation.runId() + " " + operation.state());
  }

  @Override
  protected InPlaceOutcome bring(SeenDeployment seen, Context<FlinkDeployment> context) {
    return inPlace.carryOut(seen, context);
  }

  @Override
  protected SeenDeployment with(
      SeenDeployment seen, FlinkDeployment resource, Observed<ObservedCluster> observed) {
    return resource == seen.resource()
        ? seen.with(observed)
        : SeenDeployment.of(
            resource, seen.ref(), observed, DeploymentCheck.of(resource, defaults()));
  }

  @Override
  protected Stream<StatusEvent> changes(SeenDeployment seen, FlinkDeploymentStatus after) {
    return DeploymentEvents.of(seen, after).stream();
  }

  @Override
  protected Stream<StatusEvent> presentEvents(SeenDeployment seen) {
    return Stream.concat(super.presentEvents(seen), DeploymentEvents.problems(seen).stream());
  }

  private void poll(SeenDeployment seen, Context<FlinkDeployment> context) {
    ObservedCluster cluster = seen.observed().cluster();
    polls.poll(
        seen.resource(),
        cluster.answerable()
            ? List.of(seen.pollTarget(endpoint(seen, context), subject(seen.resource(), cluster)))
            : List.of());
  }

  private static Endpoint endpoint(SeenDeployment snapshot, Context<FlinkDeployment> context) {
    ResourceRef ref = snapshot.ref();
    FlinkConfiguration configuration = snapshot.runningSpec().configuration();
    return Endpoint.of(
        new ClusterRef(ref.namespace(), ref.name()),
        ClusterObserver.restPort(ref, context.getSecondaryResources(Service.class))
            .orElseGet(() -> FlinkPorts.rest(configuration)),
        configuration);
  }

  /** Time alone makes a problem of a pod count, or pass. */
  @Override
  protected Stream<Duration> reviews(SeenDeployment seen) {
    Stream<Instant> times =
        Stream.concat(
            Stream.ofNullable(seen.observed().cluster().health().review()),
            JobManagerShutdown.deleteAt(seen).filter(at -> at.isAfter(seen.at())).stream());
    return Stream.concat(times.map(this::until), super.reviews(seen));
  }

  private Duration until(Instant at) {
    Duration left = Duration.between(clock.instant(), at).plusMillis(1);
    return left.isNegative() ? Duration.ofMillis(1) : left;
  }

  @Override
  protected String left() {
    return "Kubernetes' garbage collector removes what is left of the cluster; high-availability"
        + " metadata and checkpoints stay.";
  }

  @Override
  protected void forget(ResourceRef ref) {
    polls.forget(new ResourceID(ref.name(), ref.namespace()));
    inPlace.forget(ref);
    super.forget(ref);
  }
}
