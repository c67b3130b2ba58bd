package dev.sluice.workflows.deployment;

import static dev.sluice.workflows.operation.StepRunner.doing;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.SessionJobActivities;
import dev.sluice.workflows.activity.SessionJobActivities.CheckJarRequest;
import dev.sluice.workflows.activity.SessionJobActivities.EndJobRequest;
import dev.sluice.workflows.activity.SessionJobActivities.StartJobRequest;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner.Wake;
import dev.sluice.workflows.plan.Plan.Teardown;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session cluster that belongs to another resource, and to the lane of that: no operation of the
 * job changes it. It may be away for long; whoever waits for it notices at once when it is back.
 */
final class OnSessionCluster implements JobPlace {

  /** What is not said of the job: its session cluster is not ready, or nothing was heard of it. */
  private static final Set<String> NOT_OF_THE_JOB =
      Set.of(FailureType.CLUSTER_NOT_READY, FailureType.TIMED_OUT);

  /** The start itself waits for the cluster, until its deadline: this is only between two waits. */
  private static final Duration BETWEEN_WAITS = Duration.ofSeconds(1);

  private final LaneRun run;
  private @Nullable String tellsStartOf;

  OnSessionCluster(LaneRun run) {
    this.run = run;
  }

  @Override
  public Step endStep() {
    return Step.END_JOB;
  }

  @Override
  public Step startStep() {
    return Step.START_JOB;
  }

  @Override
  public boolean fetchesJar() {
    return true;
  }

  @Override
  public void prepare(Frozen target) {
    long generation = target.target().generation();
    long deadline = deadline(target);
    run.steps.awaitInterruptibly(
        Step.CHECK_JAR,
        "Fetch the jar of generation " + generation + ", before the job is stopped for it",
        deadline,
        SessionJobActivities.class,
        doing(a -> a.checkJar(new CheckJarRequest(run.context.resource(), generation, deadline))));
  }

  private long deadline(Frozen target) {
    return run.context.in(Duration.ofMillis(target.readinessTimeoutMs()));
  }

  @Override
  public void tearDown(Observation seen, Teardown teardown, StateRef from, boolean jobEnded) {
    JobRef job = jobToEnd(seen);
    if (job == null) {
      return;
    }
    run.steps.runToCompletion(
        Step.END_JOB,
        summaryOfEnd(job),
        StepLimits.GONE,
        SessionJobActivities.class,
        doing(
            (a, deadline) ->
                a.endJob(
                    new EndJobRequest(
                        run.context.resource(), job, teardown.onlyWhile(), deadline))));
    run.context.done("Job " + job.jobId() + " does not run any more");
  }

  /**
   * The job that is there, or the last one that may be: one that was being started when it was
   * looked at is found by it, because then another one is noted. Null when there never was one.
   */
  private static @Nullable JobRef jobToEnd(Observation seen) {
    RestorePoint recorded = seen.recorded();
    String reserved = recorded == null ? null : recorded.startedJob();
    return Stream.of(seen.cluster().jobId(), seen.cluster().preparedJobId(), reserved)
        .flatMap(Stream::ofNullable)
        .findFirst()
        .map(jobId -> new JobRef(seen.cluster().ref(), jobId))
        .orElse(null);
  }

  private static String summaryOfEnd(JobRef job) {
    return "End job %s on session cluster %s".formatted(job.jobId(), job.cluster().clusterId());
  }

  @Override
  public void create(Frozen target, JobRef job, StateRef from) {
    tellsStartOf = job.jobId();
    tell(target, Step.START_JOB, summaryOfStart(job, from));
  }

  private static String summaryOfStart(JobRef job, StateRef from) {
    return "Start the job on session cluster %s from %s"
        .formatted(job.cluster().clusterId(), from.display());
  }

  private void tell(Frozen target, Step step, String message) {
    run.tell(step, message, null, Duration.ofMillis(target.readinessTimeoutMs()));
  }

  /**
   * Also for a job that was started before: Flink may not have taken it, or its answer was lost.
   */
  @Override
  public long awaitStart(
      Frozen target, JobRef job, StateRef from, Observation seen, Runnable heldElsewhere) {
    if (!hasRunOrIsReplaced(job, seen)) {
      boolean held = start(target, job, from, heldElsewhere);
      String started =
          "Job %s is on session cluster %s, from %s"
              .formatted(job.jobId(), job.cluster().clusterId(), from.display());
      run.context.done(started);
      if (held) {
        run.steps.goesOnUntold(Step.START_JOB, started);
      }
      if (held || job.jobId().equals(tellsStartOf)) {
        tellsStartOf = null;
        tell(target, Step.AWAIT_RUNNING, started + "; waiting until every task is up");
      }
    }
    return deadline(target);
  }

  /**
   * Then it has gone on from what it was started from, and must not begin there again; or another
   * one is recorded in its place, and it may come up only if Flink has it all the same.
   */
  private static boolean hasRunOrIsReplaced(JobRef job, Observation seen) {
    RestorePoint recorded = seen.recorded();
    boolean known =
        seen.job() instanceof Alive alive
            ? alive.jobId().equals(job.jobId())
            : seen.job() instanceof Ended ended && ended.jobId().equals(job.jobId());
    boolean replaced =
        recorded != null
            && recorded.starts(job.jobId())
            && !recorded.startedJob().equals(job.jobId());
    return known || replaced || (recorded != null && recorded.wasUp(job.jobId()));
  }

  /** Returns whether it was held. */
  private boolean start(Frozen target, JobRef job, StateRef from, Runnable heldElsewhere) {
    boolean held = false;
    while (true) {
      long deadline = deadline(target);
      try {
        run.steps.awaitInterruptibly(
            Step.START_JOB,
            summaryOfStart(job, from),
            deadline,
            SessionJobActivities.class,
            doing(
                a ->
                    a.startJob(
                        new StartJobRequest(
                            run.context.resource(),
                            job,
                            target.target().generation(),
                            from,
                            deadline))));
        return held;
      } catch (ActivityFailure failure) {
        StepFailure why = run.steps.failure(failure);
        if (!NOT_OF_THE_JOB.contains(why.type())) {
          throw failure;
        }
        boolean waited = Workflow.currentTimeMillis() >= deadline;
        Wake unused =
            waited
                ? run.steps.hold(Step.START_JOB, why, false, BETWEEN_WAITS)
                : run.steps.hold(Step.START_JOB, why, false);
        held = true;
        heldElsewhere.run();
      }
    }
  }

  @Override
  public void removeOnce(Observation seen, @Nullable String endedJob, boolean session) {
    JobRef job = jobToEnd(seen);
    if (job == null) {
      return;
    }
    long deadline = run.context.in(ResourceDeletion.GONE);
    run.steps.runOnce(
        Step.END_JOB,
        summaryOfEnd(job),
        deadline,
        SessionJobActivities.class,
        doing(a -> a.endJob(new EndJobRequest(run.context.resource(), job, null, deadline))));
    run.context.done("Job " + job.jobId() + " does not run any more");
  }

  @Override
  public String removed(@Nullable String left) {
    return left == null
        ? "The job does not run any more"
        : "The job may still run on its session cluster, and has to be cancelled there: " + left;
  }

  @Override
  public String givenUp() {
    return "its job is ended";
  }
}
