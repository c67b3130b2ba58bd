package dev.sluice.workflows.fake;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.SessionJobActivities;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.Step;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A resource whose job runs on the session cluster of another one. What its status notes that Flink
 * was asked to run stands for the cluster of a {@link FakeEnvironment}.
 */
public final class FakeSessionJob extends FakeEnvironment implements SessionJobActivities {

  public static final ResourceRef CLICKS =
      new ResourceRef("k8s", "FlinkSessionJob", "default", "clicks", "9f8e7d6c-5b4a");

  /** Ids of the jobs that Flink was asked to run, in order; each as often as it was asked. */
  public final List<String> runs = new CopyOnWriteArrayList<>();

  /** All requests to start a job, those that failed included. */
  public final List<StartJobRequest> starts = new CopyOnWriteArrayList<>();

  /** Of those that ended a job. */
  public final List<EndJobRequest> ends = new CopyOnWriteArrayList<>();

  /** So many answers of Flink to a run are lost. */
  public volatile int lostAnswers;

  /** Flink refuses the program of a run. */
  public volatile boolean refused;

  /** Nothing was deployed yet. */
  public static FakeSessionJob unstarted() {
    return new FakeSessionJob();
  }

  /** As {@link FakeEnvironment#running}. */
  public static FakeSessionJob runningJob(long runs, long newest) {
    FakeSessionJob it = new FakeSessionJob();
    it.runs(runs, newest);
    return it;
  }

  @Override
  public ResourceRef ref() {
    return CLICKS;
  }

  @Override
  ClusterRef place() {
    return new ClusterRef("default", "session");
  }

  /** None is its own. */
  @Override
  int pods() {
    return 0;
  }

  @Override
  public void checkJar(CheckJarRequest request) {
    enter(Step.CHECK_JAR);
    mustExist();
    gate.leave();
  }

  @Override
  public void startJob(StartJobRequest request) {
    starts.add(request);
    enter(Step.START_JOB);
    mustExist();
    RestorePoint point = recorded;
    String id = request.job().jobId();
    outdatedUnless(
        phase != Phase.IDLE
            && Objects.equals(frozen, request.generation())
            && point != null
            && point.startedJob().equals(id),
        "another job is recorded");
    outdatedUnless(cluster == null || id.equals(jobId), "job " + jobId + " is noted");
    if (suspended.contains(request.generation())) {
      violations.add("a job of a suspended spec was started");
    }
    boolean known = cluster != null && jobState != null;
    cluster = request.generation();
    jobId = id;
    preparedJobId = id;
    if (!known) {
      runs.add(id);
      run(request);
    }
    gate.leave();
  }

  private void run(StartJobRequest request) {
    if (refused) {
      jobState = null;
      throw failure(FailureType.JOB_FAILED, "the main method threw");
    }
    jobState = FlinkJobState.CREATED;
    startedFrom = request.restoreFrom();
    newest = request.restoreFrom();
    progressed = false;
    if (lostAnswers > 0) {
      lostAnswers--;
      throw failure(FailureType.CLUSTER_NOT_READY, "whether Flink has taken the job is not known");
    }
  }

  @Override
  public void endJob(EndJobRequest request) {
    enter(Step.END_JOB);
    mustExist();
    outdatedUnless(cluster == null || request.job().jobId().equals(jobId), jobId + " is noted");
    ends.add(request);
    cluster = null;
    jobId = null;
    jobState = null;
    gate.leave();
  }

  @Override
  public void createCluster(CreateClusterRequest request) {
    violations.add("a cluster was made for a job on a session cluster");
  }

  @Override
  public void deleteCluster(DeleteClusterRequest request) {
    violations.add("a cluster was deleted with a job on a session cluster");
  }

  @Override
  public void stopJobManager(StopJobManagerRequest request) {
    violations.add("the JobManager of a session cluster was stopped for one of its jobs");
  }

  @Override
  public void noteEnd(NoteEndRequest request) {
    violations.add("the end of a job was noted on a session cluster");
  }
}
