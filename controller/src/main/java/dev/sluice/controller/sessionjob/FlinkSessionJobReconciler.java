package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.KubernetesNames;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.controller.admission.Verdict;
import dev.sluice.controller.common.MetadataPatch;
import dev.sluice.controller.common.SingleTry;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.job.JobReconciler;
import dev.sluice.controller.job.Observed;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.observation.JobPolls;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.PolledJob;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.snapshot.JobSnapshots;
import dev.sluice.controller.status.Changes;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles FlinkSessionJobs, each with the session cluster that it names. What Flink says comes
 * with what its cluster is asked anyway.
 */
public final class FlinkSessionJobReconciler
    extends JobReconciler<FlinkSessionJob, FlinkSessionJobStatus, SeenCluster, SeenSessionJob> {

  private static final Logger LOG = LoggerFactory.getLogger(FlinkSessionJobReconciler.class);
  private static final String BY_CLUSTER = "deploymentName";

  private final MetadataPatch metadata;
  private final JobPolls<PolledJob.Target, ObservedJob> polls;
  private volatile @Nullable InformerEventSource<FlinkDeployment, FlinkSessionJob> clusters;

  /**
   * @param snapshots sees to those that specs ask for
   * @param pollers ask the session clusters, for the reconciler of FlinkDeployments
   * @param defaults Flink configuration that holds where a cluster does not say, as it is now
   */
  public FlinkSessionJobReconciler(
      Shared shared,
      JobSnapshots<FlinkSessionJob> snapshots,
      JobPollers pollers,
      Supplier<DefaultConfiguration> defaults) {
    super(
        shared,
        FlinkSessionJob.class,
        new SessionJobProjection(shared.clock()),
        snapshots,
        defaults);
    this.polls = pollers.ofHosted(trigger);
    this.metadata = new MetadataPatch(SingleTry.of(shared.client()));
  }

  /** Whether an update leads to a reconciliation. */
  public static boolean isChange(FlinkSessionJob now, FlinkSessionJob before) {
    return !Changes.lookedAt(now, now.getStatus())
            .equals(Changes.lookedAt(before, before.getStatus()))
        || !Objects.equals(now.getStatus().submission(), before.getStatus().submission());
  }

  @Override
  public Registration<FlinkSessionJob> registration() {
    return new Registration<>(
        "sluice-session-jobs", FlinkSessionJobReconciler::isChange, FlinkSessionJob.FINALIZER);
  }

  @Override
  protected FlinkSessionJobStatus acknowledged(long generation) {
    return FlinkSessionJobStatus.EMPTY.withObservedGeneration(generation);
  }

  @Override
  protected Stream<EventSource<?, FlinkSessionJob>> clusterSources(
      EventSourceContext<FlinkSessionJob> context) {
    IndexerResourceCache<FlinkSessionJob> jobs = context.getPrimaryCache();
    jobs.addIndexers(
        Map.of(
            BY_CLUSTER,
            job -> clusterOf(job).map(FlinkSessionJobReconciler::key).stream().toList()));
    var deployments = deployments(context, jobs);
    clusters = deployments;
    return Stream.of(deployments);
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

  /** With what is known of the cluster that it names. */
  @Override
  protected Verdict checkSpec(FlinkSessionJob resource) {
    var known = clusters;
    FlinkDeployment cluster =
        known == null ? null : clusterOf(resource).flatMap(known::get).orElse(null);
    var check = SessionJobCheck.beforeStored(resource, cluster);
    return new Verdict(check.violations(), check.ignored());
  }

  @Override
  protected SeenSessionJob observe(
      FlinkSessionJob resource, ResourceRef ref, Context<FlinkSessionJob> context) {
    FlinkDeployment deployment = context.getSecondaryResource(FlinkDeployment.class).orElse(null);
    String name = Optional.ofNullable(resource.getSpec().deploymentName()).orElse("");
    return SeenSessionJob.of(
        resource,
        ref,
        Observed.of(
            SeenCluster.of(name, deployment),
            told(resource, deployment),
            TemporalAnswers.of(resource.getStatus()::condition),
            shared().clock().instant()));
  }

  /** What answers of Flink are about: this job, after this operation. */
  private static String subject(FlinkSessionJob resource) {
    OperationStatus operation = resource.getStatus().operation();
    return operation == null ? "" : operation.runId() + " " + operation.state();
  }

  private ObservedJob told(FlinkSessionJob resource, @Nullable FlinkDeployment deployment) {
    String job = SeenSessionJob.jobId(resource.getStatus());
    if (deployment == null || job == null) {
      polls.poll(resource, List.of());
      return new Pending();
    }
    PolledJob.Target target =
        new PolledJob.Target(
            ResourceID.fromResource(deployment),
            deployment.getMetadata().getUid(),
            job,
            subject(resource));
    polls.poll(resource, List.of(target));
    return polls.answer(resource, target::equals).orElseGet(Pending::new);
  }

  @Override
  protected InPlaceOutcome bring(SeenSessionJob seen, Context<FlinkSessionJob> context) {
    keepLabel(seen.resource());
    return InPlaceOutcome.DONE;
  }

  /**
   * Keeps the label that names the session cluster, by which people list the jobs on it. Where that
   * is refused, the next reconciliation tries again.
   */
  private void keepLabel(FlinkSessionJob resource) {
    String cluster = Objects.requireNonNullElse(resource.getSpec().deploymentName(), "");
    if (cluster.isEmpty() || !KubernetesNames.isLabelValue(cluster)) {
      return;
    }
    try {
      FlinkSessionJob unused =
          metadata.label(resource, Map.of(FlinkSessionJob.TARGET_SESSION, cluster));
    } catch (KubernetesClientException refused) {
      LOG.debug("No label {} yet: {}", FlinkSessionJob.TARGET_SESSION, refused.getMessage());
    }
  }

  @Override
  protected SeenSessionJob with(
      SeenSessionJob seen, FlinkSessionJob resource, Observed<SeenCluster> observed) {
    return SeenSessionJob.of(resource, seen.ref(), observed);
  }

  /** Its cluster waits for a job that is to leave it. */
  @Override
  protected Duration spacing(SeenSessionJob seen) {
    return seen.mustLeave() ? shared().intervals().temporalRetry() : super.spacing(seen);
  }

  @Override
  protected String left() {
    return "Its job may run on, on the session cluster; its checkpoints stay.";
  }

  @Override
  protected void forget(ResourceRef ref) {
    polls.forget(new ResourceID(ref.name(), ref.namespace()));
    super.forget(ref);
  }
}
