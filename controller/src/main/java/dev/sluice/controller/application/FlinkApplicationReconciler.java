package dev.sluice.controller.application;

import dev.sluice.activities.application.ApplicationStatuses;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationDeployment;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.DeployedVersion;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.controller.admission.Verdict;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.observation.JobPolls;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.controller.status.ChangeEvents;
import dev.sluice.controller.status.ExceptionEvents;
import dev.sluice.controller.status.PlanEvents;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reconciles FlinkApplications with the clusters of their versions. */
public final class FlinkApplicationReconciler
    extends LaneReconciler<FlinkApplication, FlinkApplicationStatus, SeenApplication> {

  private static final Duration UNTIL_SEEN = Duration.ofSeconds(1);

  private static final Duration DETAILS_INTERVAL = Duration.ofSeconds(10);

  private final ApplicationFinalizers finalizers;
  private final JobPolls<PollTarget, VersionPoll.Answer> polls;

  /**
   * @param pollers ask clusters for their jobs
   * @param flink for what is asked besides; stays the caller's to close
   */
  public FlinkApplicationReconciler(Shared shared, JobPollers pollers, FlinkRest flink) {
    super(shared, FlinkApplication.class, new ApplicationStatusFields(shared.clock()));
    this.polls =
        pollers.of(
            target ->
                new VersionPoll(
                    target, pollers.cluster(target), flink, shared.clock(), DETAILS_INTERVAL),
            (before, now) -> now.differsFrom(before),
            trigger);
    this.finalizers = new ApplicationFinalizers(shared.client());
  }

  @Override
  public Registration<FlinkApplication> registration() {
    return new Registration<>("sluice-applications", new ApplicationChangeFilter(), null);
  }

  @Override
  public Verdict check(FlinkApplication resource) {
    ApplicationCheck newest = ApplicationCheck.of(resource);
    return new Verdict(newest.violations(), newest.ignored());
  }

  @Override
  protected Stream<EventSource<?, FlinkApplication>> eventSources(
      EventSourceContext<FlinkApplication> context) {
    return Stream.of(
        new InformerEventSource<>(informer(Deployment.class), context),
        new InformerEventSource<>(informer(Pod.class), context));
  }

  private static <R extends HasMetadata> InformerEventSourceConfiguration<R> informer(
      Class<R> type) {
    return InformerEventSourceConfiguration.from(type, FlinkApplication.class)
        .withLabelSelector(ApplicationLabels.FLINK_APP + "," + Labels.FLINK_DEPLOYMENT_TYPE)
        .withSecondaryToPrimaryMapper(FlinkApplicationReconciler::applicationOf)
        .withNamespacesInheritedFromController()
        .build();
  }

  private static Set<ResourceID> applicationOf(HasMetadata part) {
    String name = Labels.of(part, ApplicationLabels.FLINK_APP);
    return name == null
        ? Set.of()
        : Set.of(new ResourceID(name, part.getMetadata().getNamespace()));
  }

  @Override
  protected UpdateControl<FlinkApplication> reconcile(
      FlinkApplication resource, ResourceRef ref, Context<FlinkApplication> context) {
    boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
    if (context.isPrimaryResourceDeleted()
        || (deleting && !ApplicationFinalizers.holds(resource))) {
      return UpdateControl.noUpdate();
    }
    Optional<FlinkApplication> kept = deleting ? Optional.of(resource) : finalizers.keep(resource);
    if (kept.isEmpty()) {
      return after(Optional.of(UNTIL_SEEN));
    }
    SeenApplication seen = observe(kept.get(), ref, context);
    ReconcileAction decision = decide(seen);
    return decision instanceof RemoveFinalizer remove
        ? release(seen, remove)
        : after(publishAndRequest(seen, decision, context));
  }

  private UpdateControl<FlinkApplication> release(SeenApplication seen, RemoveFinalizer decision) {
    if (!finalizers.release(seen.resource())) {
      return after(Optional.of(UNTIL_SEEN));
    }
    leave(seen, decision);
    return UpdateControl.noUpdate();
  }

  @Override
  protected SeenApplication observe(
      FlinkApplication resource, ResourceRef ref, Context<FlinkApplication> context) {
    ApplicationRecord record = ApplicationStatuses.record(resource.getStatus());
    ApplicationDeployment deployment = resource.getStatus().deployment();
    VersionObserver versions =
        new VersionObserver(
            resource,
            context.getSecondaryResources(Deployment.class),
            context.getSecondaryResources(Pod.class),
            polls);
    SeenApplication.Observed observed =
        new SeenApplication.Observed(
            observe(versions, record.deployed(), deployment == null ? null : deployment.deployed()),
            observe(versions, record.target(), deployment == null ? null : deployment.target()),
            TemporalAnswers.of(new ApplicationStatusView(resource.getStatus())::condition),
            shared().clock().instant());
    versions.poll();
    return SeenApplication.of(resource, ref, observed);
  }

  private static Optional<ObservedVersion> observe(
      VersionObserver versions, @Nullable VersionRef version, @Nullable DeployedVersion stored) {
    return Optional.ofNullable(version)
        .map(it -> versions.observe(it, ApplicationCheck.frozen(stored).orElse(null)));
  }

  @Override
  protected ReconcileAction decide(SeenApplication seen) {
    return ApplicationOperations.decide(seen);
  }

  @Override
  protected SeenApplication with(
      SeenApplication seen, FlinkApplication resource, TemporalAnswers learned) {
    return SeenApplication.of(resource, seen.ref(), seen.observed().with(learned));
  }

  @Override
  protected Stream<StatusEvent> changes(SeenApplication seen, FlinkApplicationStatus wanted) {
    return new ChangeEvents(seen, new ApplicationStatusView(wanted)).all(false);
  }

  @Override
  protected Stream<StatusEvent> presentEvents(SeenApplication seen) {
    return Stream.concat(PlanEvents.of(seen).stream(), ExceptionEvents.of(seen).stream());
  }

  @Override
  protected void forget(ResourceRef ref) {
    polls.forget(new ResourceID(ref.name(), ref.namespace()));
  }

  @Override
  protected String left() {
    return "Kubernetes deletes its clusters, without a savepoint.";
  }
}
