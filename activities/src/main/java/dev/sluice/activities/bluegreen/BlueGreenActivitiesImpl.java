package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.Deadline;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.bluegreen.BlueGreenActivities;
import dev.sluice.workflows.bluegreen.BlueGreenSeen;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires {@link BlueGreenActivities} to what carries them out. */
public final class BlueGreenActivitiesImpl implements BlueGreenActivities {

  private static final Logger LOG = LoggerFactory.getLogger(BlueGreenActivitiesImpl.class);

  /** Each look at the gates is some calls to Flink. */
  private static final Duration GATES = Duration.ofMillis(500);

  private final BlueGreenStore store;
  private final BlueGreenStatusWriter writer;
  private final ChildWrites children;
  private final TransitionBegin begin;
  private final TransitionSavepoint savepoint;
  private final TransitionSnapshots snapshots;
  private final TransitionEnd end;
  private final ChildDeletion deletion;
  private final IngressWait ingress;
  private final UsedRestoreFrom restoreFrom;
  private final JobCheck jobs;
  private final SlotCheck slots;
  private final FinishedCheck finished;
  private final LiveStop stop;
  private final LiveResume resume;
  private final Supplier<DefaultConfiguration> defaults;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final Watcher watcher;

  /**
   * @param stores of the kinds that run jobs
   * @param defaults Flink configuration that holds where a template does not say, as it is now
   * @param access with threads of its own: many transitions may wait
   * @param watcher does the waiting
   */
  public BlueGreenActivitiesImpl(
      KubernetesClient client,
      ResourceStores stores,
      Supplier<DefaultConfiguration> defaults,
      ClusterAccess access,
      FlinkRest flink,
      Watcher watcher) {
    this.store = new BlueGreenStore(client);
    this.writer = new BlueGreenStatusWriter(client, store, access.clock());
    this.jobs = new JobCheck(store, stores, flink);
    this.slots = new SlotCheck(store, jobs, flink);
    this.finished = new FinishedCheck(store, jobs, flink, access.clock());
    this.stop = new LiveStop(client, store, writer, slots, access);
    this.resume = new LiveResume(client, store, access);
    this.children = new ChildWrites(client, store, access.clock());
    this.begin = new TransitionBegin(store, children, writer, defaults);
    this.snapshots = new TransitionSnapshots(client);
    this.savepoint = new TransitionSavepoint(store, writer, snapshots, defaults, access);
    this.end = new TransitionEnd(store, writer, jobs, access.clock());
    this.deletion = new ChildDeletion(client, store, jobs, access.clock());
    this.ingress = new IngressWait(client, store);
    this.restoreFrom = new UsedRestoreFrom(client);
    this.defaults = defaults;
    this.access = access;
    this.flink = flink;
    this.watcher = watcher;
  }

  @Override
  public BlueGreenSeen observe(ResourceRef resource) {
    FlinkBlueGreenDeployment parent = store.read(resource);
    WantedTemplate newest = new WantedTemplate(parent);
    FlinkBlueGreenDeploymentStatus status = parent.getStatus();
    OperationStatus operation = status.operation();
    BlueGreenStanding standing = store.standing(resource, status);
    Color live = standing.live();
    return new BlueGreenSeen(
        BlueGreenStore.generation(parent),
        parent.getMetadata().getDeletionTimestamp() != null,
        newest.problem(defaults.get()),
        newest.change(live == null ? null : store.find(resource, live).orElse(null)),
        newest.settings(),
        standing,
        child(resource, Color.BLUE, standing, status),
        child(resource, Color.GREEN, standing, status),
        operation != null && operation.isOpen(),
        UsedRestoreFrom.of(parent),
        BlueGreenStatus.hasTemplateOfTransition(parent));
  }

  private @Nullable ChildSeen child(
      ResourceRef resource,
      Color color,
      BlueGreenStanding standing,
      FlinkBlueGreenDeploymentStatus status) {
    return store
        .see(resource, color, standing)
        .map(it -> BlueGreenStatus.noted(it, status))
        .map(
            it ->
                color == standing.live()
                    ? finished.look(resource, it, standing)
                    : slots.look(resource, it))
        .orElse(null);
  }

  @Override
  public Begin begin(BeginRequest request) {
    Begin begun = begin.begin(request);
    if (begun instanceof Begin.Begun) {
      restoreFrom.remove(request.resource(), store.read(request.resource()));
    }
    return begun;
  }

  @Override
  public Taken takeSavepoint(SavepointRequest request) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    return taken(activity, savepoint.ask(activity, request));
  }

  @Override
  public Taken stopLive(SavepointRequest request) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    return taken(activity, stop.stop(activity, request));
  }

  @SuppressWarnings("NullAway") // the result comes with the completion
  private Taken taken(ActivityExecutionContext activity, Asked asked) {
    return asked instanceof Asked.Answered answered
        ? answered.taken()
        : watcher.watch(((Asked.UnderWay) asked).goesOn());
  }

  @Override
  public void resumeLive(ChildRequest request) {
    resume.resume(request);
  }

  @Override
  public void applyChild(ChildRequest request) {
    children.apply(request);
  }

  @Override
  public Awaited awaitChild(AwaitChildRequest request) {
    check(request);
    long deadline = here(Activity.getExecutionContext(), request);
    ChildWait wait = new ChildWait(request, deadline, store, slots, access.clock());
    return watch(request, "to reach its spec", FailureType.TIMED_OUT, wait::look);
  }

  @Override
  public Gate awaitGates(AwaitChildRequest request) {
    FlinkBlueGreenDeployment parent = check(request);
    ActivityExecutionContext activity = Activity.getExecutionContext();
    GateCheck gates =
        new GateCheck(
            new WantedTemplate(parent).options().gates(),
            here(activity, request),
            () ->
                store
                    .see(request.resource(), request.color())
                    .filter(it -> request.seen() == null || request.seen().equals(it.uid())),
            () -> jobs.endpoint(request.resource(), request.color()),
            flink,
            access);
    return watcher.watch(
        Wait.of(
                key(request),
                "the job of %s to be through the gates".formatted(key(request)),
                request.deadlineMs(),
                () -> unlessBeside(request, gates))
            .every(GATES, GATES.multipliedBy(10))
            .reportingTo(request.resource()));
  }

  private ProbeResult<Gate> unlessBeside(AwaitChildRequest request, GateCheck gates) {
    Color other = request.color().other();
    Gate runsBeside =
        new Gate(
            false,
            "the job of %s may run beside it".formatted(other.child(request.resource().name())),
            false);
    boolean beside;
    try {
      beside = store.runsBeside(request.resource(), request.plannedFor());
    } catch (ApplicationFailure silent) {
      beside = false; // the look that follows tells, and a switch looks again
    }
    return beside ? ProbeResult.done(runsBeside) : gates.look();
  }

  @Override
  public void switchLive(SwitchRequest request) {
    end.switchLive(request);
  }

  @Override
  public void awaitIngress(AwaitChildRequest request) {
    check(request);
    Void unused =
        watch(
            request,
            "to have the Ingress",
            FailureType.TIMED_OUT,
            () -> ingress.look(request.resource(), request.color()));
  }

  @Override
  public void suspendChild(ChildRequest request) {
    children.suspend(request);
  }

  @Override
  public void deleteChild(AwaitChildRequest request) {
    deletion.delete(request);
    Void unused =
        watcher.watch(
            Wait.<@Nullable Void>acting(
                    key(request),
                    "%s to be gone".formatted(key(request)),
                    request.deadlineMs(),
                    guard -> deletion.look(request, guard))
                .timingOutAs(FailureType.CLUSTER_NOT_GONE)
                .reportingTo(request.resource()));
  }

  @Override
  public void end(EndRequest request) {
    end.end(request);
    resume.letGo(request);
    restoreFrom.remove(request.resource(), store.read(request.resource()));
    try {
      snapshots.deleteOlder(request.resource());
    } catch (ApplicationFailure failed) {
      // they are looked at again when the next transition ends
      LOG.warn("{}", failed.getOriginalMessage());
    }
  }

  @Override
  public void report(OperationReport report) {
    writer.write(report, BlueGreenStatus::underNewestSpec);
  }

  /** A wait that was planned for another status need not begin. */
  private FlinkBlueGreenDeployment check(AwaitChildRequest request) {
    FlinkBlueGreenDeployment parent = store.read(request.resource());
    BlueGreenStatus.check(parent.getStatus(), request.plannedFor());
    return parent;
  }

  /**
   * @param look blocks for a call or two
   */
  private <T extends @Nullable Object> T watch(
      AwaitChildRequest request, String until, String timeout, Supplier<ProbeResult<T>> look) {
    return watcher.watch(
        Wait.of(
                key(request),
                "FlinkDeployment %s %s".formatted(key(request), until),
                request.deadlineMs(),
                look)
            .timingOutAs(timeout)
            .reportingTo(request.resource()));
  }

  private long here(ActivityExecutionContext activity, AwaitChildRequest request) {
    return Deadline.here(activity, access.clock(), request.deadlineMs());
  }

  /** What the informers know of its cluster wakes the wait. */
  private static String key(AwaitChildRequest request) {
    ResourceRef parent = request.resource();
    return parent.namespace() + "/" + request.color().child(parent.name());
  }
}
