package dev.sluice.activities.application;

import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.FlinkJars;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.job.ClusterJob;
import dev.sluice.activities.job.SavepointLimiter;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.application.VersionStatus;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.application.ApplicationActivities;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationSeen;
import dev.sluice.workflows.application.CancelOutcome;
import dev.sluice.workflows.application.FoundState;
import dev.sluice.workflows.application.FreezeVersionResult;
import dev.sluice.workflows.application.PromotionOutcome;
import dev.sluice.workflows.application.SavepointOutcome;
import dev.sluice.workflows.application.SubmitOutcome;
import dev.sluice.workflows.application.VersionJob;
import dev.sluice.workflows.application.VersionReady;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Wires {@link ApplicationActivities} to what carries them out. */
public final class ApplicationActivitiesImpl implements ApplicationActivities {

  private final ApplicationStatusActivities statuses;
  private final VersionClusters clusters;
  private final Flink flink;
  private final ClusterAccess access;
  private final Watcher watcher;
  private final Clock clock;

  /**
   * What is asked of Flink.
   *
   * @param rest short calls
   * @param jars calls that run a main method
   * @param savepoints limits how many are taken at a time
   * @param files reads directories of savepoints and checkpoints; a storage that hangs keeps its
   *     threads
   */
  public record Flink(
      FlinkRest rest, FlinkJars jars, SavepointLimiter savepoints, Executor files) {}

  /**
   * @param statuses reads and writes the resource
   * @param clusters does what is done with clusters
   * @param watcher does the waiting
   */
  public ApplicationActivitiesImpl(
      ApplicationStatusActivities statuses,
      VersionClusters clusters,
      Flink flink,
      ClusterAccess access,
      Watcher watcher) {
    this.statuses = statuses;
    this.clusters = clusters;
    this.flink = flink;
    this.access = access;
    this.watcher = watcher;
    this.clock = access.clock();
  }

  @Override
  public ApplicationSeen observe(ObserveRequest request) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    ResourceRef ref = request.resource();
    long end = activity.getInfo().getScheduledTimestamp() + request.patienceMs();
    ApplicationObservation observation =
        new ApplicationObservation(
            Instant.ofEpochMilli(end),
            () -> statuses.read(ref),
            statuses.kubernetes(ref),
            flink.rest(),
            access);
    return watcher.watch(
        Wait.of(
                ref.display(),
                "the jobs of " + ref.display() + " to settle",
                end,
                observation::look)
            .reportingTo(ref));
  }

  @Override
  public FreezeVersionResult freeze(FreezeVersionRequest request) {
    return statuses.freeze(request);
  }

  @Override
  public FreezeVersionResult adopt(FreezeVersionRequest request) {
    return statuses.adopt(request);
  }

  @Override
  public void record(RecordVersionsRequest request) {
    statuses.record(request);
  }

  @Override
  public void report(OperationReport report) {
    statuses.report(report);
  }

  @Override
  public void create(VersionRequest request) {
    clusters.create(() -> statuses.planned(request).target(request.version()));
  }

  @Override
  public VersionReady awaitCluster(VersionRequest request) {
    return clusters.await(
        statuses.planned(request).target(request.version()), request.deadlineMs());
  }

  @Override
  public void scale(VersionRequest request) {
    clusters.scale(() -> statuses.planned(request).target(request.version()));
  }

  @Override
  public void cutOver(VersionRequest request) {
    clusters.cutOver(() -> statuses.planned(request).target(request.version()));
  }

  @Override
  public void delete(DeleteVersionRequest request) {
    VersionRequest on = request.on();
    StoredApplication application = statuses.planned(on);
    boolean deployed = on.version().equals(application.record().deployed());
    if (deployed && !application.isDeleting()) {
      throw FlinkApplicationStore.outdated(
          "%s is the deployed version".formatted(on.version().display()));
    }
    clusters.delete(
        on.resource(),
        on.version(),
        request.everything(),
        on.deadlineMs(),
        () -> statuses.planned(on));
  }

  @Override
  public SavepointOutcome takeSavepoint(SavepointRequest request) {
    VersionRequest on = request.on();
    StoredApplication application = statuses.planned(on);
    if (!request.trigger().equals(application.record().savepoint())) {
      throw FlinkApplicationStore.outdated("another savepoint is recorded, or none");
    }
    FrozenVersion version = application.version(on.version());
    JobRef job = new JobRef(version.cluster(), request.trigger().jobId());
    StopRequest stop =
        new StopRequest(
            on.resource(),
            job,
            request.trigger().id(),
            request.trigger().atMs(),
            on.deadlineMs(),
            request.last());
    ClusterJob running = job(application, version, job.jobId());
    try (SavepointLimiter.Slot slot = flink.savepoints().slot(Activity.getExecutionContext())) {
      VersionSavepoint savepoint =
          new VersionSavepoint(
              version,
              job.jobId(),
              running.savepoint(stop, request.trigger().stops(), slot),
              () ->
                  files(application, version, job.jobId())
                      .savepointsSince(request.trigger().atMs()),
              presence(application, version),
              flink.rest());
      return watcher.watch(
          acting(on, version, "a savepoint of job " + job.jobId(), savepoint::look)
              .extendedBy(slot::queuedMs));
    }
  }

  @Override
  public CancelOutcome cancel(CancelVersionRequest request) {
    VersionRequest on = request.on();
    StoredApplication application = statuses.planned(on);
    FrozenVersion version = application.version(on.version());
    String jobId = on.version().jobId();
    if (jobId == null) {
      throw FlinkApplicationStore.outdated("no job of " + on.version().display() + " is recorded");
    }
    CancelRequest cancel =
        new CancelRequest(
            on.resource(),
            new JobRef(version.cluster(), jobId),
            request.onlyIf() == CancelVersionRequest.OnlyIf.ANY_CASE
                ? CancelRequest.OnlyIf.ANY_CASE
                : CancelRequest.OnlyIf.STATE_IS_KEPT,
            on.deadlineMs());
    VersionCancellation cancellation =
        new VersionCancellation(
            request,
            version,
            jobId,
            job(application, version, jobId).cancellation(cancel),
            flink.rest(),
            clock);
    ClusterPresence presence = presence(application, version);
    CancelOutcome gone =
        new CancelOutcome.NoJob(
            "The JobManager of %s is gone, and with it job %s"
                .formatted(on.version().display(), jobId));
    return watcher.watch(
        acting(
            on,
            version,
            "job " + jobId + " to be cancelled",
            guard -> presence.orElse(() -> cancellation.look(guard), gone)));
  }

  @Override
  public FoundState findState(FindStateRequest request) {
    VersionRequest on = request.on();
    StoredApplication application = statuses.planned(on);
    FrozenVersion version = application.version(on.version());
    String jobId = on.version().jobId();
    if (jobId == null) {
      return new FoundState.None("No job of " + on.version().display() + " is recorded");
    }
    VersionHighAvailability metadata = new VersionHighAvailability(version, access);
    StateSearch search =
        new StateSearch(
            request,
            version,
            jobId,
            new StateSearch.Known(
                known(application.status(), jobId), stopSince(application, jobId)),
            job(application, version, jobId),
            new StateSearch.Sources(
                flink.rest(),
                presence(application, version),
                files(application, version, jobId),
                () -> metadata.newestCheckpoint(jobId),
                clock));
    return watcher.watch(
        Wait.of(
                version.cluster().display(),
                "the newest state of job " + jobId,
                on.deadlineMs(),
                search::look)
            .reportingTo(on.resource()));
  }

  private static @Nullable Long stopSince(StoredApplication application, String jobId) {
    ApplicationRecord.Trigger trigger = application.record().savepoint();
    return trigger == null || !trigger.stops() || !trigger.jobId().equals(jobId)
        ? null
        : trigger.atMs();
  }

  private static ApplicationJobStatus known(FlinkApplicationStatus status, String jobId) {
    return status.versionStatuses().stream()
        .map(VersionStatus::jobStatus)
        .filter(it -> it != null && jobId.equals(it.jobID()))
        .findFirst()
        .or(() -> Optional.ofNullable(status.jobStatus()))
        .orElse(ApplicationJobStatus.EMPTY);
  }

  @Override
  public SubmitOutcome submit(SubmitRequest request) {
    VersionRequest on = request.on();
    StoredApplication application = statuses.planned(on);
    String jobId = started(application, on.version());
    FrozenVersion version = application.version(on.version());
    if (look(application, on.version()).jobManager() == null) {
      throw FlinkApplicationStore.outdated(
          "the cluster of %s is not there".formatted(on.version().display()));
    }
    VersionSubmission submission =
        new VersionSubmission(
            request,
            version,
            jobId,
            flink.rest(),
            flink.jars(),
            ApplicationActivitiesImpl::inThreadOfItsOwn,
            clock);
    return watcher.watch(acting(on, version, "Flink to take job " + jobId, submission::look));
  }

  private static void inThreadOfItsOwn(Runnable call) {
    Thread thread = new Thread(call, "jar-run");
    thread.setDaemon(true);
    thread.start();
  }

  /** The job of the version, which must be the one that is recorded to be started. */
  private static String started(StoredApplication application, VersionRef version) {
    String jobId = version.jobId();
    String recorded = application.record().standing().startedJob();
    if (jobId == null || !jobId.equals(recorded)) {
      throw FlinkApplicationStore.outdated(
          "job %s is recorded to be started, not %s".formatted(recorded, jobId));
    }
    return jobId;
  }

  @Override
  public VersionJob awaitJob(SubmitRequest request) {
    VersionRequest on = request.on();
    StoredApplication application = statuses.planned(on);
    FrozenVersion version = application.version(on.version());
    String jobId = started(application, on.version());
    VersionJobWait wait =
        new VersionJobWait(
            version,
            jobId,
            on.deadlineMs(),
            job(application, version, jobId)
                .restoreCheck(
                    new AwaitRunningRequest(
                        on.resource(),
                        new JobRef(version.cluster(), jobId),
                        request.restoreFrom(),
                        on.deadlineMs())),
            flink.rest(),
            clock);
    return watcher.watch(
        Wait.of(
                version.cluster().display(),
                "every task of job " + jobId + " to be up",
                on.deadlineMs(),
                wait::look)
            .timingOutAs(FailureType.CLUSTER_NOT_READY)
            .extendedBy(VersionJobWait::extensionMs)
            .reportingTo(on.resource()));
  }

  @Override
  public PromotionOutcome awaitPromotion(PromotionRequest request) {
    VersionRequest on = request.on();
    FrozenVersion version = statuses.planned(on).version(on.version());
    String jobId = Objects.requireNonNullElse(on.version().jobId(), "");
    PromotionWait wait = new PromotionWait(request, version, jobId, flink.rest(), clock);
    return watcher.watch(
        Wait.of(
                version.cluster().display(),
                "job " + jobId + " to prove itself",
                on.deadlineMs(),
                wait::look)
            .reportingTo(on.resource()));
  }

  private <T> Wait<T> acting(
      VersionRequest on, FrozenVersion version, String what, Wait.Probe<T> probe) {
    return Wait.acting(version.cluster().display(), what, on.deadlineMs(), probe)
        .quick()
        .reportingTo(on.resource());
  }

  private ClusterPresence presence(StoredApplication application, FrozenVersion version) {
    return new ClusterPresence(version, () -> look(application, version.ref()), access);
  }

  private VersionLook look(StoredApplication application, VersionRef version) {
    return clusters.look(application.ref(), version, application.record().onClusterOf(version));
  }

  /** The newest spec says where savepoints go that the running one has no directory for. */
  private ClusterJob job(StoredApplication application, FrozenVersion version, String jobId) {
    return new ClusterJob(
        version.running(), jobId, application.spec().configuration(), flink.rest(), clock);
  }

  private StateFiles files(StoredApplication application, FrozenVersion version, String jobId) {
    return new StateFiles(
        jobId,
        version.running().configuration(),
        application.spec().configuration(),
        flink.files());
  }
}
