package dev.sluice.activities.status;

import dev.sluice.activities.cluster.ClusterEvidence;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.HostEvidence;
import dev.sluice.activities.cluster.ManifestApply;
import dev.sluice.activities.cluster.Outdated;
import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.HostedJob.Submitted;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.revision.RevisionChoice;
import dev.sluice.activities.revision.SpecRevisions;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.FreezeDeployedRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRevisionRequest;
import dev.sluice.workflows.activity.ResourceActivities.FreezeStableRequest;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a spec the target of an operation, once it is known that it can be deployed: whatever is
 * wrong with it shows before the old job is stopped. Blocks for some calls to the API server. Fails
 * with {@code Outdated} when the status does not stand as it was planned for.
 */
final class Freeze {

  /** Stands for the job id and the state in the objects that are only checked. */
  private static final String SOME_JOB = "0".repeat(32);

  private static final StateRef SOME_STATE = new StateRef.Empty("only checked");

  private final ManifestApply manifests;
  private final SpecRevisions revisions;
  private final ClusterReader clusters;

  Freeze(ManifestApply manifests, SpecRevisions revisions, ClusterReader clusters) {
    this.manifests = manifests;
    this.revisions = revisions;
    this.clusters = clusters;
  }

  /**
   * The newest spec; or one that an operation was begun for, by this run or one that was lost, or
   * that is being rolled back to: that goes on.
   */
  FreezeResult newest(Fresh fresh, FreezeRequest request) {
    StoredResource resource = fresh.resource();
    Outdated.check(
        resource,
        request.plannedFor(),
        request
            .plannedFor()
            .freezing(request.generation(), request.keepRecorded(), request.stop()));
    TargetSpec newest = resource.newest();
    boolean recovers = OperationChange.type(request.run().operation()) == OperationType.RECOVER;
    boolean differs = recovers || newest.target().generation() != request.generation();
    TargetSpec begun = resource.observed().isBegun() ? resource.frozen().orElse(null) : null;
    if (begun != null
        && begun.target().generation() == request.generation()
        && (differs || resource.observed().phase() == Phase.ROLLING_BACK)) {
      fresh.write((now, at) -> StatusChange.freeze(now, begun.json(), request, at));
      answerIfBegun(fresh);
      return told(resource, begun);
    }
    if (differs) {
      return new FreezeResult.Changed(newest.target().generation());
    }
    String invalid = resource.problem();
    if (invalid != null) {
      return new FreezeResult.Invalid(invalid, true);
    }
    Checked checked = check(newest, fresh);
    if (checked.problem() != null) {
      return new FreezeResult.Invalid(checked.problem());
    }
    fresh.write((now, at) -> StatusChange.freeze(now, newest.json(), request, at));
    return told(resource, newest).withWarning(checked.warning());
  }

  /**
   * The answer to the workflow: a failed resume is not rolled back, it would only suspend again.
   */
  static FreezeResult.Frozen told(StoredResource resource, TargetSpec spec) {
    FreezeResult.Frozen frozen = frozen(resource, spec);
    Observation.Target stable = resource.stable().map(TargetSpec::target).orElse(null);
    if (stable == null) {
      return frozen;
    }
    if (stable.suspended()) {
      return frozen.withRollsBack(false);
    }
    return frozen.withAfterStateless(stable.upgradeMode() == UpgradeMode.STATELESS);
  }

  /** With what the resource asks for now, whichever of its specs it is. */
  static FreezeResult.Frozen frozen(StoredResource resource, TargetSpec spec) {
    return spec.frozen()
        .withStableAfter(resource.stableAfter().filter(it -> !it.isNone()).orElse(null));
  }

  /** The last stable spec: to roll back to it, or because the job was never touched. */
  FreezeResult stable(Fresh fresh, FreezeStableRequest request) {
    StoredResource resource = fresh.resource();
    TargetSpec stable = resource.stable().orElse(null);
    if (stable == null) {
      return new FreezeResult.Invalid("no spec of " + fresh.ref().display() + " was ever stable");
    }
    RestorePoint recorded = request.recorded();
    Outdated.check(
        resource,
        request.plannedFor(),
        new Standing(
            recorded == null ? Phase.IDLE : Phase.ROLLING_BACK,
            stable.target().generation(),
            recorded == null ? null : recorded.startedJob()));
    boolean untouched = request.report().state() == OperationState.ABORTED && recorded == null;
    if (untouched && resource.observed().pendingStop() != null) {
      throw Outdated.failure("the job may have been stopped");
    }
    // the newest generation that says what was frozen
    Long givenUp =
        resource.observed().newest().sameAsFrozen()
            ? Long.valueOf(resource.newest().target().generation())
            : resource.frozen().map(it -> it.target().generation()).orElse(null);
    fresh.write(
        request.report(),
        (now, at) ->
            StatusChange.freezeStable(now, givenUp, stable.target().suspended(), request, at)
                .withRedeployNonce(stable.redeployNonce()));
    return frozen(resource, stable);
  }

  /** An earlier spec, as the annotations ask; they are removed once that is answered. */
  FreezeResult revision(Fresh fresh, FreezeRevisionRequest request) {
    StoredResource resource = fresh.resource();
    RollbackRequest asked = RollbackRequest.of(resource);
    TargetSpec begun = answerIfBegun(fresh) ? resource.frozen().orElse(null) : null;
    if (begun != null) {
      return frozen(resource, begun);
    }
    Outdated.check(resource, request.plannedFor(), request.plannedFor());
    RevisionChoice choice = asked.choice(resource, revisions.known(fresh.ref(), resource));
    TargetSpec spec = choice.spec();
    String problem =
        spec == null
            ? choice.problem()
            : Objects.requireNonNullElse(check(spec, fresh).problem(), "");
    if (spec != null && problem.isEmpty()) {
      OperationReport report =
          request.report().withMessage(message(spec, choice.from(), asked.reason()));
      RestorePoint recorded = recorded(choice.from(), resource, request);
      long givenUp = resource.newest().target().generation();
      fresh.write(
          report,
          (now, at) ->
              StatusChange.freezeRevision(now, spec.json(), givenUp, recorded, report, at)
                  .withRedeployNonce(spec.redeployNonce()));
    }
    fresh.use(asked.annotations());
    return spec == null || !problem.isEmpty()
        ? new FreezeResult.Invalid(problem)
        : frozen(resource, spec);
  }

  /** Whether a rollback is begun. One that was lost between the two writes is answered now. */
  private static boolean answerIfBegun(Fresh fresh) {
    boolean begun = fresh.resource().observed().phase() == Phase.ROLLING_BACK;
    RollbackRequest asked = RollbackRequest.of(fresh.resource());
    if (begun && asked.isThere() && !asked.goesFurther(fresh.resource())) {
      fresh.use(asked.annotations());
    }
    return begun;
  }

  private static String message(TargetSpec spec, @Nullable StateRef from, String reason) {
    return "Rolling back to generation %d, from %s%s"
        .formatted(
            spec.target().generation(),
            from == null ? "the newest state of the job" : from.display(),
            reason.isEmpty() ? "" : ": " + reason);
  }

  /** The newest state of a suspended job is the one that it left. */
  private static @Nullable RestorePoint recorded(
      @Nullable StateRef from, StoredResource resource, FreezeRevisionRequest request) {
    RestorePoint left = resource.observed().recorded();
    if (from != null) {
      return new RestorePoint(from, request.runningJob(), request.startedJob());
    }
    return left == null
        ? null
        : RestorePoint.of(left.state(), left.takenFrom(), request.startedJob());
  }

  /** The spec that is deployed, because its job is lost. Of a job that is gone nothing is lost. */
  FreezeResult deployed(Fresh fresh, FreezeDeployedRequest request) {
    StoredResource resource = fresh.resource();
    TargetSpec deployed = resource.frozen().orElse(null);
    if (deployed == null) {
      return new FreezeResult.Invalid("no spec of " + fresh.ref().display() + " is deployed");
    }
    checkLoss(fresh, request);
    if (request.begins() && !resource.observed().isBegun()) {
      RecoveryCause cause = request.after().cause();
      String problem =
          cause == RecoveryCause.UNHEALTHY
              ? check(deployed, fresh).problem()
              : cause == RecoveryCause.JOB_MANAGER_MISSING ? ended(resource) : null;
      if (problem != null) {
        return new FreezeResult.Invalid(problem);
      }
    }
    fresh.write(request.report(), (now, at) -> StatusChange.freezeDeployed(now, request, at));
    return deployed.frozen();
  }

  /**
   * Refuses an attempt that was planned for a loss which was answered since: by this run before it
   * was reset, by another one, or by itself.
   */
  private void checkLoss(Fresh fresh, FreezeDeployedRequest request) {
    StoredResource resource = fresh.resource();
    Outdated.check(resource, request.plannedFor(), request.leaves());
    RecoveryStatus counted = resource.status().recovery();
    boolean again =
        request.report().run().runId().equals(resource.status().runId())
            && request.after().equals(counted);
    if (resource.observed().isBegun() || again) {
      return;
    }
    if (!Objects.equals(counted, request.before())) {
      throw Outdated.failure("the job was brought back since: " + counted);
    }
    HostedJob hosted = resource.hosted().orElse(null);
    if (hosted != null && request.jobId() == null) {
      return; // a job that its cluster does not know any more is planned for without an id
    }
    String jobId =
        hosted == null
            ? ClusterEvidence.deployment(clusters.objects(resource.cluster()), fresh.ref())
                .map(ClusterAnnotations::jobId)
                .orElse(null)
            : jobId(hosted.there());
    if (!Objects.equals(jobId, request.jobId())) {
      throw Outdated.failure(
          "the cluster was made for job %s, not %s".formatted(jobId, request.jobId()));
    }
  }

  private static @Nullable String jobId(@Nullable Submitted there) {
    return there == null ? null : there.jobId();
  }

  /**
   * Why a job that its session cluster does not know is not brought back; null when it may be. A
   * JobManager without high availability forgets a job only after that has ended ({@code
   * jobstore.expiration-time}).
   */
  private @Nullable String ended(StoredResource resource) {
    Submitted there = resource.hosted().map(HostedJob::there).orElse(null);
    if (there == null || there.jobManager() == null) {
      return null;
    }
    return there.jobManager().equals(HostEvidence.process(clusters.pods(resource.cluster())))
        ? "The JobManager that was asked to run job %s runs on and does not list it: it has ended. A new spec or restartNonce starts it."
            .formatted(there.jobId())
        : null;
  }

  /** Whether Kubernetes would take the cluster of that spec. */
  private Checked check(TargetSpec spec, Fresh fresh) {
    if (!spec.hasCluster()) {
      return new Checked(null, null);
    }
    try {
      JobRef job = new JobRef(fresh.resource().cluster(), SOME_JOB);
      Optional<String> warning = manifests.check(spec.render(job, SOME_STATE), fresh.ref());
      return new Checked(null, warning.orElse(null));
    } catch (IllegalArgumentException unrenderable) {
      return new Checked(String.valueOf(unrenderable.getMessage()), null);
    } catch (ApplicationFailure refused) {
      if (refused.isNonRetryable() && FailureType.REFUSED.equals(refused.getType())) {
        return new Checked(refused.getOriginalMessage(), null);
      }
      throw refused;
    }
  }

  /**
   * @param problem why Kubernetes would not take it; null when it would
   * @param warning what of it could not be checked; null when everything was
   */
  private record Checked(@Nullable String problem, @Nullable String warning) {}
}
