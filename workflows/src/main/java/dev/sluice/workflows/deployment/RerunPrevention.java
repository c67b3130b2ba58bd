package dev.sluice.workflows.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.ClusterActivities;
import dev.sluice.workflows.activity.ClusterActivities.NoteEndRequest;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import java.util.function.Predicate;

/**
 * Keeps Kubernetes from running the job of an operation again that has failed or was cancelled,
 * while the operation is held for that. Without high availability nothing remembers that it has
 * ended: with its next pod the JobManager would begin it again from what it was started with, and
 * what it had done since would be lost, or done twice.
 */
record RerunPrevention(OperationContext context, StepRunner steps, ResourceLook look) {

  /**
   * Stops the JobManager, once it is noted what the job left. Where that is not known, and where a
   * job that begins again would lose nothing, it stays. With high availability Flink remembers that
   * the job has ended, but a JobManager that is restarted not what it left: that is noted only.
   *
   * @param emptyOnRetry a retry would start the spec without state, as it says
   * @return what people are told of it, after why the run is held
   * @throws dev.sluice.workflows.operation.OutdatedStep when the job is not what was seen any more
   */
  StepFailure prevent(Observation seen, StepFailure held, Predicate<Observation> emptyOnRetry) {
    if (!isToBeNoted(seen)) {
      return held;
    }
    // Flink's statistics are final only some seconds after the end of a job
    Observation settled = look.observe(StepLimits.PATIENCE);
    if (!isToBeNoted(settled) || !(settled.job() instanceof Ended job)) {
      return held;
    }
    if (isRemembered(settled)) {
      note(settled, job);
      return held;
    }
    stop(settled, job);
    return new StepFailure(
        held.type(),
        held.message()
            + " Its JobManager is stopped, because without high availability it would begin the"
            + " job again with its next pod; "
            + goesOn(emptyOnRetry.test(settled), job)
            + ".",
        held.mayPass());
  }

  private static String goesOn(boolean empty, Ended job) {
    return empty
        ? "retry starts the spec empty, because its upgradeMode is stateless. A spec with"
            + " savepoint or last-state goes on from "
            + job.newest().display()
        : "retry and a newer spec go on from " + job.newest().display();
  }

  private void note(Observation seen, Ended job) {
    steps.run(
        Step.NOTE_END,
        "Note what job " + job.jobId() + ", which has not come to be stable, left",
        ClusterActivities.class,
        a -> {
          a.noteEnd(
              new NoteEndRequest(
                  context.resource(),
                  new JobRef(seen.cluster().ref(), job.jobId()),
                  job.state(),
                  job.newest(),
                  seen.standing()));
          return true;
        });
    context.done("What job " + job.jobId() + " left is noted: " + job.newest().display());
  }

  private void stop(Observation seen, Ended job) {
    steps.runToCompletion(
        Step.STOP_JOB_MANAGER,
        "Stop the JobManager of job " + job.jobId() + ", which would begin it again",
        StepLimits.GONE,
        ClusterActivities.class,
        (a, deadline) -> {
          a.stopJobManager(
              new StopJobManagerRequest(
                  context.resource(),
                  new JobRef(seen.cluster().ref(), job.jobId()),
                  job.state(),
                  job.newest(),
                  deadline,
                  seen.standing()));
          return true;
        });
    context.done("The JobManager is stopped; the job left " + job.newest().display());
  }

  private static boolean isRemembered(Observation seen) {
    return seen.cluster().highAvailability() != HighAvailability.OFF;
  }

  /**
   * The job of the operation has ended, and what it left would be forgotten with its JobManager, or
   * it would begin again with less.
   */
  private static boolean isToBeNoted(Observation seen) {
    RestorePoint recorded = seen.recorded();
    return seen.begun()
        && recorded != null
        && seen.cluster().pods() > 0
        && seen.job() instanceof Ended job
        && recorded.starts(job.jobId())
        && job.state() != FlinkJobState.FINISHED
        && job.newest().pathOrNull() != null
        && (isRemembered(seen) || job.progressed());
  }
}
