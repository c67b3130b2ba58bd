package dev.sluice.workflows.delete;

import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.job.CancelRequest;
import dev.sluice.workflows.job.JobActivities;
import dev.sluice.workflows.job.StateTaken;
import dev.sluice.workflows.job.StopRequest;
import dev.sluice.workflows.operation.Ids;
import dev.sluice.workflows.operation.InterruptedRun;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.Steps;
import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.Observation.JobSeen;
import dev.sluice.workflows.resource.ObserveRequest;
import dev.sluice.workflows.resource.OperationReport;
import dev.sluice.workflows.resource.ResourceActivities;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends a job that is being deleted, and keeps its state where the spec asks for that: by a
 * savepoint if the job can take one, else by its newest checkpoint. What came of it is told in the
 * status, in an event and in the details before anything is destroyed, and the deletion goes on in
 * any case.
 */
final class FinalSavepoint {

  /** How long a job may take to settle (a JobManager that restarts, a job that recovers). */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Longer than a job that is thrown away gets: its checkpoint is all that is left of it. */
  private static final Duration CANCEL = Duration.ofMinutes(1);

  private final OperationContext run;
  private final Steps steps;

  FinalSavepoint(OperationContext run, Steps steps) {
    this.run = run;
    this.steps = steps;
  }

  /**
   * Never fails for what Flink does.
   *
   * @param first what was seen, with {@link Observation#deletionSavepointMs} above 0
   */
  void keep(Observation first) {
    Observation seen = settled(first);
    JobSeen job = seen.job();
    String jobId = job.jobId();
    if (jobId == null || job.state() == null) {
      kept(seen.recordedState(), "no savepoint was taken: " + withoutJob(seen));
    } else if (hasEnded(job)) {
      keptOfEnded(seen, job);
    } else if (everyTaskRuns(job) || run.input().stopTrigger() != null) {
      stop(jobId, job, first.deletionSavepointMs());
    } else {
      cancel(jobId, job, "no savepoint is possible: " + words(job));
    }
  }

  private Observation settled(Observation first) {
    if (!first.cluster().present() || isSettled(first.job())) {
      return first;
    }
    try {
      return steps.attempt(
          Step.OBSERVE,
          "wait until a savepoint is possible, at most " + PATIENCE.toSeconds() + " s",
          run.in(PATIENCE),
          ResourceActivities.class,
          a -> a.observe(new ObserveRequest(run.resource(), PATIENCE.toMillis())));
    } catch (ActivityFailure failure) {
      return first;
    }
  }

  private static boolean isSettled(JobSeen job) {
    return job.reachable() && (job.jobId() == null || hasEnded(job) || everyTaskRuns(job));
  }

  private void stop(String jobId, JobSeen job, long savepointTimeoutMs) {
    long deadline = run.in(StepLimits.savepoint(savepointTimeoutMs));
    String triggerId =
        Objects.requireNonNullElseGet(
            run.input().stopTrigger(), () -> Ids.derive(Workflow.getInfo().getRunId(), "stop", 1));
    tell(
        steps
            .report(
                "Running", Step.STOP_WITH_SAVEPOINT, null, "a savepoint before the deletion", null)
            .withDeadline(deadline));
    try {
      StateTaken taken =
          steps.attempt(
              Step.STOP_WITH_SAVEPOINT,
              "stop job " + jobId + " with a savepoint, as the spec asks for it",
              deadline,
              JobActivities.class,
              a ->
                  a.stopWithSavepoint(new StopRequest(run.resource(), jobId, triggerId, deadline)));
      told(taken.path(), EventReasons.SUSPENDED, "the job was stopped, " + taken.how());
    } catch (ActivityFailure failure) {
      cancel(jobId, job, "no savepoint could be had: " + DeleteWorkflow.cause(failure));
    }
  }

  private void cancel(String jobId, JobSeen job, String why) {
    long deadline = run.in(CANCEL);
    try {
      StateTaken taken =
          steps.attempt(
              Step.CANCEL_JOB,
              "cancel job " + jobId + ", keep its newest checkpoint",
              deadline,
              JobActivities.class,
              a -> a.cancelJob(new CancelRequest(run.resource(), jobId, true, deadline)));
      kept(taken.path(), why);
    } catch (ActivityFailure failure) {
      kept(
          job.latestState(),
          why + "; and the job was not cancelled: " + DeleteWorkflow.cause(failure));
    }
  }

  /** A job that was stopped before, by an upgrade say, has left what it was stopped with. */
  private void keptOfEnded(Observation seen, JobSeen job) {
    if ("FINISHED".equals(job.state()) && job.latestState() != null) {
      told(job.latestState(), EventReasons.SUSPENDED, "the job was stopped already");
      return;
    }
    String path = job.latestState() == null ? seen.recordedState() : job.latestState();
    kept(path, "no savepoint was taken: the job is " + job.state());
  }

  /** There is no savepoint; perhaps there is another state, of the run or of the resource. */
  private void kept(@Nullable String found, String why) {
    String path = found == null ? run.input().savepoint() : found;
    String state =
        path == null
            ? "; no state of the job is known"
            : "; the newest state of the job that is known stays";
    told(path, EventReasons.SAVEPOINT_ERROR, why + state);
  }

  private void told(@Nullable String path, String event, String what) {
    String message = path == null ? what : what + ": " + path;
    if (path != null) {
      run.savepoint(path);
    }
    steps.done(message);
    tell(
        steps
            .report("Running", Step.DELETE_CLUSTER, null, message, event)
            .withDeadline(run.in(DeleteWorkflow.GONE)));
  }

  /** The resource may be let go by force meanwhile; what it made is deleted all the same. */
  private void tell(OperationReport report) {
    try {
      steps.report(report);
    } catch (InterruptedRun gone) {
      steps.done("the resource itself is gone");
    }
  }

  private static String withoutJob(Observation seen) {
    if (!seen.cluster().present()) {
      return "there is no cluster";
    }
    if (!seen.job().reachable()) {
      return "the JobManager does not answer";
    }
    return seen.job().jobId() == null
        ? "the JobManager has no job"
        : "the state of the job cannot be told";
  }

  private static String words(JobSeen job) {
    return "the job is %s, %d of %d tasks run"
        .formatted(job.state(), job.tasksRunning(), job.tasksTotal());
  }

  private static boolean everyTaskRuns(JobSeen job) {
    return "RUNNING".equals(job.state())
        && job.tasksTotal() > 0
        && job.tasksRunning() == job.tasksTotal();
  }

  private static boolean hasEnded(JobSeen job) {
    return job.state() != null && DeleteWorkflow.ENDED.contains(job.state());
  }
}
