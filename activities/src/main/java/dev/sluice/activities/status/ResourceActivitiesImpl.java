package dev.sluice.activities.status;

import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.ManifestApply;
import dev.sluice.activities.cluster.Outdated;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.job.JobProbe;
import dev.sluice.activities.job.SessionLook;
import dev.sluice.activities.job.Statistics;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.revision.RevisionChoice;
import dev.sluice.activities.revision.SpecRevisions;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires {@link ResourceActivities} to what carries them out. */
public final class ResourceActivitiesImpl implements ResourceActivities {

  private static final Logger LOG = LoggerFactory.getLogger(ResourceActivitiesImpl.class);

  private final ResourceStores stores;
  private final WorkflowStatusWriter writer;
  private final TargetFreeze freeze;
  private final StillLost lost;
  private final SpecRevisions revisions;
  private final ResourceEvents events;
  private final ClusterReader clusters;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final Watcher watcher;
  private final SessionJobSource sessionJobs;
  private final int kept;
  private final UsedAnnotations used;
  private final Clock clock;

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
    this.used = new UsedAnnotations(client);
    this.sessionJobs = sessionJobs;
    this.stores = stores;
    this.writer = new WorkflowStatusWriter(client);
    this.freeze = new TargetFreeze(writer, new ManifestApply(client));
    this.revisions = new SpecRevisions(client);
    this.events = new ResourceEvents(client, access.clock());
    this.clusters = new ClusterReader(client);
    this.lost = new StillLost(clusters);
    this.access = access;
    this.flink = flink;
    this.watcher = watcher;
    this.kept = kept;
    this.clock = access.clock();
  }

  private Supplier<JobProbe.Probe> looks(RunningCluster cluster) {
    return cluster.session()
        ? new SessionLook(flink, cluster)::look
        : new JobProbe(
                flink,
                cluster.endpoint(),
                cluster.jobId(),
                Statistics.age(cluster.configuration()),
                clock)
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
    Instant now = clock.instant();
    StoredResource resource = store.read(ref);
    return Reading.of(ref, resource, clusters.objects(resource.cluster()), sessionJobs, now);
  }

  @Override
  public FreezeResult freezeTarget(FreezeRequest request) {
    return onFreshRead(
        request.resource(),
        (store, resource) -> freeze.freeze(store, resource, request, clock.instant()));
  }

  @Override
  public FreezeResult freezeStable(FreezeStableRequest request) {
    OperationReport report = request.report();
    return onFreshRead(
        report.resource(),
        (store, resource) -> {
          TargetSpec stable = resource.stable().orElse(null);
          if (stable == null) {
            return new FreezeResult.Invalid(
                "no spec of " + report.resource().display() + " was ever stable");
          }
          Outdated.check(resource, request.plannedFor(), after(request, stable));
          if (report.state() == OperationState.ABORTED
              && request.recorded() == null
              && resource.observed().pendingStop() != null) {
            throw Outdated.failure("the job may have been stopped");
          }
          Long givenUp = givenUp(resource);
          writeAndTell(
              store,
              resource,
              report,
              now ->
                  StatusChange.freezeStable(
                          now, givenUp, stable.target().suspended(), request, clock.instant())
                      .withRedeployNonce(stable.redeployNonce()));
          return TargetFreeze.frozen(resource, stable);
        });
  }

  /** The newest generation that says what was frozen; null when nothing was. */
  private static @Nullable Long givenUp(StoredResource resource) {
    TargetSpec same =
        resource.observed().newest().sameAsFrozen()
            ? resource.newest()
            : resource.frozen().orElse(null);
    return same == null ? null : same.target().generation();
  }

  private static Standing after(FreezeStableRequest request, TargetSpec stable) {
    RestorePoint recorded = request.recorded();
    return new Standing(
        recorded == null ? Observation.Phase.IDLE : Observation.Phase.ROLLING_BACK,
        stable.target().generation(),
        recorded == null ? null : recorded.startedJob());
  }

  @Override
  public FreezeResult freezeRevision(FreezeRevisionRequest request) {
    RevisionFreeze revision = new RevisionFreeze(revisions, freeze);
    return onFreshRead(
        request.resource(),
        (store, resource) -> {
          Optional<TargetSpec> begun = RevisionFreeze.begun(resource);
          if (begun.isPresent()) {
            if (!RollbackRequest.of(resource).goesFurther(resource)) {
              // the first attempt may have been lost before it did that
              forget(store, resource, request.resource());
            }
            return TargetFreeze.frozen(resource, begun.get());
          }
          RevisionChoice choice = revision.find(resource, request);
          TargetSpec spec = choice.spec();
          if (spec != null) {
            String why = RollbackRequest.of(resource).reason();
            OperationReport report =
                RevisionFreeze.report(request.report(), spec, choice.from(), why);
            RestorePoint recorded = RevisionFreeze.recorded(choice.from(), resource, request);
            long givenUp = resource.newest().target().generation();
            writeAndTell(
                store,
                resource,
                report,
                now ->
                    StatusChange.freezeRevision(
                            now, spec.json(), givenUp, recorded, report, clock.instant())
                        .withRedeployNonce(spec.redeployNonce()));
          }
          forget(store, resource, request.resource());
          return spec == null
              ? new FreezeResult.Invalid(choice.problem())
              : TargetFreeze.frozen(resource, spec);
        });
  }

  @Override
  public boolean answerRollback(OperationReport report, boolean mayFollow) {
    return onFreshRead(
        report.resource(),
        (store, resource) -> {
          RollbackRequest asked = RollbackRequest.of(resource);
          if (!asked.isThere() || (mayFollow && asked.goesFurther(resource))) {
            return asked.isThere();
          }
          asked
              .unanswered(resource)
              .ifPresent(
                  it ->
                      events.tell(
                          store.type(),
                          report.withMessage(it + ": ignored, " + report.message()),
                          EventReasons.REQUEST_IGNORED,
                          asked.reason()));
          forget(store, resource, report.resource());
          return false;
        });
  }

  /** The request is answered: asked again, as by a run that was reset, it is another one. */
  private void forget(ResourceStore store, StoredResource resource, ResourceRef ref) {
    Map<String, String> asked = UsedAnnotations.of(resource);
    asked
        .keySet()
        .retainAll(
            Set.of(Annotations.ROLLBACK_TO, Annotations.ROLLBACK_STATE, Annotations.ROLLBACK));
    used.remove(store.type(), ref, asked);
  }

  @Override
  public FreezeResult freezeDeployed(FreezeDeployedRequest request) {
    ResourceRef ref = request.resource();
    return onFreshRead(
        ref,
        (store, resource) -> {
          TargetSpec deployed = resource.frozen().orElse(null);
          if (deployed == null) {
            return new FreezeResult.Invalid("no spec of " + ref.display() + " is deployed");
          }
          lost.check(resource, request);
          Optional<String> problem =
              stopsJob(resource, request)
                  ? freeze.problem(deployed, resource.cluster(), ref)
                  : lost.hasEnded(resource, request);
          if (problem.isPresent()) {
            return new FreezeResult.Invalid(problem.get());
          }
          writeAndTell(
              store,
              resource,
              request.report(),
              now -> StatusChange.freezeDeployed(now, request, clock.instant()));
          return deployed.frozen();
        });
  }

  /** Of a job that is gone nothing is lost by the attempt. */
  private static boolean stopsJob(StoredResource resource, FreezeDeployedRequest request) {
    return request.begins()
        && request.after().cause() == RecoveryCause.UNHEALTHY
        && !resource.observed().isBegun();
  }

  @Override
  public void recordStop(RecordStopRequest request) {
    ResourceRef ref = request.resource();
    onFreshRead(
        ref,
        (store, resource) -> {
          requireBegun(ref, resource);
          Outdated.check(
              resource, request.plannedFor(), request.plannedFor().stopping(request.stop()));
          return writer.write(
              store.type(),
              ref,
              resource,
              now -> StatusChange.recordStop(now, request, clock.instant()));
        });
  }

  @Override
  public void recordState(RecordStateRequest request) {
    ResourceRef ref = request.resource();
    onFreshRead(
        ref,
        (store, resource) -> {
          requireBegun(ref, resource);
          Outdated.check(
              resource,
              request.plannedFor(),
              request.plannedFor().starting(request.recorded().startedJob()));
          writer.write(
              store.type(),
              ref,
              resource,
              now ->
                  StatusChange.record(now, request, clock.instant())
                      .withRedeployNonce(startedNonce(resource)));
          String choice = request.usedRestoreFrom();
          if (choice != null
              && choice.equals(UsedAnnotations.of(resource).get(Annotations.RESTORE_FROM))) {
            used.remove(store.type(), ref, Map.of(Annotations.RESTORE_FROM, choice));
          }
          return true;
        });
  }

  @Override
  public void recordEnd(RecordEndRequest request) {
    ResourceRef ref = request.resource();
    Ended job = request.job();
    onFreshRead(
        ref,
        (store, resource) -> {
          Outdated.check(resource, request.plannedFor(), request.plannedFor());
          EndedJob known = resource.status().ended();
          if (known != null && known.left() != null && resource.status().tellsEndOf(job.jobId())) {
            return resource.status();
          }
          requireEnded(read(store, ref), job);
          return writer.write(
              store.type(), ref, resource, now -> now.withEnd(job, clock.instant()));
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

  private static void requireBegun(ResourceRef ref, StoredResource resource) {
    if (!resource.observed().isBegun()) {
      throw Outdated.failure("no operation of " + ref.display() + " is begun");
    }
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
    OperationReport report = request.report();
    onFreshRead(
        report.resource(),
        (store, resource) -> {
          ReachedTarget.check(resource, report, request.jobId(), request.inPlace());
          revisions.keepStable(store.type(), report.resource(), resource, kept);
          Long nonce = startedNonce(resource);
          return writeAndTell(
              store,
              resource,
              report,
              now -> StatusChange.stable(now, request, nonce, clock.instant()));
        });
  }

  @Override
  public void report(OperationReport report) {
    if (report.run().operation().equals(OperationType.FINISH.wire())) {
      tellOnly(report);
      return;
    }
    try {
      onFreshRead(
          report.resource(),
          (store, resource) ->
              writeAndTell(
                  store,
                  resource,
                  report,
                  now -> StatusChange.report(now, report, clock.instant())));
    } catch (ApplicationFailure refused) {
      if (!refused.isNonRetryable() || !FailureType.REFUSED.equals(refused.getType())) {
        throw refused;
      }
      // a report that cannot be written must not end the operation
      LOG.warn("Could not report on {}: {}", report.resource().display(), refused.getMessage());
    }
  }

  /** {@code status.operation} says which operation reached the spec, or gave it up. */
  private void tellOnly(OperationReport report) {
    String event = report.event();
    if (event != null) {
      events.tell(stores.of(report.resource()).type(), report, event, report.run().runId());
    }
  }

  private OwnedStatus writeAndTell(
      ResourceStore store,
      StoredResource resource,
      OperationReport report,
      UnaryOperator<OwnedStatus> change) {
    OwnedStatus written = writer.write(store.type(), report.resource(), resource, change);
    String event = report.event();
    if (event != null) {
      events.tell(store.type(), report, event, since(written.operation()));
    }
    return written;
  }

  /** The same for a repeated call, because nothing is written then. */
  private static String since(@Nullable OperationStatus operation) {
    return operation == null ? "" : operation.attempt() + "@" + operation.since();
  }

  private <T> T onFreshRead(ResourceRef ref, BiFunction<ResourceStore, StoredResource, T> step) {
    ResourceStore store = stores.of(ref);
    EffectWindow window = EffectWindow.open(clock);
    return KubernetesFailure.told(
        "write the status of " + ref.display(),
        () ->
            ConflictRetry.then(
                window, () -> store.read(ref), resource -> step.apply(store, resource)));
  }
}
