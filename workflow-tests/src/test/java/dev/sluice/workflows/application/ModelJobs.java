package dev.sluice.workflows.application;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.ApplicationActivities.CancelVersionRequest.OnlyIf;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.application.ApplicationRecord.Trigger;
import dev.sluice.workflows.application.ModelSpec.Works;
import dev.sluice.workflows.model.StateRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is asked of Flink. */
abstract class ModelJobs extends ModelCalls implements ApplicationActivities {

  @Override
  public SavepointOutcome takeSavepoint(SavepointRequest request) {
    return effect(
        "TakeVersionSavepoint",
        () -> {
          requireStanding(request.on());
          if (!request.trigger().equals(record.savepoint())) {
            throw outdated("another trigger is recorded");
          }
          return taken(request);
        });
  }

  private SavepointOutcome taken(SavepointRequest request) {
    ModelCluster cluster = withJobManager(request.on().version());
    String path = "sp-" + request.trigger().id();
    ModelJob job = cluster == null ? null : cluster.jobs.get(request.trigger().jobId());
    if (cluster != null && (cluster.silent > 0 || cluster.starting > 0)) {
      cluster.settles();
      return new SavepointOutcome.Unknown("the JobManager does not answer");
    }
    if (job == null && (!savepointsReadable || !storage.containsKey(path))) {
      return new SavepointOutcome.NoJob("nobody knows the job");
    }
    if (job == null || storage.containsKey(path)) {
      return new SavepointOutcome.Taken(path, "before");
    }
    if (!job.isLive()) {
      return new SavepointOutcome.Ended(job.state.toString(), endedLeft(job), "it has ended");
    }
    if (!cluster.hasTaskManagers) {
      return new SavepointOutcome.Failed("not every task runs");
    }
    if (savepointsFail) {
      return new SavepointOutcome.Failed("the directory refuses");
    }
    if (!request.trigger().stops()) {
      job.savepoint(path);
      return new SavepointOutcome.Taken(path, "just now");
    }
    job.stops(path);
    if (stopIsLost) {
      stopIsLost = false;
      clusters.remove(ModelCluster.key(request.on().version()));
      return new SavepointOutcome.Unknown("the JobManager does not answer");
    }
    return new SavepointOutcome.Taken(path, "just now");
  }

  private static StateRef endedLeft(ModelJob job) {
    return job.hasFinishedByItself() ? new StateRef.Empty("it has finished") : job.left();
  }

  @Override
  public CancelOutcome cancel(CancelVersionRequest request) {
    return effect(
        "CancelVersionJob",
        () -> {
          requireStanding(request.on());
          ModelCluster cluster = withJobManager(request.on().version());
          if (request.on().version().jobId() == null) {
            throw outdated("no job is recorded");
          }
          if (cluster == null) {
            return new CancelOutcome.NoJob("there is no cluster");
          }
          if (cluster.silent > 0 || cluster.starting > 0) {
            cluster.settles();
            return new CancelOutcome.Unknown("the JobManager does not answer");
          }
          ModelJob job = cluster.jobs.get(String.valueOf(request.on().version().jobId()));
          return job == null
              ? new CancelOutcome.NoJob("it does not know the job")
              : cancelled(job, request.onlyIf());
        });
  }

  private CancelOutcome cancelled(ModelJob job, OnlyIf onlyIf) {
    if (job.isLive()) {
      if (onlyIf == OnlyIf.STATE_IS_KEPT && (!checkpointsKept || tooOld)) {
        return new CancelOutcome.Left("its checkpoints are not kept");
      }
      job.state = FlinkJobState.CANCELED;
    }
    return new CancelOutcome.Ended(
        checkpointsKept ? job.left() : new StateRef.Unknown("not kept"), "cancelled");
  }

  @Override
  public FoundState findState(FindStateRequest request) {
    return effect(
        "FindVersionState",
        () -> {
          ModelCluster cluster = cluster(request.on().version());
          ModelJob job = job(request.on().version());
          if (cluster != null && (cluster.silent > 0 || cluster.starting > 0)) {
            cluster.settles();
            return new FoundState.Unknown("the JobManager does not answer");
          }
          if (job == null) {
            return new FoundState.None("no such job");
          }
          return job.isLive() ? new FoundState.Alive("it runs") : found(cluster, job);
        });
  }

  private FoundState found(@Nullable ModelCluster cluster, ModelJob job) {
    Trigger stop = record.savepoint();
    boolean known = cluster != null && cluster.jobs.containsKey(job.id);
    if (!known && stop != null && stop.stops() && stop.jobId().equals(job.id)) {
      if (!savepointsReadable) {
        return new FoundState.Unknown("it may have been stopped with a savepoint", true);
      }
      if (storage.containsKey("sp-" + stop.id())) {
        return new FoundState.Found(new StateRef.Savepoint("sp-" + stop.id()), -1, "the storage");
      }
    }
    if (!known && contradictory) {
      return new FoundState.Unknown("the status and the storage do not agree", true);
    }
    if (job.hasFinishedByItself()) {
      return new FoundState.Found(new StateRef.Empty("it has finished"), -1, "the status");
    }
    String newest = known ? job.newest : job.seen;
    if (tooOld) {
      return new FoundState.TooOld(String.valueOf(newest), 10_000_000);
    }
    boolean deleted = !checkpointsKept && newest != null && newest.startsWith("chk");
    return newest == null || deleted
        ? new FoundState.None("it has left none")
        : new FoundState.Found(ModelJob.state(newest), 1, "the status");
  }

  @Override
  public SubmitOutcome submit(SubmitRequest request) {
    return effect(
        "SubmitVersionJob",
        () -> {
          requireStanding(request.on());
          Start start = record.start();
          VersionRef version = request.on().version();
          if (start == null || !Objects.equals(start.startedJob(), version.jobId())) {
            throw outdated("another job is recorded");
          }
          check(start.state().equals(request.restoreFrom()), "from what is recorded");
          requireJobManager(version);
          return submitted(request, version, Objects.requireNonNull(version.jobId()));
        });
  }

  private SubmitOutcome submitted(SubmitRequest request, VersionRef version, String id) {
    ModelCluster cluster = withJobManager(version);
    if (cluster == null || cluster.silent > 0 || cluster.starting > 0) {
      if (cluster != null) {
        cluster.settles();
      }
      return new SubmitOutcome.Unknown("the JobManager does not answer");
    }
    if (cluster.jobs.containsKey(id)) {
      return new SubmitOutcome.Submitted("before");
    }
    if (cluster.others > 0 || cluster.jobs.values().stream().anyMatch(ModelJob::isLive)) {
      throw ApplicationFailure.newNonRetryableFailure("others run", FailureType.OTHER_JOBS);
    }
    ModelSpec spec = specOf(version);
    if (spec.works() == Works.REFUSED) {
      return new SubmitOutcome.Refused("no such class");
    }
    if (spec.works() == Works.NEVER_TOLD) {
      return new SubmitOutcome.Unknown("the JobManager does not answer any more");
    }
    ModelJob job =
        new ModelJob(id, ModelCluster.key(version), request.restoreFrom(), spec, storage);
    cluster.jobs.put(id, job);
    allJobs.put(id, job);
    return new SubmitOutcome.Submitted("just now");
  }

  @Override
  public VersionJob awaitJob(SubmitRequest request) {
    return effect("AwaitVersionJob", () -> awaited(request.on().version()));
  }

  private VersionJob awaited(VersionRef version) {
    ModelCluster cluster = withJobManager(version);
    if (cluster == null || cluster.silent > 0 || cluster.starting > 0) {
      if (cluster != null) {
        cluster.settles();
      }
      return new VersionJob.Unknown("the JobManager does not answer");
    }
    ModelJob job = cluster.jobs.get(String.valueOf(version.jobId()));
    if (job == null) {
      return new VersionJob.Lost("it does not know the job");
    }
    if (job.isLive() && job.spec.works() == Works.CRASHES) {
      cluster.silent = 1000;
      return new VersionJob.Unknown("the JobManager does not answer any more");
    }
    if (job.isLive() && job.spec.works() == Works.FAILS) {
      job.state = FlinkJobState.FAILED;
    } else if (job.isLive() && job.spec.works() == Works.FINISHES) {
      job.state = FlinkJobState.FINISHED;
    }
    if (job.state == FlinkJobState.FINISHED) {
      return new VersionJob.Finished("it has finished");
    }
    if (!job.isLive()) {
      return new VersionJob.Failed("JobFailed", "its main method throws");
    }
    if (job.spec.works() == Works.RESTORES_ELSEWHERE) {
      return new VersionJob.Failed("RestoredElsewhere", "it says that it was restored from sp-0");
    }
    if (job.spec.works() == Works.NEVER_UP || !cluster.hasTaskManagers) {
      return new VersionJob.NotUp("ClusterNotReady", "1 of 2 tasks");
    }
    job.up = true;
    job.seenUp = true;
    return new VersionJob.Up("2 of 2 tasks", job.from.pathOrNull());
  }
}
