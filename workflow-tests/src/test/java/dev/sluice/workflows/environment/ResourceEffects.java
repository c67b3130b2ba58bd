package dev.sluice.workflows.environment;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads and writes the resource as the contract of {@link ResourceActivities} says. */
public final class ResourceEffects implements ResourceActivities {

  private static final long READINESS_TIMEOUT_MS = 300_000;

  /** A spec with that in its content is rolled back by itself. */
  public static final String ROLLS_BACK = "rolls back";

  /** A job of a spec with that in its content is started again when it is FAILED. */
  public static final String RESTARTS_FAILED = "restarts failed";

  /** A job of a spec with that in its content counts as stable after a while and a checkpoint. */
  public static final String PROVES_ITSELF = "proves itself";

  private static final StableAfter PROOF = new StableAfter(5_000);

  private final Environment environment;
  private final Moments moments;

  public ResourceEffects(Environment environment, Moments moments) {
    this.environment = environment;
    this.moments = moments;
  }

  @Override
  public Observation observe(ObserveRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
    }
    if (request.patienceMs() > 0) {
      environment.await(moments, () -> !environment.unsettled());
    }
    Observation seen = environment.observation();
    environment.invariants().observed(seen);
    environment.note("observed " + seen.job() + " recorded " + seen.recorded());
    return seen;
  }

  @Override
  public FreezeResult freezeTarget(FreezeRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
      ResourceModel resource = environment.resource();
      mustStand(
          request.plannedFor(),
          request
              .plannedFor()
              .freezing(request.generation(), request.keepRecorded(), request.stop()));
      Spec newest = resource.newest();
      boolean recovers = request.run().operation().equals("Recover");
      boolean differs = recovers || newest.generation() != request.generation();
      Spec begun = resource.phase() == Phase.IDLE ? null : resource.frozen();
      boolean goesOn = begun != null && begun.generation() == request.generation();
      if (differs && !goesOn) {
        return new FreezeResult.Changed(newest.generation());
      }
      if (goesOn && (differs || resource.phase() == Phase.ROLLING_BACK)) {
        if (resource.phase() == Phase.ROLLING_BACK && !resource.rollback().goesFurther(begun)) {
          resource.rollback().forget();
        }
        resource.freeze(begun, resource.phase());
        resource.pendingStop(request.stop());
        resource.frozenBy(request.run());
        resource.report(begun(request));
        return told(begun);
      }
      if (!newest.valid()) {
        return new FreezeResult.Invalid(String.valueOf(newest.problem()), true);
      }
      if (environment.breaksRuleOfThisWorker()) {
        return new FreezeResult.Invalid("spec.image: refused by another configuration", true);
      }
      // the jar of a job on a session cluster is fetched later
      boolean refused = environment.host() == null && newest.shape().start() == Start.REFUSED;
      if (refused && !environment.healed()) {
        throw Failures.passing(FailureType.REFUSED, "exceeded quota: compute");
      }
      resource.freeze(newest, Phase.UPGRADING);
      resource.frozenBy(request.run());
      if (!request.keepRecorded()) {
        resource.record(null);
      }
      resource.pendingStop(request.stop());
      resource.report(begun(request));
      environment.note("frozen " + newest.generation() + ": " + request.message());
      return told(newest);
    }
  }

  private static OperationReport begun(FreezeRequest request) {
    return new OperationReport(
        request.resource(),
        request.run(),
        OperationState.RUNNING,
        request.step(),
        request.generation(),
        null,
        request.message(),
        null,
        null,
        null);
  }

  @Override
  public FreezeResult freezeStable(FreezeStableRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
      ResourceModel resource = environment.resource();
      Spec stable = resource.stable();
      if (stable == null) {
        return new FreezeResult.Invalid("there is no stable spec");
      }
      RestorePoint point = request.recorded();
      mustStand(
          request.plannedFor(),
          new Standing(
              point == null ? Phase.IDLE : Phase.ROLLING_BACK,
              stable.generation(),
              point == null ? null : point.startedJob()));
      OperationState state = request.report().state();
      if (state == OperationState.ABORTED && point == null && resource.pendingStop() != null) {
        throw Failures.permanent(FailureType.OUTDATED, "the job may have been stopped");
      }
      boolean untouched = state == OperationState.ABORTED || state == OperationState.SUCCEEDED;
      environment.invariants().goesBack(untouched);
      if (state != OperationState.SUCCEEDED && resource.frozen() != null) {
        environment.invariants().abortEnds(resource.frozen());
        resource.giveUpFrozen();
      }
      resource.freeze(stable, untouched ? Phase.IDLE : Phase.ROLLING_BACK);
      resource.pendingStop(null);
      resource.frozenBy(request.report().run());
      if (!untouched || !stable.suspended()) {
        boolean rescale = request.report().run().operation().equals("Rescale");
        resource.record(!untouched ? request.recorded() : rescale ? resource.runningFrom() : null);
      }
      if (state == OperationState.SUCCEEDED
          && request.report().run().operation().equals("Recover")) {
        resource.up(request.report());
      }
      resource.report(request.report());
      environment.note("frozen again " + stable.generation() + ", recorded " + resource.recorded());
      return frozen(stable);
    }
  }

  @Override
  public FreezeResult freezeRevision(FreezeRevisionRequest request) {
    FreezeResult result;
    synchronized (environment) {
      environment.callApiServer(true);
      ResourceModel resource = environment.resource();
      RollbackAnnotations asked = resource.rollback();
      Spec frozen = resource.frozen();
      if (resource.phase() == Phase.ROLLING_BACK && frozen != null) {
        if (!asked.goesFurther(frozen)) {
          asked.forget();
        }
        return frozen(frozen);
      }
      mustStand(request.plannedFor(), request.plannedFor());
      ResourceModel.Revision to = RevisionToGoBackTo.of(resource);
      StateRef from = to == null || asked.asksForNewestState() ? null : to.left();
      if (to == null || (from == null && !asked.asksForNewestState())) {
        asked.forget();
        return new FreezeResult.Invalid("nothing to go back to");
      }
      environment.invariants().goesBackToRevision(from);
      resource.rollsBack(asked.asksForNewestState());
      resource.giveUp(resource.newest().generation());
      resource.freeze(to.spec(), Phase.ROLLING_BACK);
      resource.pendingStop(null);
      resource.frozenBy(request.report().run());
      resource.record(
          from == null ? null : new RestorePoint(from, request.runningJob(), request.startedJob()));
      resource.report(request.report());
      environment.note("frozen revision " + to);
      result = frozen(to.spec());
    }
    moments.during("status written");
    synchronized (environment) {
      environment.callApiServer(true);
      environment.resource().rollback().forget();
      return result;
    }
  }

  @Override
  public boolean answerRollback(OperationReport report, boolean mayFollow) {
    synchronized (environment) {
      environment.callApiServer(true);
      ResourceModel resource = environment.resource();
      RollbackAnnotations asked = resource.rollback();
      boolean further = asked.goesFurther(resource.frozen());
      if (!asked.isThere() || (mayFollow && further)) {
        return asked.isThere();
      }
      if (further && !asked.isIgnoredRightly(resource)) {
        environment.invariants().violated("ignores a rollback request that nothing came before");
      }
      asked.forget();
      environment.note("rollback answered: " + report.message());
      return false;
    }
  }

  @Override
  public FreezeResult freezeDeployed(FreezeDeployedRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
      ResourceModel resource = environment.resource();
      Spec frozen = resource.frozen();
      if (frozen == null) {
        return new FreezeResult.Invalid("nothing is deployed");
      }
      mustStand(request.plannedFor(), request.leaves());
      boolean sameRun =
          resource.operation() != null
              && request.report().run().equals(resource.operation().run())
              && request.after().equals(resource.recovery());
      if (!resource.begun() && !sameRun) {
        boolean lost =
            Objects.equals(resource.recovery(), request.before())
                && Objects.equals(environment.observation().cluster().jobId(), request.jobId());
        if (!lost) {
          throw Failures.permanent(FailureType.OUTDATED, "the job was brought back since");
        }
      }
      if (!resource.begun() && request.begins() && environment.breaksRuleOfThisWorker()) {
        return new FreezeResult.Invalid("serviceaccount flink not found");
      }
      if (!resource.begun()) {
        resource.recovery(request.after());
        if (request.begins()) {
          if (request.keeps() == null) {
            resource.record(null);
          }
          resource.freeze(frozen, Phase.UPGRADING);
          resource.pendingStop(null);
          resource.frozenBy(request.report().run());
        }
      }
      resource.report(request.report());
      environment.note("recovers " + request.after() + ", begins " + request.begins());
      return frozen(frozen);
    }
  }

  @Override
  public void recordStop(RecordStopRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
      ResourceModel resource = environment.resource();
      if (resource.phase() == Phase.IDLE) {
        throw Failures.permanent(FailureType.OUTDATED, "no operation is begun");
      }
      mustStand(request.plannedFor(), request.plannedFor().stopping(request.stop()));
      resource.pendingStop(request.stop());
      if (request.report() != null) {
        resource.report(request.report());
      }
      environment.note("pending stop " + request.stop());
    }
  }

  @Override
  public void recordState(RecordStateRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
      ResourceModel resource = environment.resource();
      if (resource.phase() == Phase.IDLE) {
        throw Failures.permanent(FailureType.OUTDATED, "no operation is begun");
      }
      mustStand(
          request.plannedFor(), request.plannedFor().starting(request.recorded().startedJob()));
      environment.invariants().records(request);
      resource.record(request.recorded());
      String used = request.usedRestoreFrom();
      if (used != null && used.equals(resource.restoreFrom())) {
        resource.restoreFrom(null);
      }
      environment.note("recorded " + request.recorded());
    }
  }

  @Override
  public void recordEnd(RecordEndRequest request) {
    synchronized (environment) {
      environment.callApiServer(true);
      mustStand(request.plannedFor(), request.plannedFor());
      Ended known = environment.resource().end();
      if (known != null && known.jobId().equals(request.job().jobId())) {
        return;
      }
      Deployment deployment = environment.ownDeployment();
      boolean ended =
          deployment != null
              && environment.observation().job() instanceof Ended now
              && now.jobId().equals(request.job().jobId())
              && now.state() == request.job().state();
      if (!ended) {
        throw Failures.permanent(FailureType.OUTDATED, "Flink does not say that it has ended");
      }
      environment.invariants().takesForEnded(deployment);
      environment.resource().end(request.job());
      environment.effect("record the end of job " + request.job().jobId());
    }
  }

  @Override
  public void markStable(StableRequest request) {
    OperationReport report = request.report();
    synchronized (environment) {
      environment.callApiServer(true);
      Spec frozen = environment.resource().frozen();
      if (frozen == null || frozen.generation() != report.targetGeneration()) {
        throw Failures.permanent(FailureType.OUTDATED, "another generation is frozen");
      }
      RestorePoint recorded = environment.resource().recorded();
      boolean reached =
          request.jobId() == null
              ? frozen.suspended()
              : recorded == null
                  ? request.inPlace() && (environment.resource().begun() || isTold(report))
                  : recorded.starts(request.jobId());
      if (!reached) {
        throw Failures.permanent(FailureType.OUTDATED, "another job is recorded to be started");
      }
      if (environment.resource().phase() != Phase.IDLE && SessionModel.is(frozen)) {
        SessionModel.marksStable(environment);
      } else if (environment.resource().phase() != Phase.IDLE) {
        environment.invariants().marksStable();
        mustBeProved(frozen, request);
      }
      keepLeft(environment.resource(), frozen);
      if (request.inPlace() && recorded == null) {
        environment.resource().record(environment.resource().runningFrom());
      }
      environment.resource().stabilize();
      environment.resource().up(report);
      environment.resource().report(report);
      environment.note("stable " + environment.resource().frozen());
    }
  }

  private boolean isTold(OperationReport report) {
    OperationReport told = environment.resource().operation();
    return told != null && told.state() == report.state() && told.run().equals(report.run());
  }

  @Override
  public void report(OperationReport report) {
    synchronized (environment) {
      environment.callApiServer(true);
      if (report.run().operation().equals("Finish")) {
        return; // only its event is told
      }
      Spec frozen = environment.resource().frozen();
      // one that comes late is about a spec before
      boolean late = frozen != null && report.targetGeneration() < frozen.generation();
      if (report.state() == OperationState.ABORTED && !late) {
        environment.invariants().abortEnds(frozen);
      }
      environment.resource().report(report);
      environment.invariants().reported(report);
      if (environment.invariants().failed.isForgotten(report, environment.ownDeployment())) {
        environment.invariants().violated("forgets what a failed job left that it is held for");
      }
      environment.note(
          "reported %s at %s: %s %s"
              .formatted(report.state(), report.step(), report.reason(), report.message()));
    }
  }

  /** A recovery brings back what was stable before. */
  private void mustBeProved(Spec frozen, StableRequest request) {
    boolean recovers = request.report().run().operation().equals("Recover");
    String jobId = request.jobId();
    if (proof(frozen) != null
        && jobId != null
        && !recovers
        && !environment.invariants().proved.contains(jobId)) {
      environment.invariants().violated("marks stable what has not proved itself");
    }
  }

  private static void keepLeft(ResourceModel resource, Spec frozen) {
    Spec stable = resource.stable();
    RestorePoint recorded = resource.recorded();
    if (stable != null && !stable.suspended() && stable.generation() != frozen.generation()) {
      boolean back = resource.phase() == Phase.ROLLING_BACK;
      resource.keep(stable, back || recorded == null ? null : recorded.leftByStable());
    }
  }

  /** The status stands as it was planned for, or the effect was carried out before. */
  private void mustStand(Standing plannedFor, Standing after) {
    Standing now = environment.observation().standing();
    if (!now.equals(plannedFor) && !now.equals(after)) {
      throw Failures.permanent(
          FailureType.OUTDATED, "the status stands at " + now + ", not at " + plannedFor);
    }
  }

  private FreezeResult.Frozen told(Spec spec) {
    Spec stable = environment.resource().stable();
    if (stable == null) {
      return frozen(spec);
    }
    if (stable.suspended()) {
      return frozen(spec).withRollsBack(false);
    }
    return frozen(spec).withAfterStateless(stable.target().upgradeMode() == UpgradeMode.STATELESS);
  }

  /** What a job of the spec has to prove before it is stable; null for nothing. */
  static @Nullable StableAfter proof(Spec spec) {
    return spec.content().contains(PROVES_ITSELF) ? PROOF : null;
  }

  private static FreezeResult.Frozen frozen(Spec spec) {
    return new FreezeResult.Frozen(
        spec.target(),
        READINESS_TIMEOUT_MS,
        spec.content(),
        spec.content().contains(ROLLS_BACK),
        proof(spec),
        false,
        null);
  }
}
