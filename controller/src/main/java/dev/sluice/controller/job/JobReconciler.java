package dev.sluice.controller.job;

import dev.sluice.api.Labels;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.OperatedResource;
import dev.sluice.controller.admission.Verdict;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.controller.reconcile.StatusProjection;
import dev.sluice.controller.snapshot.JobSnapshots;
import dev.sluice.controller.status.ChangeEvents;
import dev.sluice.controller.status.ExceptionEvents;
import dev.sluice.controller.status.PlanEvents;
import dev.sluice.workflows.model.ResourceRef;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Reconciles FlinkDeployments or FlinkSessionJobs. Flink is called on other threads, and Temporal
 * last.
 *
 * @param <R> the resource
 * @param <S> its status
 * @param <C> what is known of its cluster
 * @param <V> the resource with what was observed of it
 */
public abstract class JobReconciler<
        R extends OperatedResource<?, S>, S extends JobResourceStatus, C, V extends SeenJob<R, C>>
    extends LaneReconciler<R, S, V> implements Cleaner<R> {

  private final JobSnapshots<R> snapshots;
  private final Supplier<DefaultConfiguration> defaults;

  /**
   * @param snapshots sees to those that specs ask for
   * @param defaults Flink configuration that holds where a spec does not say, as it is now
   */
  protected JobReconciler(
      Shared shared,
      Class<R> type,
      StatusProjection<R, S, V> projection,
      JobSnapshots<R> snapshots,
      Supplier<DefaultConfiguration> defaults) {
    super(shared, type, projection);
    this.snapshots = snapshots;
    this.defaults = defaults;
  }

  /** Flink configuration that holds where a spec does not say. */
  protected final DefaultConfiguration defaults() {
    return defaults.get();
  }

  /** The status of a resource of which nothing but its newest generation was looked at. */
  protected abstract S acknowledged(long generation);

  /** Checks the spec of a resource as it would be stored. */
  protected abstract Verdict checkSpec(R resource);

  /** The resource with what was observed. */
  protected abstract V with(V seen, R resource, Observed<C> observed);

  /** Sources of events about the cluster. */
  protected abstract Stream<EventSource<?, R>> clusterSources(EventSourceContext<R> context);

  /** Makes changes of the cluster, or of the resource, that need no operation. */
  protected abstract InPlaceOutcome bring(V seen, Context<R> context);

  @Override
  public final Verdict check(R resource) {
    return isCanary(resource) ? new Verdict(List.of(), List.of()) : checkSpec(resource);
  }

  @Override
  protected final UpdateControl<R> reconcile(R resource, ResourceRef ref, Context<R> context) {
    if (!isCanary(resource)) {
      return super.reconcile(resource, ref, context);
    }
    acknowledge(resource, acknowledged(resource.getMetadata().getGeneration()));
    return UpdateControl.noUpdate();
  }

  /** What was ever deployed, or is being, is none whatever its labels say. */
  private static boolean isCanary(OperatedResource<?, ? extends JobResourceStatus> resource) {
    JobResourceStatus status = resource.getStatus();
    return "true".equals(Labels.of(resource, Labels.CANARY))
        && status.reconciliationStatus() == null
        && status.operation() == null;
  }

  @Override
  protected final Stream<EventSource<?, R>> eventSources(EventSourceContext<R> context) {
    return Stream.concat(clusterSources(context), snapshots.eventSource(context).stream());
  }

  @Override
  protected final ReconcileAction decide(V seen) {
    return JobPlanner.decide(seen);
  }

  @Override
  protected final V changeInPlace(V seen, Context<R> context) {
    InPlaceOutcome changed = bring(seen, context);
    JobSnapshots.Outcome asked =
        snapshots.carryOut(
            seen, context, defaults().forResource(seen.ref().namespace(), seen.flinkVersion()));
    record(seen.resource(), Stream.concat(changed.events().stream(), asked.events().stream()));
    return with(seen, seen.resource(), seen.observed().with(changed, asked));
  }

  @Override
  protected final V with(V seen, R resource, TemporalAnswers learned) {
    return with(seen, resource, seen.observed().with(learned));
  }

  @Override
  protected Stream<StatusEvent> changes(V seen, S after) {
    return new ChangeEvents(seen, after).all(seen.isMissing());
  }

  @Override
  protected Stream<StatusEvent> presentEvents(V seen) {
    return Stream.concat(PlanEvents.of(seen).stream(), ExceptionEvents.of(seen).stream());
  }

  @Override
  protected final Stream<Duration> requestMore(V seen) {
    return snapshots.request(seen);
  }

  @Override
  protected Stream<Duration> reviews(V seen) {
    JobSnapshots.Outcome asked = seen.observed().asked();
    return Stream.concat(
        Stream.ofNullable(seen.observed().inPlace().review()),
        asked == null ? Stream.empty() : asked.review().stream());
  }

  @Override
  protected void forget(ResourceRef ref) {
    snapshots.forget(ref);
  }
}
