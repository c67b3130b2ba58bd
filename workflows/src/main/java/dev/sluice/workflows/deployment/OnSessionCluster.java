package dev.sluice.workflows.deployment;

import dev.sluice.api.common.OperationState;
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
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.operation.StepRunner.Wake;
import dev.sluice.workflows.plan.Plan.Teardown.Replace;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
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

  private final OperationContext context;
  private final StepRunner steps;
  private @Nullable String tellsStartOf;

  OnSessionCluster(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
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
    long deadline = context.in(Duration.ofMillis(target.readinessTimeoutMs()));
    steps.awaitInterruptibly(
        Step.CHECK_JAR,
        "Fetch the jar of generation " + generation + ", before the job is stopped for it",
        deadline,
        SessionJobActivities.class,
        a -> {
          a.checkJar(new CheckJarRequest(context.resource(), generation, deadline));
          return true;
        });
  }

  @Override
  public void tearDown(Observation seen, Replace replace, StateRef from, boolean jobEnded) {
    JobRef job = jobToEnd(seen);
    if (job == null) {
      return;
    }
    steps.runToCompletion(
        Step.END_JOB,
        summaryOfEnd(job),
        StepLimits.GONE,
        SessionJobActivities.class,
        (a, deadline) -> {
          a.endJob(new EndJobRequest(context.resource(), job, replace.onlyWhile(), deadline));
          return true;
        });
    context.done("Job " + job.jobId() + " does not run any more");
  }

  /**
   * The job that is there, or the last one that may be: one that was being started when it was
   * looked at is found by it, because then another one is noted. Null when there never was one.
   */
  private static @Nullable JobRef jobToEnd(Observation seen) {
    RestorePoint recorded = seen.recorded();
    String reserved = recorded == null ? null : recorded.startedJob();
    return Stream.of(
            Optional.ofNullable(seen.cluster().jobId()),
            Optional.ofNullable(seen.cluster().preparedJobId()),
            Optional.ofNullable(reserved))
        .flatMap(Optional::stream)
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
    steps.report(
        context
            .report(OperationState.RUNNING, step, null, message, null)
            .withDeadlineMs(context.in(Duration.ofMillis(target.readinessTimeoutMs()))));
  }

  /**
   * Also for a job that was started before: Flink may not have taken it, or its answer was lost.
   */
  @Override
  public long awaitStart(
      Frozen target,
      JobRef job,
      StateRef from,
      @Nullable Observation seen,
      Runnable heldElsewhere) {
    if (!hasRunOrIsReplaced(job, seen)) {
      boolean held = start(target, job, from, heldElsewhere);
      String started =
          "Job %s of generation %d is on session cluster %s, from %s"
              .formatted(
                  job.jobId(),
                  target.target().generation(),
                  job.cluster().clusterId(),
                  from.display());
      context.done(started);
      if (held) {
        steps.goesOnUntold(Step.START_JOB, started);
      }
      if (held || job.jobId().equals(tellsStartOf)) {
        tellsStartOf = null;
        tell(target, Step.AWAIT_RUNNING, started + "; waiting until every task is up");
      }
    }
    return context.in(Duration.ofMillis(target.readinessTimeoutMs()));
  }

  /**
   * Then it has gone on from what it was started from, and must not begin there again; or another
   * one is recorded in its place, and it may come up only if Flink has it all the same.
   */
  private static boolean hasRunOrIsReplaced(JobRef job, @Nullable Observation seen) {
    if (seen == null) {
      return false;
    }
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
      long deadline = context.in(Duration.ofMillis(target.readinessTimeoutMs()));
      try {
        steps.awaitInterruptibly(
            Step.START_JOB,
            summaryOfStart(job, from),
            deadline,
            SessionJobActivities.class,
            a -> {
              a.startJob(
                  new StartJobRequest(
                      context.resource(), job, target.target().generation(), from, deadline));
              return true;
            });
        return held;
      } catch (ActivityFailure failure) {
        StepFailure why = steps.failure(failure);
        if (!NOT_OF_THE_JOB.contains(why.type())) {
          throw failure;
        }
        hold(why, deadline);
        held = true;
        heldElsewhere.run();
      }
    }
  }

  private void hold(StepFailure why, long deadline) {
    boolean waited = Workflow.currentTimeMillis() >= deadline;
    Wake unused =
        waited
            ? steps.hold(Step.START_JOB, why, false, BETWEEN_WAITS)
            : steps.hold(Step.START_JOB, why, false);
  }

  @Override
  public void removeOnce(Observation seen, @Nullable String endedJob, boolean session) {
    JobRef job = jobToEnd(seen);
    if (job == null) {
      return;
    }
    long deadline = context.in(ResourceDeletion.GONE);
    steps.runOnce(
        Step.END_JOB,
        summaryOfEnd(job),
        deadline,
        SessionJobActivities.class,
        a -> {
          a.endJob(new EndJobRequest(context.resource(), job, null, deadline));
          return true;
        });
    context.done("Job " + job.jobId() + " does not run any more");
  }

  @Override
  public Observation afterOutdated(Observation seen, Supplier<Observation> look) {
    return look.get();
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
