package dev.sluice.workflows.fake;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.RecordStopRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Newest;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Step;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A resource, its cluster and its job as one small model behind the activities. A test holds it at
 * a step, or makes a step fail, and sees what became of it. What must never happen is noted.
 */
public class FakeEnvironment extends FakeJob implements ResourceActivities, ClusterActivities {

  public static final ResourceRef ORDERS =
      new ResourceRef("k8s", "FlinkDeployment", "default", "orders", "0a1b2c3d-4e5f");

  private static final ClusterRef CLUSTER = new ClusterRef("default", "orders");

  /** Whose environment it is. */
  public ResourceRef ref() {
    return ORDERS;
  }

  /** Where its job runs. */
  ClusterRef place() {
    return CLUSTER;
  }

  /** Pods of a cluster of its own. */
  int pods() {
    return cluster == null || isStopped() ? 0 : 2;
  }

  /**
   * An environment in which {@code runs} runs and is stable, and the newest spec is {@code newest}.
   */
  public static FakeEnvironment running(long runs, long newest) {
    FakeEnvironment it = new FakeEnvironment();
    it.runs(runs, newest);
    return it;
  }

  final void runs(long runs, long next) {
    generation = next;
    frozen = runs;
    frozenMode = UpgradeMode.SAVEPOINT;
    stable = runs;
    cluster = runs;
    jobId = "job-of-" + runs;
    preparedJobId = jobId;
    jobState = FlinkJobState.RUNNING;
    startedFrom = new StateRef.Savepoint("savepoint-before");
    progressed = true;
    newest = new StateRef.Checkpoint("chk-of-" + runs);
  }

  /** An environment whose job was suspended with that generation, and the newest is another. */
  public static FakeEnvironment suspended(long suspended, long newest) {
    FakeEnvironment it = running(suspended, newest);
    it.suspended.add(suspended);
    it.cluster = null;
    it.jobId = null;
    it.jobState = null;
    it.preparedJobId = "job-before";
    it.recorded =
        new RestorePoint(
            new StateRef.Savepoint("savepoint-of-suspended"), "job-before", "job-reserved");
    return it;
  }

  @Override
  public Observation observe(ObserveRequest request) {
    enter(Step.OBSERVE);
    mustExist();
    gate.leave();
    Long was = frozen;
    JobObservation there = job();
    Observation seen =
        new Observation(
            deleting,
            new Newest(
                target(generation, mode),
                problem,
                was != null && same(was, generation),
                stable != null && same(stable, generation),
                restoreFrom),
            was == null ? null : target(was, Objects.requireNonNull(frozenMode)),
            stable,
            phase,
            0,
            !reports.isEmpty() && reports.get(reports.size() - 1).state().isOpen(),
            null,
            phase == Phase.IDLE && (was == null || !suspended.contains(was)) ? null : recorded,
            new ClusterObservation(
                place(),
                cluster != null,
                cluster,
                cluster == null ? null : jobId,
                preparedJobId,
                jobManager,
                highAvailability,
                pods(),
                null,
                false),
            there,
            otherJobs,
            new Observation.Deployed(version(cluster), true, null),
            deletionSavepointMs,
            recovery,
            phase == Phase.IDLE ? recorded : null,
            List.of(),
            false,
            List.of(),
            phase == Phase.IDLE ? null : pendingStop);
    return seen.withSessionJobs(sessionJobs)
        .withClusterGoes(clusterGoes && !(there instanceof JobObservation.Ended));
  }

  private boolean isStopped() {
    StopJobManagerRequest it = stopped;
    return it != null && it.job().jobId().equals(jobId);
  }

  private Target target(long of, UpgradeMode with) {
    return session
        ? Target.session(of, version(of), options)
        : new Target(
            of, with, initialSavepoint, version(of), options, suspended.contains(of), false, false);
  }

  private FlinkVersion version(@Nullable Long of) {
    return of == null ? FlinkVersion.V2_2 : versions.getOrDefault(of, FlinkVersion.V2_2);
  }

  private boolean same(long one, long other) {
    boolean bothSix = (one == 6 || one == sameAsSix) && (other == 6 || other == sameAsSix);
    return one == other || bothSix || (one >= sameFrom && other >= sameFrom);
  }

  @Override
  public FreezeResult freezeTarget(FreezeRequest request) {
    enter(Step.FREEZE_TARGET);
    mustExist();
    boolean takenOver = phase != Phase.IDLE && Objects.equals(frozen, request.generation());
    if (!takenOver && generation != request.generation()) {
      return new FreezeResult.Changed(generation);
    }
    if (!takenOver && problem != null) {
      return new FreezeResult.Invalid(problem, true);
    }
    if (problemAtFreeze != null) {
      return new FreezeResult.Invalid(problemAtFreeze, true);
    }
    frozen = request.generation();
    frozenMode = mode;
    if (phase == Phase.IDLE) {
      phase = Phase.UPGRADING;
    }
    if (!request.keepRecorded()) {
      recorded = null;
    }
    pendingStop = request.stop();
    plans.add(request.message());
    frozenFor.add(request.step());
    gate.leave();
    return frozenAs(request.generation());
  }

  @Override
  public FreezeResult freezeStable(FreezeStableRequest request) {
    enter(Step.FREEZE_TARGET);
    mustExist();
    reports.add(request.report());
    if (stable == null) {
      return new FreezeResult.Invalid("no spec was ever stable");
    }
    frozen = stable;
    phase = request.recorded() == null ? Phase.IDLE : Phase.ROLLING_BACK;
    recorded = request.recorded();
    pendingStop = null;
    return frozenAs(stable);
  }

  @Override
  public FreezeResult freezeRevision(FreezeRevisionRequest request) {
    enter(Step.FREEZE_TARGET);
    mustExist();
    Long to = revision;
    if (to == null) {
      return new FreezeResult.Invalid("no spec before generation 7 is kept");
    }
    if (phase != Phase.ROLLING_BACK) {
      reports.add(request.report());
      frozen = to;
      frozenMode = mode;
      phase = Phase.ROLLING_BACK;
      StateRef left = revisionLeft;
      recorded =
          left == null ? null : new RestorePoint(left, request.runningJob(), request.startedJob());
    }
    gate.leave();
    return frozenAs(to);
  }

  @Override
  public boolean answerRollback(OperationReport report, boolean mayFollow) {
    enter(Step.REPORT);
    mustExist();
    answers.add(report);
    gate.leave();
    return mayFollow && goesFurther;
  }

  @Override
  public FreezeResult freezeDeployed(FreezeDeployedRequest request) {
    enter(request.begins() ? Step.FREEZE_TARGET : Step.REPORT);
    mustExist();
    if (request.begins() && problemAtFreeze != null) {
      return new FreezeResult.Invalid(problemAtFreeze);
    }
    reports.add(request.report());
    if (phase == Phase.IDLE) {
      outdatedUnless(
          Objects.equals(recovery, request.before()) || request.after().equals(recovery),
          "the job was brought back since");
      recovery = request.after();
      if (request.begins()) {
        phase = Phase.UPGRADING;
        recorded = request.keeps();
      }
    }
    gate.leave();
    return frozenAs(Objects.requireNonNull(frozen));
  }

  @Override
  public void recordStop(RecordStopRequest request) {
    enter(Step.RECORD_STOP);
    mustExist();
    outdatedUnless(phase != Phase.IDLE, "no operation is begun");
    pendingStop = request.stop();
    if (request.report() != null) {
      reports.add(request.report());
    }
    gate.leave();
  }

  @Override
  public void recordState(RecordStateRequest request) {
    enter(Step.RECORD_STATE);
    mustExist();
    outdatedUnless(phase != Phase.IDLE, "no operation is begun");
    records.add(request.recorded());
    told(request.taken());
    plans.add(String.valueOf(request.plan()));
    recorded = request.recorded();
    pendingStop = null;
    if (request.usedRestoreFrom() != null) {
      restoreFrom = null;
    }
    gate.leave();
  }

  @Override
  public void markStable(StableRequest request) {
    OperationReport report = request.report();
    enter(Step.MARK_STABLE);
    mustExist();
    outdatedUnless(
        Objects.equals(frozen, report.targetGeneration()), "another generation is frozen");
    if (request.jobId() == null && cluster != null) {
      violations.add("generation " + frozen + " was marked as suspended beside its cluster");
    }
    stable = frozen;
    phase = Phase.IDLE;
    recorded = recorded == null ? null : recorded.settled();
    reports.add(report);
    gate.leave();
  }

  @Override
  public void report(OperationReport report) {
    enter(Step.REPORT);
    mustExist();
    reports.add(report);
    told(report.taken());
    RestorePoint point = recorded;
    String up = report.upJob();
    recorded = point == null || up == null ? point : point.up(up);
    gate.leave();
  }

  @Override
  public void deleteCluster(DeleteClusterRequest request) {
    enter(Step.DELETE_CLUSTER);
    mustExist();
    String there = jobId;
    boolean fits = there == null || request.jobIds().isEmpty() || request.jobIds().contains(there);
    outdatedUnless(cluster == null || fits, "the cluster runs job " + there);
    boolean stateful =
        !session && cluster != null && mode == UpgradeMode.SAVEPOINT && stable != null;
    if (stateful && !request.everything() && recorded == null) {
      violations.add("the cluster of generation " + cluster + " was deleted without its state");
    }
    deleted = request;
    cluster = null;
    jobId = null;
    jobState = null;
    gate.leave();
  }

  @Override
  public void createCluster(CreateClusterRequest request) {
    enter(Step.CREATE_CLUSTER);
    mustExist();
    RestorePoint point = recorded;
    outdatedUnless(
        phase != Phase.IDLE
            && Objects.equals(frozen, request.generation())
            && point != null
            && point.startedJob().equals(request.job().jobId()),
        "another job is recorded");
    if (suspended.contains(request.generation())) {
      violations.add("a cluster was made of a suspended spec");
    }
    if (cluster != null && !Objects.equals(jobId, request.job().jobId())) {
      violations.add("a second cluster was made beside that of generation " + cluster);
    }
    cluster = request.generation();
    jobId = request.job().jobId();
    preparedJobId = jobId;
    jobState = FlinkJobState.CREATED;
    startedFrom = request.restoreFrom();
    newest = request.restoreFrom();
    progressed = false;
    gate.leave();
  }

  @Override
  public void awaitJobManager(AwaitJobManagerRequest request) {
    enter(Step.AWAIT_JOB_MANAGER);
    gate.leave();
  }

  @Override
  public HeldDeletion awaitNoJobs(AwaitNoJobsRequest request) {
    enter(Step.AWAIT_NO_JOBS);
    gate.leave();
    return HeldDeletion.NOTHING;
  }

  @Override
  public HeldDeletion suspendSessionJobs(SuspendSessionJobsRequest request) {
    enter(Step.SUSPEND_SESSION_JOBS);
    gate.leave();
    return leaving;
  }

  @Override
  public void noteEnd(NoteEndRequest request) {
    enter(Step.NOTE_END);
    noted = request;
    gate.leave();
  }

  @Override
  public void stopJobManager(StopJobManagerRequest request) {
    enter(Step.STOP_JOB_MANAGER);
    stopped = request;
    gate.leave();
  }

  /** A failure that the engine does not retry. */
  public static ApplicationFailure failure(String type, String message) {
    return ApplicationFailure.newNonRetryableFailure(message, type);
  }

  /** The last state of the operation that people were told of. */
  public @Nullable OperationState lastReported() {
    return reports.isEmpty() ? null : reports.get(reports.size() - 1).state();
  }

  private void told(@Nullable Savepoint savepoint) {
    if (savepoint != null) {
      taken.add(savepoint.location());
    }
  }

  private FreezeResult frozenAs(long of) {
    return new FreezeResult.Frozen(
        target(of, mode),
        300_000,
        "flink:2.2, parallelism 2",
        rollsBack,
        stableAfter,
        afterStateless,
        null);
  }
}
