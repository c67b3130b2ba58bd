package dev.sluice.controller.reconcile;

import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.bootstrap.LogKeys;
import dev.sluice.controller.admission.CheckedKind;
import dev.sluice.controller.admission.Verdict;
import dev.sluice.controller.common.EventRecorder;
import dev.sluice.controller.common.KnownResources;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.ReconcileIntervals;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.common.StatusWriter;
import dev.sluice.controller.common.WatchedNamespaces;
import dev.sluice.controller.observation.JobPolls;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.OperationDispatcher.Dispatched;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.RemoveFinalizer;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceAction;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceEvent;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Reconciles the resources of one kind, each of which has a lane of runs in Temporal. The status is
 * published before Temporal is called, so that a Temporal that is away hides nothing.
 *
 * @param <R> the resource
 * @param <S> its status
 * @param <V> the resource with what was observed of it
 */
public abstract class LaneReconciler<R extends HasMetadata, S, V extends SeenLane<R>>
    implements Reconciler<R> {

  protected final Trigger trigger = new Trigger();

  private final Shared shared;
  private final Class<R> type;
  private final StatusProjection<R, S, V> projection;
  private final StatusWriter<R, S> status;
  private volatile @Nullable IndexerResourceCache<R> primaries;

  /**
   * Parts that the reconcilers of all kinds share.
   *
   * @param client for statuses, and for what is changed in place; stays the caller's to close
   * @param events records what happens
   * @param cluster that this controller serves
   * @param namespaces whose resources are reconciled; what is in others is left alone
   * @param known the resources of all kinds
   * @param dispatcher calls Temporal
   */
  public record Shared(
      KubernetesClient client,
      EventRecorder events,
      KubernetesCluster cluster,
      WatchedNamespaces namespaces,
      KnownResources known,
      OperationDispatcher dispatcher,
      Clock clock,
      ReconcileIntervals intervals) {}

  /**
   * @param projection the controller's part of the status
   */
  protected LaneReconciler(Shared shared, Class<R> type, StatusProjection<R, S, V> projection) {
    this.shared = shared;
    this.type = type;
    this.projection = projection;
    this.status = new StatusWriter<>(shared.client(), type);
  }

  @Override
  public List<EventSource<?, R>> prepareEventSources(EventSourceContext<R> context) {
    IndexerResourceCache<R> cache = context.getPrimaryCache();
    primaries = cache;
    shared.known().add(type, () -> cache.list(shared.namespaces()::hold));
    return Stream.concat(Stream.of(trigger), eventSources(context)).toList();
  }

  /** A namespace is watched from now on, or no longer: has its resources reconciled. */
  public final void namespaceChanged(String namespace) {
    trigger.wake(namespace);
  }

  /** Sources of events about more than the resources themselves. */
  protected Stream<EventSource<?, R>> eventSources(EventSourceContext<R> context) {
    return Stream.empty();
  }

  @Override
  public final UpdateControl<R> reconcile(R resource, Context<R> context) {
    ResourceRef ref = ref(resource);
    try (MDC.MDCCloseable log = logged(ref)) {
      if (isUnwatched(resource)) {
        return UpdateControl.noUpdate();
      }
      return reconcile(resource, ref, context);
    }
  }

  /** Reconciles a resource of a watched namespace. */
  protected UpdateControl<R> reconcile(R resource, ResourceRef ref, Context<R> context) {
    V seen = changeInPlace(observe(resource, ref, context), context);
    return after(publishAndRequest(seen, decide(seen), context));
  }

  /** Timers and polls outlast the labels of a namespace: nothing is held of its resources. */
  private boolean isUnwatched(R resource) {
    boolean unwatched = !shared.namespaces().hold(resource);
    if (unwatched) {
      forget(resource);
    }
    return unwatched;
  }

  /** Reconciles a resource that is being deleted, of a kind whose finalizer the SDK keeps. */
  public DeleteControl cleanup(R resource, Context<R> context) {
    ResourceRef ref = ref(resource);
    try (MDC.MDCCloseable log = logged(ref)) {
      if (isUnwatched(resource)) {
        return DeleteControl.noFinalizerRemoval();
      }
      V seen = observe(resource, ref, context);
      ReconcileAction decision = decide(seen);
      if (decision instanceof RemoveFinalizer remove) {
        leave(seen, remove);
        return DeleteControl.defaultDelete();
      }
      return DeleteControl.noFinalizerRemoval()
          .rescheduleAfter(
              publishAndRequest(seen, decision, context).orElse(shared.intervals().resync()));
    }
  }

  /**
   * How the operator calls the reconciler.
   *
   * @param name of the controller
   * @param changes which updates of a resource lead to a reconciliation
   * @param finalizer that the SDK keeps; null for a kind that keeps its own, and is called for
   *     every event
   */
  public record Registration<R extends HasMetadata>(
      String name, OnUpdateFilter<R> changes, @Nullable String finalizer) {}

  public abstract Registration<R> registration();

  /** Checks the spec of a resource as it would be stored. */
  public abstract Verdict check(R resource);

  /** The check of the admission webhook: the same as that of a reconciliation. */
  public final CheckedKind<R> checkedKind() {
    return new CheckedKind<>(type, this::check);
  }

  /** The resource and all that decisions and status depend on. */
  protected abstract V observe(R resource, ResourceRef ref, Context<R> context);

  /** Whether an operation is needed. Pure. */
  protected abstract ReconcileAction decide(V seen);

  /** The same observation of a resource as it is now, with what Temporal has answered. */
  protected abstract V with(V seen, R resource, TemporalAnswers learned);

  /** The events that a change of the status gives rise to. */
  protected abstract Stream<StatusEvent> changes(V seen, S after);

  /** Events of what is so now, each dated, and so recorded once. */
  protected Stream<StatusEvent> presentEvents(V seen) {
    return Stream.empty();
  }

  /** Makes changes that need no operation; returns the observation with what came of them. */
  protected V changeInPlace(V seen, Context<R> context) {
    return seen;
  }

  /** Calls Temporal for more than the lane of the resource; returns when to do so again. */
  protected Stream<Duration> requestMore(V seen) {
    return Stream.empty();
  }

  /** When to come back for other reasons than Temporal and the status. */
  protected Stream<Duration> reviews(V seen) {
    return Stream.empty();
  }

  /** How often a call to Temporal is repeated while the status does not change. */
  protected Duration spacing(V seen) {
    return shared.intervals().resync();
  }

  /** What a resource leaves behind whose finalizer is removed by force, as a sentence. */
  protected abstract String left();

  /** The resource is gone: drops what this kind holds of it. */
  protected void forget(ResourceRef ref) {}

  /** Returns when to come back, if nothing happens before. */
  protected final Optional<Duration> publishAndRequest(
      V seen, ReconcileAction decision, Context<R> context) {
    R published = publish(seen, decision, context);
    record(seen.resource(), presentEvents(seen));
    Dispatched sent = request(seen, decision);
    TemporalAnswers learned = sent.learned();
    V answered = seen;
    if (learned != null && !learned.equals(seen.temporal())) {
      answered = with(seen, published, learned);
      R unused = publish(answered, decision, context);
    }
    boolean away = learned != null && learned.unavailable() != null;
    return Stream.of(
            Stream.ofNullable(sent.review()),
            away ? Stream.<Duration>empty() : requestMore(answered),
            reviews(answered))
        .flatMap(it -> it)
        .min(Duration::compareTo);
  }

  /** Writes the controller's part of a status, if it differs from what is there. */
  protected final void acknowledge(R resource, S wanted) {
    if (!projection.owned(resource).equals(wanted)) {
      StatusWriter.Written<R> unused = status.apply(resource, wanted);
    }
  }

  /** Returns the resource with the status that it has now. */
  private R publish(V seen, ReconcileAction decision, Context<R> context) {
    R resource = seen.resource();
    S wanted = projection.project(seen, decision);
    S before = projection.owned(resource);
    if (before.equals(wanted)) {
      return resource;
    }
    StatusWriter.Written<R> written = status.apply(resource, wanted);
    R now = written.resource();
    if (now != null) {
      StatusWriter.remember(now, resource, context);
      if (!projection.owned(now).equals(before)) {
        record(resource, changes(seen, wanted));
      }
    }
    if (written.refused() != null) {
      record(resource, Stream.of(StatusEvent.warning(Reasons.STATUS_REFUSED, written.refused())));
    }
    return now == null ? resource : now;
  }

  /** Calls Temporal for what was decided. */
  protected final Dispatched request(V seen, ReconcileAction decision) {
    return shared.dispatcher().dispatch(seen.ref(), decision, spacing(seen));
  }

  /** Records that the finalizer is removed, where that leaves something behind. */
  protected void leave(V seen, RemoveFinalizer decision) {
    if (decision.forced()) {
      record(
          seen.resource(),
          Stream.of(
              StatusEvent.warning(
                  EventReasons.CLEANUP_FAILED, "Finalizer removed by force. " + left())));
    }
  }

  protected final void record(R resource, Stream<StatusEvent> all) {
    all.forEach(event -> shared.events().record(resource, event));
  }

  /** While open, each line that this thread logs has the workflow id; JOSDK adds the resource. */
  protected static MDC.MDCCloseable logged(ResourceRef ref) {
    return MDC.putCloseable(LogKeys.WORKFLOW_ID, ref.laneId());
  }

  protected final ResourceRef ref(R resource) {
    return shared.cluster().ref(resource);
  }

  protected final Shared shared() {
    return shared;
  }

  protected static <R extends HasMetadata> UpdateControl<R> after(Optional<Duration> review) {
    UpdateControl<R> done = UpdateControl.noUpdate();
    review.ifPresent(done::rescheduleAfter);
    return done;
  }

  /** Drops all that is held of a resource. */
  protected final void forget(R resource) {
    ResourceRef ref = ref(resource);
    shared.dispatcher().forget(ref);
    forget(ref);
  }

  /**
   * Has resources reconciled when no informer reports a change, and drops what is held of those
   * that are gone, also where somebody removed the finalizer.
   */
  protected final class Trigger extends SimpleInboundEventSource<R>
      implements ResourceEventAware<R>, JobPolls.Listener {

    private Trigger() {
      super("trigger");
    }

    /** Has every resource reconciled. */
    public void wakeAll() {
      wake(any -> true);
    }

    private void wake(Predicate<R> which) {
      IndexerResourceCache<R> cache = primaries;
      if (cache != null) {
        cache.list(which).map(ResourceID::fromResource).forEach(this::propagateEvent);
      }
    }

    /** JOSDK ignores an event without the resource until it has had one with it. */
    private void wake(String namespace) {
      IndexerResourceCache<R> cache = primaries;
      if (cache != null) {
        boolean watched = shared.namespaces().contains(namespace);
        cache
            .list(it -> namespace.equals(it.getMetadata().getNamespace()))
            .map(it -> event(it, watched))
            .forEach(it -> getEventHandler().handleEvent(it)); // also before this one is started
      }
    }

    private Event event(R resource, boolean whole) {
      ResourceID id = ResourceID.fromResource(resource);
      return whole ? new ResourceEvent(ResourceAction.UPDATED, id, resource) : new Event(id);
    }

    @Override
    public boolean exists(ResourceID resource) {
      IndexerResourceCache<R> cache = primaries;
      return cache != null && cache.get(resource).isPresent();
    }

    @Override
    public void changed(ResourceID resource) {
      propagateEvent(resource);
    }

    @Override
    public void onResourceDeleted(R resource) {
      forget(resource);
    }
  }
}
