package dev.sluice.workflows.procedure;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.ClusterActivities;
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

/**
 * Keeps Kubernetes from running the job of an operation again that has failed or was cancelled,
 * while the operation is held for that. Without high availability nothing remembers that it has
 * ended: with its next pod the JobManager would begin it again from what it was started with, and
 * what it had done since would be lost, or done twice.
 */
final class RerunPrevention {

  private final OperationContext context;
  private final StepRunner steps;
  private final Assessor assessor;

  RerunPrevention(OperationContext context, StepRunner steps, Assessor assessor) {
    this.context = context;
    this.steps = steps;
    this.assessor = assessor;
  }

  /**
   * Stops the JobManager, once it is noted what the job left. Where that is not known, and where a
   * job that begins again would lose nothing, it stays.
   *
   * @return what people are told of it, after why the run is held
   * @throws dev.sluice.workflows.operation.OutdatedStep when the job is not what was seen any more
   */
  StepFailure prevent(Observation seen, StepFailure held) {
    if (!losesState(seen)) {
      return held;
    }
    // Flink's statistics are final only some seconds after the end of a job
    Observation settled = assessor.observe(StepLimits.PATIENCE);
    if (!losesState(settled) || !(settled.job() instanceof Ended job)) {
      return held;
    }
    stop(settled, job);
    return new StepFailure(
        held.type(),
        held.message()
            + " Its JobManager is stopped, because without high availability it would begin the"
            + " job again with its next pod; retry and a newer spec go on from "
            + job.newest().display()
            + ".",
        held.mayPass());
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

  /** The job of the operation has ended with newer state than it would begin again with. */
  private static boolean losesState(Observation seen) {
    RestorePoint recorded = seen.recorded();
    return seen.begun()
        && recorded != null
        && seen.cluster().highAvailability() == HighAvailability.OFF
        && seen.cluster().pods() > 0
        && seen.job() instanceof Ended job
        && recorded.starts(job.jobId())
        && job.state() != FlinkJobState.FINISHED
        && job.progressed()
        && job.newest().pathOrNull() != null;
  }
}
