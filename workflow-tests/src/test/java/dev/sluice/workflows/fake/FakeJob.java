package dev.sluice.workflows.fake;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.workflows.activity.ClusterActivities.NoteEndRequest;
import dev.sluice.workflows.activity.JobActivities;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Step;
import java.util.Objects;

/** The job of a {@link FakeEnvironment}, and what is done to it. */
abstract class FakeJob extends FakeState implements JobActivities {

  /** What an observation tells of the job. */
  JobObservation job() {
    if (cluster == null) {
      return frozen == null
          ? new JobObservation.NeverStarted("nothing was ever deployed")
          : new Unreachable("the JobManager Deployment is missing", preparedJobId);
    }
    FlinkJobState state = jobState;
    String id = Objects.requireNonNull(jobId);
    if (!reachable) {
      return new Unreachable("the JobManager does not answer", id);
    }
    if (session) {
      return new JobObservation.Absent(null);
    }
    if (state == null) {
      return noted(id);
    }
    Tasks now = state == FlinkJobState.RUNNING ? tasks : new Tasks(0, 0, 2);
    return state.isGloballyTerminal()
        ? new Ended(id, state, newest, progressed)
        : new Alive(id, state, now, newest, progressed, Retention.RETAINED, 600_000, times);
  }

  /** A JobManager that was restarted does not know the job; its end may be noted. */
  private JobObservation noted(String id) {
    NoteEndRequest end = noted;
    RestorePoint point = recorded;
    if (end == null || !end.job().jobId().equals(id)) {
      return new JobObservation.Absent(id);
    }
    boolean onlyThat = point != null && point.starts(id) && point.state().equals(end.leftState());
    return new Ended(id, end.state(), end.leftState(), !onlyThat);
  }

  @Override
  public TakenState stopWithSavepoint(StopRequest request) {
    triggers.add(request.triggerId());
    enter(Step.STOP_WITH_SAVEPOINT);
    outdatedUnless(request.job().jobId().equals(jobId), "the cluster runs job " + jobId);
    stops.add(request);
    Savepoint own = null;
    if (jobState != FlinkJobState.FINISHED) {
      savepoints++;
      jobState = FlinkJobState.FINISHED;
      newest = new StateRef.Savepoint("savepoint-of-" + cluster);
      own = Savepoint.ofOperation(1, "savepoint-of-" + cluster, "CANONICAL");
    }
    gate.leave();
    return new TakenState(newest, "savepoint in 0.1 s", own);
  }

  @Override
  public TakenState cancelJob(CancelRequest request) {
    enter(Step.CANCEL_JOB);
    cancels.add(request);
    outdatedUnless(request.job().jobId().equals(jobId), "the cluster runs job " + jobId);
    if (jobState == null || !jobState.isGloballyTerminal()) {
      jobState = FlinkJobState.CANCELED;
    }
    gate.leave();
    return new TakenState(
        request.onlyIf().keepsState() ? newest : new StateRef.Empty("not asked for"), "cancelled");
  }

  @Override
  public RunningJob awaitRunning(AwaitRunningRequest request) {
    enter(Step.AWAIT_RUNNING);
    outdatedUnless(request.job().jobId().equals(jobId), "the cluster runs job " + jobId);
    jobState = FlinkJobState.RUNNING;
    gate.leave();
    return new RunningJob(
        request.job().jobId(), "2 of 2 tasks running", request.restoredFrom().pathOrNull());
  }

  @Override
  public StableJob awaitStable(AwaitStableRequest request) {
    enter(Step.AWAIT_STABLE);
    outdatedUnless(request.job().jobId().equals(jobId), "the cluster runs job " + jobId);
    gate.leave();
    return new StableJob(request.job().jobId(), "2 min without a restart");
  }
}
