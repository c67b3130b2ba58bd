package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Answers;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.snapshot.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a job was stopped: by an operation, by its own end, or because it failed. What was
 * in progress on a job that somebody stopped says nothing about the next attempt. A job that failed
 * or is brought back, or that Flink restarts by itself, may not have borne the savepoint.
 */
final class StoppedJob {

  /** Flink aborts what is in progress when it stops a job, which is up until its last savepoint. */
  private static final List<String> STOPS =
      List.of("Checkpoint Coordinator is suspending", "CheckpointCoordinator shutdown");

  private final JobRef job;
  private final String named;
  private final Supplier<Optional<JobOwner>> owners;
  private final FlinkRest flink;

  /**
   * @param job that the snapshot was triggered on
   * @param named what runs it, as messages name it
   * @param owners reads that; blocks
   */
  StoppedJob(JobRef job, String named, Supplier<Optional<JobOwner>> owners, FlinkRest flink) {
    this.job = job;
    this.named = named;
    this.owners = owners;
    this.flink = flink;
  }

  /**
   * How a job was stopped.
   *
   * @param how in words
   * @param failed whether the job has failed, which the savepoint may be the reason of
   */
  record Stop(String how, boolean failed) {}

  /** Asks how the job was stopped. */
  @FunctionalInterface
  interface Question {

    /**
     * How it was stopped; empty when it runs on, or Flink restarts it.
     *
     * @param failure what Flink says of a snapshot that failed: an operation that is at work has
     *     not stopped a job that is up, unless Flink says so here. Null: none failed, and an
     *     operation that is at work is about to stop it
     */
    Optional<Stop> how(@Nullable String failure);
  }

  /** As {@link Question#how}. */
  Optional<Stop> how(@Nullable String failure) {
    return owners
        .get()
        .map(it -> how(it, failure))
        .orElseGet(() -> stopped(named + " does not exist any more", false));
  }

  private Optional<Stop> how(JobOwner owner, @Nullable String failure) {
    if (owner.isDeleting()) {
      return stopped(named + " is being deleted", false);
    }
    Optional<String> operation = owner.operation();
    String madeFor = owner.cluster().jobId();
    boolean isReplaced = madeFor != null && !madeFor.equals(job.jobId());
    if (operation.isPresent()) {
      Stop stop = new Stop(operation.get() + " is at work on " + named, owner.isOfRecovery());
      boolean certain = failure == null || isReplaced || STOPS.stream().anyMatch(failure::contains);
      return certain || !isUp(owner) ? Optional.of(stop) : Optional.empty();
    }
    if (isReplaced) {
      return stopped(
          "the job of %s was replaced by job %s".formatted(named, madeFor), owner.isOfRecovery());
    }
    return owner
        .site()
        .disturbance()
        .map(why -> isUp(owner) ? ended(owner) : stopped(why, false))
        .orElseGet(() -> ended(owner));
  }

  private Optional<Stop> ended(JobOwner owner) {
    return Answers.await(flink.jobsOverview(owner.cluster().endpoint()))
        .job(job.jobId())
        .filter(it -> it.state().isGloballyTerminal())
        .map(
            it ->
                new Stop(
                    "the job of %s is %s".formatted(named, it.word()),
                    it.state() == FlinkJobState.FAILED));
  }

  /** It waits for a savepoint that is in progress, so the job may well run on. */
  private boolean isUp(JobOwner owner) {
    try {
      return Answers.await(flink.jobsOverview(owner.cluster().endpoint()))
          .job(job.jobId())
          .filter(JobOverview::isUp)
          .isPresent();
    } catch (FlinkRestException silent) {
      return false;
    }
  }

  /** A cluster that is gone because its job is brought back is an attempt that failed. */
  ProbeResult<Outcome> judge(ProbeResult<Outcome> seen) {
    return seen instanceof ProbeResult.Done<Outcome> done
            && done.result() instanceof Outcome.NoJob none
            && owners.get().filter(JobOwner::isOfRecovery).flatMap(JobOwner::operation).isPresent()
        ? ProbeResult.done(new Outcome.Failed("Recover is at work; " + none.why(), true, true))
        : seen;
  }

  private static Optional<Stop> stopped(String how, boolean failed) {
    return Optional.of(new Stop(how, failed));
  }
}
