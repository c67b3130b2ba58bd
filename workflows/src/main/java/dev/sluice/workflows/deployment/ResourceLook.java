package dev.sluice.workflows.deployment;

import dev.sluice.workflows.activity.ResourceActivities;
import dev.sluice.workflows.activity.ResourceActivities.ObserveRequest;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import java.time.Duration;

/** Looks at the resource, its cluster and its job. */
record ResourceLook(OperationContext context, StepRunner steps) {

  /** At once. */
  Observation now() {
    return observe(Duration.ZERO);
  }

  /**
   * @param patience how long to wait while the state of the job cannot be determined
   */
  Observation observe(Duration patience) {
    Observation seen =
        patience.isZero()
            ? steps.run(
                Step.OBSERVE,
                "Observe the resource, its cluster and its job",
                ResourceActivities.class,
                a -> a.observe(new ObserveRequest(context.resource(), 0)))
            : steps.runToCompletion(
                Step.OBSERVE,
                "Wait until the job settles, at most " + patience.toSeconds() + " s",
                patience,
                ResourceActivities.class,
                (a, deadline) ->
                    a.observe(new ObserveRequest(context.resource(), patience.toMillis())));
    context.forward(seen.operation());
    context.job(jobForPeople(seen));
    return seen;
  }

  private static String jobForPeople(Observation seen) {
    JobObservation job = seen.job();
    if (seen.newest().target().session() && job instanceof JobObservation.Absent) {
      return "%d jobs run on the session cluster.".formatted(seen.otherJobs().size());
    }
    if (job instanceof Alive alive) {
      return "Job %s is %s, %s.".formatted(alive.jobId(), alive.state(), alive.tasks().display());
    }
    if (job instanceof Ended ended) {
      return "Job %s is %s.".formatted(ended.jobId(), ended.state());
    }
    if (job instanceof Unreachable unreachable) {
      return "It is not known whether the job runs: " + unreachable.why() + ".";
    }
    return job instanceof JobObservation.NeverStarted
        ? "No job was started yet."
        : "The JobManager answers but has no job.";
  }
}
