package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.Deadline;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.revision.SpecRevisions;
import dev.sluice.activities.snapshot.SavepointReferences.Target;
import dev.sluice.activities.snapshot.SnapshotStore.InStatus;
import dev.sluice.activities.snapshot.SnapshotStore.Stored;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StateDirectories;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.snapshot.SnapshotActivities;
import dev.sluice.workflows.snapshot.SnapshotActivities.Disposal;
import dev.sluice.workflows.snapshot.SnapshotActivities.FoundJob;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Wires {@link SnapshotActivities} to the steps that carry them out. */
public final class SnapshotActivitiesImpl implements SnapshotActivities {

  /** The longest gap between two looks: the end of an operation wakes no wait. */
  private static final Duration PATIENT = Duration.ofSeconds(10);

  /** A trigger that was recorded less than this before an activity began is not sent yet. */
  private static final Duration RECORDED = Duration.ofSeconds(10);

  /** Length of the part of a job id in the name of a savepoint. */
  private static final int NAME = 6;

  /** Without a resource nobody says how many attempts may fail: a nonce asks for another one. */
  private static final int FAILURES_IN_STATUS = 3;

  private final SnapshotStore store;
  private final SnapshotStatusWriter writer;
  private final ResourceStores stores;
  private final SavepointReferences references;
  private final SpecRevisions revisions;
  private final ResourceEvents events;
  private final FlinkRest flink;
  private final SavepointLimiter savepoints;
  private final Watcher watcher;
  private final Supplier<DefaultConfiguration> defaults;
  private final Clock clock;

  /**
   * @param stores of the kinds that run jobs
   * @param references finds what needs a savepoint
   * @param watcher does the waiting
   * @param defaults Flink configuration that holds where a spec does not say, as it is now
   */
  public SnapshotActivitiesImpl(
      KubernetesClient client,
      ResourceStores stores,
      SavepointReferences references,
      ClusterAccess access,
      FlinkRest flink,
      SavepointLimiter savepoints,
      Watcher watcher,
      Supplier<DefaultConfiguration> defaults) {
    this.store = new SnapshotStore(client, stores);
    this.clock = access.clock();
    this.writer = new SnapshotStatusWriter(client, store, clock);
    this.stores = stores;
    this.references = references;
    this.revisions = new SpecRevisions(client);
    this.events = new ResourceEvents(client, clock);
    this.flink = flink;
    this.savepoints = savepoints;
    this.watcher = watcher;
    this.defaults = defaults;
  }

  @Override
  public Seen observe(ObserveRequest request) {
    Stored stored = store.read(request.resource());
    FlinkStateSnapshot snapshot = stored.snapshot();
    FlinkStateSnapshotSpec spec = snapshot.getSpec();
    return new Seen(
        snapshot.getMetadata().getUid(),
        snapshot.getMetadata().getDeletionTimestamp() != null,
        spec.type(),
        SnapshotJob.named(snapshot),
        stored.inStatus() == null ? spec.failuresAllowed() : FAILURES_IN_STATUS,
        spec.isDisposedWithResource(),
        excess(request.resource(), stored),
        snapshot.getStatus().attempts());
  }

  /** Savepoints in the history of a status that exceed its limits; of a resource none. */
  private List<String> excess(ResourceRef lane, Stored stored) {
    InStatus in = stored.inStatus();
    if (in == null || in.type() == SnapshotType.CHECKPOINT) {
      return List.of();
    }
    return SnapshotJob.of(stores, lane, stored.snapshot())
        .map(SnapshotJob::resource)
        .flatMap(
            job ->
                HistoryLimits.of(
                    SnapshotType.SAVEPOINT,
                    job.operatorConfiguration(),
                    defaults
                        .get()
                        .forResource(
                            job.metadata().getNamespace(),
                            Optional.ofNullable(job.observed().frozen())
                                .map(Observation.Target::flinkVersion)
                                .orElse(null))))
        .map(it -> it.excess(in.owner().status().savepointHistory(), clock.instant()))
        .orElse(List.of());
  }

  /** Of the cluster, where a job has its own. */
  private static String key(ResourceRef ref, FlinkStateSnapshot snapshot) {
    JobReference job = snapshot.getSpec().jobReference();
    return ref.namespace() + "/" + (job == null ? "" : job.name());
  }

  @Override
  public FoundJob awaitJob(AwaitJobRequest request) {
    ResourceRef ref = request.resource();
    FlinkStateSnapshot snapshot = store.read(ref).snapshot();
    String named = SnapshotJob.named(snapshot);
    CheckpointSpec checkpoint = snapshot.getSpec().checkpoint();
    AwaitJob await =
        new AwaitJob(
            named,
            checkpoint == null ? null : checkpoint.typeOrFull(),
            () -> SnapshotJob.of(stores, ref, snapshot),
            flink,
            clock);
    return watcher.watch(
        Wait.<FoundJob>of(
                key(ref, snapshot),
                "the job of " + named + " to be up",
                request.deadlineMs(),
                await::look)
            .every(Duration.ofMillis(200), PATIENT));
  }

  @Override
  public Outcome take(TakeRequest request) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    ResourceRef ref = request.resource();
    FlinkStateSnapshot snapshot = store.read(ref).snapshot();
    String named = SnapshotJob.named(snapshot);
    Supplier<Optional<SnapshotJob>> jobs = () -> SnapshotJob.of(stores, ref, snapshot);
    Optional<SnapshotJob> owner = jobs.get();
    String where = whereItMayBe(request.trigger(), snapshot.getSpec().savepoint(), owner);
    if (owner.isEmpty()) {
      return new Outcome.Failed(named + " does not exist" + where, false);
    }
    String jobId = request.trigger().jobId();
    JobRef job = new JobRef(owner.get().cluster().ref(), jobId);
    try (SavepointLimiter.Slot slot = savepoints.patientSlot(activity)) {
      TakeSnapshot take =
          new TakeSnapshot(
              request,
              new TakeSnapshot.Subject(
                  named, snapshot.getSpec(), jobs, owner.get().cluster().endpoint(), where),
              flink,
              isFresh(activity, request),
              slot,
              clock);
      return watcher.watch(
          Wait.<Outcome>acting(
                  job.cluster().display(),
                  "job %s: %s".formatted(jobId, named),
                  request.deadlineMs(),
                  take::look)
              .quick()
              .extendedBy(slot::queuedMs));
    }
  }

  /** Whether nothing was triggered before this attempt of the activity. */
  private static boolean isFresh(ActivityExecutionContext activity, TakeRequest request) {
    long recordedFor = activity.getInfo().getScheduledTimestamp() - request.trigger().atMs();
    return activity.getInfo().getAttempt() == 1 && recordedFor < RECORDED.toMillis();
  }

  /** Where to look for a savepoint that is lost; empty for a checkpoint. */
  private static String whereItMayBe(
      Trigger trigger, @Nullable SavepointSpec savepoint, Optional<SnapshotJob> owner) {
    if (savepoint == null) {
      return "";
    }
    String directory =
        Optional.ofNullable(savepoint.pathOrNull())
            .or(
                () ->
                    owner.flatMap(it -> StateDirectories.savepoints(it.cluster().configuration())))
            .orElse("the savepoint directory that its cluster was configured with");
    String name =
        trigger.jobId().length() < NAME
            ? ""
            : ", named savepoint-%s-*".formatted(trigger.jobId().substring(0, NAME));
    return "; if it was completed, it is in " + directory + name;
  }

  @Override
  public void record(RecordRequest request) {
    writer.record(request);
  }

  @Override
  public void report(OperationReport report) {
    writer.report(report);
  }

  @Override
  public Disposal dispose(DisposeRequest request) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    ResourceRef ref = request.resource();
    String path = request.path();
    FlinkStateSnapshot snapshot = store.read(ref).snapshot();
    boolean ofHistory = StatusLane.typeOf(ref).isPresent();
    String named = SnapshotJob.named(snapshot);
    DisposeSavepoint step =
        new DisposeSavepoint(
            path,
            named,
            () -> SnapshotJob.byName(stores, ref, snapshot),
            () -> ofHistory ? whyKept(ref, path) : references.whyKept(new Target(path, snapshot)),
            flink,
            Deadline.here(activity, clock, request.deadlineMs()),
            clock);
    Disposal disposal =
        watcher.watch(
            Wait.<Disposal>acting(
                    key(ref, snapshot),
                    "the files of savepoint " + path + " to be deleted",
                    request.deadlineMs(),
                    step::look)
                .quick());
    // null: Temporal has given this attempt up
    if (ofHistory && disposal != null) {
      trimmed(ref, path, disposal);
    }
    return disposal;
  }

  /** A rollback to one of the specs that are kept may start from it, too. */
  private Optional<String> whyKept(ResourceRef lane, String path) {
    Target target = new Target(path, null);
    return revisions.statesLeft(StatusLane.owner(lane)).stream().anyMatch(target::isAt)
        ? Optional.of("a rollback may start from it")
        : references.whyKept(target);
  }

  /** What is left stays in the history: it is tried again after the next savepoint. */
  private void trimmed(ResourceRef lane, String path, Disposal disposal) {
    ResourceRef owner = StatusLane.owner(lane);
    boolean gone = disposal instanceof Disposal.Done;
    if (gone) {
      store.change(owner, clock, before -> before.without(path));
    }
    String message = "The history has no place for the savepoint %s".formatted(path);
    events.note(
        stores.of(owner).type(),
        owner,
        !gone,
        gone ? EventReasons.SNAPSHOT_REMOVED : EventReasons.SNAPSHOT_ERROR,
        disposal instanceof Disposal.Left left
            ? message + ", and it is left: " + left.why()
            : message + "; it was deleted.",
        lane.laneId(),
        path);
  }
}
