package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.Deadline;
import dev.sluice.activities.async.Polling;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.Answers;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.ClusterCheck;
import dev.sluice.activities.job.Savepoints;
import dev.sluice.activities.job.SlotQueue;
import dev.sluice.activities.kubernetes.AllResources;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.snapshot.CheckpointSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotSpec;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SnapshotValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.snapshot.Disposal;
import dev.sluice.workflows.snapshot.FoundJob;
import dev.sluice.workflows.snapshot.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities;
import dev.sluice.workflows.snapshot.SnapshotSeen;
import dev.sluice.workflows.snapshot.SnapshotSeen.Wanted;
import dev.sluice.workflows.snapshot.SnapshotSeen.Which;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Wires {@link SnapshotActivities} to what carries them out. */
public final class SnapshotActivitiesImpl implements SnapshotActivities {

  /** What changes on the cluster wakes a wait; the end of an operation does not. */
  private static final Polling PATIENT =
      new Polling(
          Duration.ofMillis(200),
          Duration.ofSeconds(2),
          10,
          SharedLooks.LONGEST,
          Duration.ofSeconds(15));

  private final SnapshotStore store;
  private final SnapshotStatusWriter writer;
  private final JobOwners owners;
  private final KeptSavepoints kept;
  private final DisposalClusters disposers;
  private final NewestOfJob newest;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final Savepoints savepoints;
  private final Watcher watcher;
  private final Clock clock;
  private final SharedLooks<ResourceRef, Optional<JobOwner>> sharedOwners;
  private final SharedLooks<Endpoint, JobsOverview> sharedJobs;

  /**
   * @param stores of the kinds that run jobs
   * @param namespaces that Sluice serves; empty: all of them
   * @param access with threads of its own: hundreds of snapshots may wait
   * @param watcher does the waiting
   * @param disposesThroughOthers whether clusters of other jobs may be asked to delete the files of
   *     a savepoint whose own cluster is gone
   */
  public SnapshotActivitiesImpl(
      KubernetesClient client,
      ResourceStores stores,
      Set<String> namespaces,
      ClusterAccess access,
      FlinkRest flink,
      Savepoints savepoints,
      Watcher watcher,
      boolean disposesThroughOthers) {
    this.store = new SnapshotStore(client, stores);
    this.clock = access.clock();
    this.writer = new SnapshotStatusWriter(client, store, clock);
    this.owners = new JobOwners(stores);
    this.kept =
        new KeptSavepoints(
            stores,
            new AllResources<>(client, FlinkStateSnapshot.class, namespaces),
            access.background());
    this.disposers = new DisposalClusters(owners, access.live(), disposesThroughOthers);
    this.newest = new NewestOfJob(flink);
    this.access = access;
    this.flink = flink;
    this.savepoints = savepoints;
    this.watcher = watcher;
    this.sharedOwners =
        new SharedLooks<>(
            named -> CompletableFuture.supplyAsync(() -> owners.of(named), access.background()),
            clock);
    this.sharedJobs = new SharedLooks<>(flink::jobsOverview, clock);
  }

  @Override
  public SnapshotSeen observe(ObserveRequest request) {
    ResourceRef ref = request.resource();
    SnapshotSubject subject = request.toDispose() ? store.next(ref) : store.now(ref);
    FlinkStateSnapshot snapshot = subject.snapshot();
    FlinkStateSnapshotSpec spec = snapshot.getSpec();
    List<Violation> violations = SnapshotValidation.validate(snapshot);
    return new SnapshotSeen(
        new Which(
            snapshot.getMetadata().getUid(), snapshot.getMetadata().getName(), subject.earlier()),
        snapshot.getMetadata().getDeletionTimestamp() != null,
        violations.isEmpty() ? null : Violation.joined(violations),
        spec.savepoint() == null ? Wanted.CHECKPOINT : Wanted.SAVEPOINT,
        spec.isOfExisting() && spec.savepoint() != null ? spec.savepoint().pathOrNull() : null,
        named(snapshot),
        spec.failuresAllowed(),
        spec.isDisposedWithResource(),
        SnapshotStatus.record(snapshot.getStatus()));
  }

  @Override
  public FoundJob awaitJob(AwaitJobRequest request) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    ResourceRef ref = request.resource();
    FlinkStateSnapshot snapshot = store.read(ref);
    JobUp up =
        new JobUp(
            request,
            snapshot.getSpec().checkpoint(),
            named(snapshot),
            JobOwners.uid(snapshot),
            () -> JobOwners.named(ref, snapshot).flatMap(it -> Answers.await(sharedOwners.at(it))),
            endpoint -> Answers.await(sharedJobs.at(endpoint)),
            flink,
            clock);
    return watcher.watch(
        activity,
        Wait.of(
                key(snapshot),
                "the job of " + named(snapshot) + " to be up",
                Deadline.limit(activity, request.deadlineMs()),
                up::look)
            .polling(PATIENT));
  }

  @Override
  public Outcome take(TakeRequest request) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    ResourceRef ref = request.resource();
    FlinkStateSnapshot snapshot = store.read(ref);
    Optional<JobOwner> owner =
        owners.of(ref, snapshot).filter(it -> JobOwners.isMeant(snapshot, it));
    LastLook last = LastLook.of(request, snapshot.getSpec().savepoint(), owner);
    if (owner.isEmpty()) {
      return new Outcome.NoJob(
          named(snapshot) + " does not exist" + (last.isLast() ? last.whereItMayBe() : ""));
    }
    JobRef job = new JobRef(owner.get().cluster().ref(), request.trigger().jobId());
    SlotQueue slot = savepoints.patientSlot(activity, job, watcher, clock);
    StoppedJob stopped =
        new StoppedJob(job, named(snapshot), () -> owners.of(ref, snapshot), flink);
    SnapshotTake take =
        new SnapshotTake(
            request,
            new SnapshotCalls(
                flink,
                owner.get().cluster().endpoint(),
                job.jobId(),
                snapshot.getSpec().savepoint(),
                type(snapshot.getSpec().checkpoint())),
            stopped::how,
            last.whereItMayBe(),
            slot,
            clock);
    ClusterCheck<Outcome> check =
        new ClusterCheck<>(
            job,
            access,
            ProbeResult.done(
                new Outcome.NoJob("The JobManager of %s is gone".formatted(named(snapshot)))),
            owner.get().cluster().session());
    return watcher.watch(
        activity,
        Wait.acting(
                job.cluster().display(),
                "job %s: %s".formatted(job.jobId(), named(snapshot)),
                Deadline.limit(activity, request.deadlineMs()),
                guard -> {
                  ProbeResult<Outcome> seen = last.judge(check.then(() -> take.look(guard)));
                  return last.isLast() ? seen : stopped.judge(seen);
                })
            .polling(Polling.quick())
            .extendedBy(slot::queuedMs)
            .atEnd(slot::release));
  }

  private static CheckpointType type(@Nullable CheckpointSpec checkpoint) {
    return checkpoint == null ? CheckpointType.FULL : checkpoint.typeOrFull();
  }

  @Override
  public void record(RecordRequest request) {
    writer.record(request);
  }

  @Override
  public void report(ReportRequest request) {
    writer.report(request);
  }

  @Override
  public void disposed(DisposedRequest request) {
    writer.disposed(request);
  }

  @Override
  public Disposal dispose(DisposeRequest request) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    ResourceRef ref = request.resource();
    FlinkStateSnapshot snapshot = store.toDispose(ref);
    if (StatusLane.typeOf(ref).isPresent() && !request.path().equals(snapshot.getStatus().path())) {
      return new Disposal.Impossible("it is not what goes next in the history any more");
    }
    Optional<JobOwner> owner = owners.of(ref, snapshot);
    DisposalClusters.Choice choice = disposers.choose(snapshot, owner, request);
    if (!(choice instanceof DisposalClusters.Ask asked)) {
      return new Disposal.Impossible(((DisposalClusters.Nobody) choice).why());
    }
    SavepointDisposal disposal =
        new SavepointDisposal(
            request,
            () -> insteadOf(snapshot, owner.orElse(null), asked, request.path()),
            request.askedBefore() || EarlierAttempts.mayHaveActed(activity),
            asked,
            flink,
            clock);
    return watcher.watch(
        activity,
        Wait.acting(
                asked.cluster().ref().display(),
                "the files of savepoint " + request.path() + " to be deleted",
                Deadline.limit(activity, request.deadlineMs()),
                disposal::look)
            .polling(Polling.quick())
            .untouchedWhile(disposal::isUntouched));
  }

  private CompletableFuture<Optional<Disposal>> insteadOf(
      FlinkStateSnapshot snapshot,
      @Nullable JobOwner owner,
      DisposalClusters.Ask asked,
      String path) {
    return kept.insteadOf(snapshot, owner, path)
        .thenApplyAsync(
            instead ->
                instead.isPresent() || owner == null || asked.other() != null
                    ? instead
                    : newest.insteadOf(owner, asked.knowsAlone(), path),
            access.background());
  }

  static String named(FlinkStateSnapshot snapshot) {
    JobReference reference = snapshot.getSpec().jobReference();
    return reference == null
        ? "no job"
        : "%s %s/%s"
            .formatted(reference.kind(), snapshot.getMetadata().getNamespace(), reference.name());
  }

  private static String key(FlinkStateSnapshot snapshot) {
    JobReference reference = snapshot.getSpec().jobReference();
    return new ClusterRef(
            snapshot.getMetadata().getNamespace(),
            reference == null ? "" : Objects.requireNonNullElse(reference.name(), ""))
        .display();
  }
}
