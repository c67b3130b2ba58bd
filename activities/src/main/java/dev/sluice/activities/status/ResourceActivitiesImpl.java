package dev.sluice.activities.status;

import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.ManifestApply;
import dev.sluice.activities.cluster.Outdated;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.job.JobProbe;
import dev.sluice.activities.job.SessionLook;
import dev.sluice.activities.job.Statistics;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.revision.SpecRevisions;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.FreezeDeployedRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRevisionRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.activity.ResourceActivities.ObserveRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordEndRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.Standing;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires {@link ResourceActivities} to what carries them out. */
public final class ResourceActivitiesImpl implements ResourceActivities {

  private static final Logger LOG = LoggerFactory.getLogger(ResourceActivitiesImpl.class);

  private final ResourceStores stores;
  private final Fresh.Writes writes;
  private final Freeze freeze;
  private final SpecRevisions revisions;
  private final ClusterReader clusters;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final Watcher watcher;
  private final SessionJobSource sessionJobs;
  private final int kept;

  /**
   * @param kept how many earlier specs are kept of each resource, at least 1
   */
  public ResourceActivitiesImpl(
      KubernetesClient client,
      ResourceStores stores,
      ClusterAccess access,
      FlinkRest flink,
      Watcher watcher,
      SessionJobSource sessionJobs,
      int kept) {
    this.stores = stores;
    this.writes = new Fresh.Writes(client, access.clock());
    this.revisions = new SpecRevisions(client);
    this.clusters = new ClusterReader(client);
    this.freeze = new Freeze(new ManifestApply(client), revisions, clusters);
    this.access = access;
    this.flink = flink;
    this.watcher = watcher;
    this.sessionJobs = sessionJobs;
    this.kept = kept;
  }

  private Supplier<JobProbe.Probe> looks(RunningCluster cluster) {
    return cluster.session()
        ? new SessionLook(flink, cluster)::look
        : new JobProbe(
                flink,
                cluster.endpoint(),
                cluster.jobId(),
                Statistics.age(cluster.configuration()),
                access.clock())
            ::look;
  }

  @Override
  public Observation observe(ObserveRequest request) {
    ResourceRef ref = request.resource();
    ResourceStore store = stores.of(ref);
    ActivityExecutionContext activity = Activity.getExecutionContext();
    long end = activity.getInfo().getScheduledTimestamp() + request.patienceMs();
    ObserveWait wait =
        new ObserveWait(Instant.ofEpochMilli(end), () -> read(store, ref), this::looks, access);
    return watcher.watch(
        Wait.of(wait.key(), "the job of " + ref.display() + " to settle", end, wait::look)
            .reportingTo(ref));
  }

  private Reading read(ResourceStore store, ResourceRef ref) {
    Instant now = access.clock().instant();
    StoredResource resource = store.read(ref);
    return Reading.of(ref, resource, clusters.objects(resource.cluster()), sessionJobs, now);
  }

  @Override
  public FreezeResult freezeTarget(FreezeRequest request) {
    return onFreshRead(request.resource(), fresh -> freeze.newest(fresh, request));
  }

  @Override
  public FreezeResult freezeStable(FreezeStableRequest request) {
    return onFreshRead(request.resource(), fresh -> freeze.stable(fresh, request));
  }

  @Override
  public FreezeResult freezeRevision(FreezeRevisionRequest request) {
    return onFreshRead(request.resource(), fresh -> freeze.revision(fresh, request));
  }

  @Override
  public FreezeResult freezeDeployed(FreezeDeployedRequest request) {
    return onFreshRead(request.resource(), fresh -> freeze.deployed(fresh, request));
  }

  @Override
  public boolean answerRollback(OperationReport report, boolean mayFollow) {
    return onFreshRead(
        report.resource(),
        fresh -> {
          RollbackRequest asked = RollbackRequest.of(fresh.resource());
          if (!asked.isThere() || (mayFollow && asked.goesFurther(fresh.resource()))) {
            return asked.isThere();
          }
          String ignored = asked.unanswered(fresh.resource());
          if (ignored != null) {
            fresh.tell(
                report
                    .withMessage(ignored + ": ignored, " + report.message())
                    .withEvent(EventReasons.REQUEST_IGNORED),
                asked.reason());
          }
          fresh.use(asked.annotations());
          return false;
        });
  }

  @Override
  public void recordStop(RecordStopRequest request) {
    onFreshRead(
        request.resource(),
        fresh -> {
          requireBegun(fresh, request.plannedFor(), request.plannedFor().stopping(request.stop()));
          return fresh.write((now, at) -> StatusChange.recordStop(now, request, at));
        });
  }

  @Override
  public void recordState(RecordStateRequest request) {
    onFreshRead(
        request.resource(),
        fresh -> {
          String started = request.recorded().startedJob();
          requireBegun(fresh, request.plannedFor(), request.plannedFor().starting(started));
          Long nonce = startedNonce(fresh.resource());
          fresh.write((now, at) -> StatusChange.record(now, request, at).withRedeployNonce(nonce));
          String choice = request.usedRestoreFrom();
          if (choice != null
              && choice.equals(
                  UsedAnnotations.of(fresh.resource()).get(Annotations.RESTORE_FROM))) {
            fresh.use(Map.of(Annotations.RESTORE_FROM, choice));
          }
          return true;
        });
  }

  @Override
  public void recordEnd(RecordEndRequest request) {
    Ended job = request.job();
    onFreshRead(
        request.resource(),
        fresh -> {
          OwnedStatus status = fresh.resource().status();
          Outdated.check(fresh.resource(), request.plannedFor(), request.plannedFor());
          EndedJob known = status.ended();
          if (known != null && known.left() != null && status.tellsEndOf(job.jobId())) {
            return status;
          }
          requireEnded(read(stores.of(fresh.ref()), fresh.ref()), job);
          return fresh.write((now, at) -> now.withEnd(job, at));
        });
  }

  /** A job that runs again by now, or of which nothing is known, has not ended. */
  private void requireEnded(Reading reading, Ended job) {
    boolean ended =
        reading.withoutFlink().isEmpty()
            && looks(reading.cluster()).get().job() instanceof Ended now
            && now.jobId().equals(job.jobId())
            && now.state() == job.state();
    if (!ended) {
      throw Outdated.failure(
          "Flink does not say that job %s is %s".formatted(job.jobId(), job.state()));
    }
  }

  private static void requireBegun(Fresh fresh, Standing plannedFor, Standing after) {
    if (!fresh.resource().observed().isBegun()) {
      throw Outdated.failure("no operation of " + fresh.ref().display() + " is begun");
    }
    Outdated.check(fresh.resource(), plannedFor, after);
  }

  /** A spec that is suspended leaves a redeployment to the one that resumes it. */
  private static @Nullable Long startedNonce(StoredResource resource) {
    TargetSpec frozen = resource.frozen().orElse(null);
    if (frozen == null || !frozen.target().suspended()) {
      return frozen == null ? null : frozen.redeployNonce();
    }
    RecordedState before = resource.status().recordedByOperation();
    return before != null
        ? before.redeployNonce()
        : resource.stable().map(TargetSpec::redeployNonce).orElse(null);
  }

  @Override
  public void markStable(StableRequest request) {
    onFreshRead(
        request.resource(),
        fresh -> {
          StoredResource resource = fresh.resource();
          ReachedTarget.check(resource, request.report(), request.jobId(), request.inPlace());
          revisions.keepStable(fresh.type(), fresh.ref(), resource, kept);
          Long nonce = startedNonce(resource);
          return fresh.write(
              request.report(), (now, at) -> StatusChange.stable(now, request, nonce, at));
        });
  }

  @Override
  public void report(OperationReport report) {
    if (report.run().operation().equals(OperationType.FINISH.wire())) {
      // status.operation says which operation reached the spec, or gave it up
      String event = report.event();
      if (event != null) {
        ResourceType type = stores.of(report.resource()).type();
        writes.events().tell(type, report, event, report.run().runId());
      }
      return;
    }
    try {
      onFreshRead(
          report.resource(),
          fresh -> fresh.write(report, (now, at) -> StatusChange.report(now, report, at)));
    } catch (ApplicationFailure refused) {
      if (!refused.isNonRetryable() || !FailureType.REFUSED.equals(refused.getType())) {
        throw refused;
      }
      // a report that cannot be written must not end the operation
      LOG.warn("Could not report on {}: {}", report.resource().display(), refused.getMessage());
    }
  }

  private <T> T onFreshRead(ResourceRef ref, Function<Fresh, T> step) {
    ResourceStore store = stores.of(ref);
    EffectWindow window = EffectWindow.open(access.clock());
    return KubernetesFailure.translate(
        "write the status of " + ref.display(),
        () ->
            ConflictRetry.then(
                window,
                () -> store.read(ref),
                resource -> step.apply(new Fresh(store.type(), ref, resource, writes))));
  }
}
