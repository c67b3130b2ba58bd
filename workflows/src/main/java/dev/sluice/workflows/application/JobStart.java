package dev.sluice.workflows.application;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.ApplicationActivities.SubmitRequest;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.operation.Step;
import io.temporal.workflow.Workflow;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Has a cluster run the recorded job from the recorded state, and waits until it is up. */
final class JobStart {

  /** So often nothing can be found out of a job before it counts as one that does not come up. */
  private static final int MOST_SILENCES = 3;

  private final ApplicationLog log;
  private final ApplicationMemory memory;
  private final VersionSteps clusters;

  JobStart(ApplicationLog log, ApplicationMemory memory, VersionSteps clusters) {
    this.log = log;
    this.memory = memory;
    this.clusters = clusters;
  }

  /**
   * Why the job does not come up.
   *
   * @param reason a documented constant
   * @param why in words
   * @param lost whether its JobManager has forgotten it
   * @param slow whether it may come up yet
   */
  record Failed(String reason, String why, boolean lost, boolean slow) {

    /** Whether it runs, though not as it should: it has to end before it is started again. */
    boolean lives() {
      return reason.equals(Reasons.RESTORED_ELSEWHERE);
    }
  }

  /** Whether the recorded job is surely up. */
  boolean isVerified() {
    return job().equals(memory.asked().verified());
  }

  /** Whether this run has submitted the recorded job to the cluster that is there. */
  boolean isSubmitted(VersionSeen.Cluster cluster) {
    return !cluster.lacks() && job().equals(memory.asked().submitted());
  }

  /**
   * Whether the job that was given up for this one lives, because its cluster was made again: it
   * has high availability.
   */
  boolean hasComeBack(@Nullable VersionSeen seen) {
    String given = start().takenFrom();
    return seen != null && given != null && seen.otherJobs().contains(given);
  }

  private String job() {
    return Objects.requireNonNull(start().startedJob());
  }

  private Start start() {
    return Objects.requireNonNull(log.known().start());
  }

  /** Both, one after the other; null when it is up, or is to be tried again. */
  @Nullable Failed run(VersionRef version, boolean isSubmitted) {
    if (!isSubmitted) {
      Failed refused = submit(version);
      if (refused != null || !job().equals(memory.asked().submitted())) {
        return refused;
      }
    }
    return await(version);
  }

  /** Null when it was submitted, or is to be submitted again. */
  @Nullable Failed submit(VersionRef version) {
    String what =
        "Start the job of %s from %s".formatted(version.display(), start().state().display());
    long deadline = Workflow.currentTimeMillis() + log.limits().submitMs();
    Optional<SubmitOutcome> outcome =
        log.carryOut(
            Step.SUBMIT_VERSION_JOB,
            what,
            deadline,
            a -> a.submit(new SubmitRequest(log.request(version, deadline), start().state())));
    if (outcome.isEmpty()) {
      return null;
    }
    if (outcome.get() instanceof SubmitOutcome.Refused refused) {
      return new Failed(Reasons.JOB_FAILED, refused.why(), false, false);
    }
    if (outcome.get() instanceof SubmitOutcome.Unknown unknown) {
      return silent(version, FailureType.TIMED_OUT, unknown.why());
    }
    log.goesOn(Step.SUBMIT_VERSION_JOB, what);
    memory.submitted(job());
    log.tell(Step.AWAIT_VERSION_JOB, waits(version), ApplicationEvents.JOB_SUBMITTED);
    return null;
  }

  private static String waits(VersionRef version) {
    return "The job of %s is submitted; wait until every task is up".formatted(version.display());
  }

  /** Null when it is up, or is to be waited for again. */
  @Nullable Failed await(VersionRef version) {
    String what = waits(version);
    log.tell(Step.AWAIT_VERSION_JOB, what);
    long deadline = memory.deadline("job " + job(), log.limits().jobMs());
    Optional<VersionJob> outcome =
        log.await(
            Step.AWAIT_VERSION_JOB,
            what,
            deadline,
            a -> a.awaitJob(new SubmitRequest(log.request(version, deadline), start().state())));
    return outcome.isEmpty() ? null : judge(version, outcome.get());
  }

  /**
   * Whether its JobManager answers again: a job may have it crash each time that it starts. Null
   * when it does, or that is not known yet.
   */
  private @Nullable Failed silent(VersionRef version, String reason, String why) {
    if (memory.silent(job()) >= MOST_SILENCES) {
      return new Failed(reason, "%s (%d times)".formatted(why, MOST_SILENCES), false, true);
    }
    Optional<VersionReady> ready = clusters.await(version);
    return ready.isPresent() && ready.get() instanceof VersionReady.NotReady not
        ? new Failed(not.reason(), "%s; %s".formatted(why, not.why()), false, true)
        : null;
  }

  private @Nullable Failed judge(VersionRef version, VersionJob job) {
    if (job instanceof VersionJob.Failed failed) {
      return new Failed(failed.reason(), failed.why(), false, false);
    }
    if (job instanceof VersionJob.NotUp not) {
      return new Failed(not.reason(), not.why(), false, true);
    }
    if (job instanceof VersionJob.Lost lost) {
      memory.submitted(null);
      return new Failed(Reasons.JOB_NOT_RUNNING, lost.why(), true, false);
    }
    if (job instanceof VersionJob.Unknown unknown) {
      return silent(version, Reasons.JOB_MANAGER_SILENT, unknown.why());
    }
    String how = job instanceof VersionJob.Up up ? up.tasks() : ((VersionJob.Finished) job).why();
    log.goesOn(Step.AWAIT_VERSION_JOB, "The job is up: " + how);
    memory.verified(job());
    return null;
  }
}
