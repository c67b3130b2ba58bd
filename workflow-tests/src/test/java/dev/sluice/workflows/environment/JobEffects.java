package dev.sluice.workflows.environment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.environment.FlinkJob.SavepointOperation;
import dev.sluice.workflows.environment.JobManagerProcess.Phase;
import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.StateRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stops, cancels and awaits the job as the contract of {@link JobActivities} says. */
public final class JobEffects implements JobActivities {

  /** So many savepoints of one request may fail. */
  private static final int TRIGGERS = 3;

  private final Environment environment;
  private final Moments moments;

  public JobEffects(Environment environment, Moments moments) {
    this.environment = environment;
    this.moments = moments;
  }

  @Override
  public TakenState stopWithSavepoint(StopRequest request) {
    FlinkJob job = reach(request.job());
    SavepointOperation operation;
    synchronized (environment) {
      if (job.stoppedWith() != null) {
        return taken(job, job.knows(request.triggerId() + "-1"));
      }
      if (begunAgain(job, request)) {
        throw Failures.permanent(
            FailureType.STATE_NOT_FOUND, "the JobManager restarted and began the job again");
      }
      if (!job.live()) {
        return ended(job);
      }
      if (job.failures(request.triggerId()) >= TRIGGERS) {
        throw Failures.permanent(FailureType.SAVEPOINT_FAILED, "three savepoints failed");
      }
      environment.invariants().stops(job, request.triggerId(), request.last());
      RescaleEffects.verifyStop(environment);
      operation = newestOperation(job, request.triggerId());
    }
    moments.during("triggered");
    boolean told = environment.await(moments, () -> !operation.inProgress() || operation.late());
    synchronized (environment) {
      if (!told || operation.inProgress()) {
        throw unknown("no savepoint by the deadline");
      }
      if (job.stoppedWith() != null) {
        environment.note("stopped " + job.jobId + " at " + job.progress());
        return taken(job, true);
      }
      if (job.live()) {
        throw job.failures(request.triggerId()) < TRIGGERS
            ? Failures.passing(FailureType.SAVEPOINT_FAILED, "the savepoint failed")
            : Failures.permanent(FailureType.SAVEPOINT_FAILED, "three savepoints failed");
      }
      return ended(job);
    }
  }

  /** Without high availability, and since the first call with that trigger. */
  private boolean begunAgain(FlinkJob job, StopRequest request) {
    int first =
        environment.incarnationAt.computeIfAbsent(request.triggerId(), id -> job.incarnation);
    return first != job.incarnation
        && !job.spec.shape().highAvailability()
        && !job.knows(request.triggerId());
  }

  /** The operation in flight, or one of the next attempt when those before have failed. */
  private SavepointOperation newestOperation(FlinkJob job, String triggerId) {
    for (int attempt = 1; ; attempt++) {
      boolean known = job.knows(triggerId + "-" + attempt);
      SavepointOperation operation = job.stop(triggerId + "-" + attempt, environment.healed());
      if (!operation.failed()) {
        if (!known) {
          environment.effect("stop job " + job.jobId + " with a savepoint");
        }
        return operation;
      }
    }
  }

  @Override
  public TakenState cancelJob(CancelRequest request) {
    FlinkJob job = reach(request.job());
    synchronized (environment) {
      if (job.live()) {
        RescaleEffects.verifyStop(environment);
        switch (request.onlyIf()) {
          case STATE_IS_KEPT -> mustKeep(job);
          case PROGRESS_IS_KEPT -> {
            mustKeep(job);
            mustHaveProgressed(job, request);
          }
          case NOT_PROGRESSED -> mustNotHaveProgressed(job);
          case ANY_CASE -> {}
        }
        environment.invariants().cancels(job, request.onlyIf().keepsState());
        job.cancel();
        environment.effect("cancel job " + job.jobId);
      }
    }
    moments.during("cancelled");
    synchronized (environment) {
      if (!request.onlyIf().keepsState()) {
        return new TakenState(new StateRef.Empty("not wanted"), "cancelled");
      }
      StateRef newest = job.newest();
      if (newest instanceof StateRef.Unknown unknown) {
        throw Failures.permanent(FailureType.STATE_NOT_FOUND, unknown.reason());
      }
      if (request.onlyIf() == CancelRequest.OnlyIf.PROGRESS_IS_KEPT) {
        mustHaveProgressed(job, request);
      }
      return new TakenState(newest, "its newest state");
    }
  }

  private void mustNotHaveProgressed(FlinkJob job) {
    if (job.observation(environment.healed()) instanceof Alive alive && alive.progressed()) {
      throw Failures.permanent(FailureType.OUTDATED, "the job has progressed");
    }
  }

  private static void mustHaveProgressed(FlinkJob job, CancelRequest request) {
    boolean begunAgain =
        request.begunAtMs() > 0
            && request.begunAtMs() != job.incarnation
            && !job.spec.shape().highAvailability();
    if (begunAgain || !job.progressed()) {
      throw Failures.permanent(FailureType.STATE_NOT_FOUND, "the job was begun again");
    }
  }

  private static void mustKeep(FlinkJob job) {
    if (job.spec.shape().retention() != Retention.RETAINED) {
      throw Failures.permanent(
          FailureType.STATE_NOT_FOUND, "Flink deletes the checkpoints of the job with it");
    }
    if (job.newest() instanceof StateRef.Unknown unknown) {
      throw Failures.permanent(FailureType.STATE_NOT_FOUND, unknown.reason());
    }
  }

  @Override
  public RunningJob awaitRunning(AwaitRunningRequest request) {
    moments.during("waiting");
    boolean came =
        environment.await(
            moments,
            () -> {
              mustBeFor(request.job());
              FlinkJob job = job();
              return environment.hasOtherJob()
                  || (job != null && (job.isUp(environment.healed()) || !job.live()));
            });
    synchronized (environment) {
      mustBeFor(request.job());
      if (environment.hasOtherJob()) {
        throw Failures.permanent(FailureType.OTHER_JOBS, "another job runs on the cluster");
      }
      FlinkJob job = job();
      if (!came || job == null) {
        throw notReady();
      }
      if (job.state() == FlinkJobState.FAILED || job.state() == FlinkJobState.CANCELED) {
        throw Failures.permanent(FailureType.JOB_FAILED, "the job is " + job.state());
      }
      return running(job, request.restoredFrom());
    }
  }

  @Override
  public StableJob awaitStable(AwaitStableRequest request) {
    environment.invariants().proving.add(request.job().jobId());
    moments.during("waiting");
    boolean came =
        environment.await(
            moments,
            () -> {
              mustBeFor(request.job());
              FlinkJob job = job();
              return environment.hasOtherJob()
                  || (job != null && (job.isProved(environment.healed()) || !job.live()));
            });
    synchronized (environment) {
      mustBeFor(request.job());
      if (environment.hasOtherJob()) {
        throw Failures.permanent(FailureType.OTHER_JOBS, "another job runs on the cluster");
      }
      FlinkJob job = job();
      if (!came || job == null) {
        throw job == null
            ? notReady()
            : Failures.permanent(FailureType.NOT_STABLE, "the job keeps restarting");
      }
      if (job.state() == FlinkJobState.FAILED || job.state() == FlinkJobState.CANCELED) {
        throw Failures.permanent(FailureType.JOB_FAILED, "the job is " + job.state());
      }
      environment.invariants().proved.add(job.jobId);
      environment.note("proved " + job.jobId);
      return new StableJob(job.jobId, "it proved itself");
    }
  }

  private RunningJob running(FlinkJob job, StateRef expected) {
    String restored = job.restoredFrom == null ? null : job.restoredFrom.path();
    boolean own = job.restoredFrom != null && job.restoredFrom.jobId().equals(job.jobId);
    if (!own
        && !(expected instanceof StateRef.HaMetadata)
        && !Objects.equals(expected.pathOrNull(), restored)) {
      throw Failures.permanent(
          FailureType.RESTORED_ELSEWHERE, "restored from " + restored + ", not " + expected);
    }
    return new RunningJob(job.jobId, new Tasks(4, 0, 4).display(), restored);
  }

  private ApplicationFailure notReady() {
    Deployment own = environment.ownDeployment();
    JobManagerProcess process = own == null ? null : own.process();
    if (process != null && process.phase() == Phase.CRASHED) {
      return Failures.permanent(FailureType.POD_FAILED, "CrashLoopBackOff");
    }
    if (process != null && process.phase() == Phase.PENDING) {
      return Failures.permanent(FailureType.IMAGE_PULL_FAILED, "ImagePullBackOff");
    }
    return Failures.permanent(FailureType.CLUSTER_NOT_READY, "not every task runs");
  }

  /** The job of the request, when its JobManager answers within the deadline. */
  private FlinkJob reach(JobRef wanted) {
    environment.await(
        moments,
        () -> {
          mustBeFor(wanted);
          return environment.flink() != null;
        });
    synchronized (environment) {
      mustBeFor(wanted);
      JobManagerProcess process = environment.flink();
      if (process == null) {
        throw unknown("the JobManager does not answer");
      }
      FlinkJob job = process.job();
      if (job == null) {
        throw Failures.permanent(
            FailureType.STATE_NOT_FOUND, "the JobManager does not know the job");
      }
      return job;
    }
  }

  private void mustBeFor(JobRef wanted) {
    Deployment own = environment.ownDeployment();
    if (own != null && !own.jobId().equals(wanted.jobId())) {
      throw Failures.permanent(FailureType.OUTDATED, "the cluster was made for job " + own.jobId());
    }
  }

  private @Nullable FlinkJob job() {
    JobManagerProcess process = environment.flink();
    return process == null ? null : process.job();
  }

  /**
   * @param own this request took it
   */
  private static TakenState taken(FlinkJob job, boolean own) {
    Snapshot savepoint = Objects.requireNonNull(job.stoppedWith());
    return new TakenState(
        savepoint.ref(),
        "the savepoint it was stopped with",
        own ? Savepoint.ofOperation(1, savepoint.path(), "CANONICAL") : null);
  }

  private static TakenState ended(FlinkJob job) {
    StateRef newest = job.newest();
    if (newest instanceof StateRef.Unknown unknown) {
      throw Failures.permanent(FailureType.STATE_NOT_FOUND, unknown.reason());
    }
    return new TakenState(newest, "the job was " + job.state() + " already");
  }

  private ApplicationFailure unknown(String why) {
    environment.invariants().stopInDoubt();
    return Failures.permanent(FailureType.TIMED_OUT, why + "; what became of the job is not known");
  }
}
