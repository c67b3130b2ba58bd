package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.snapshot.Outcome;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Tells whether a job was stopped: by an operation, by its own end, or because it failed. What was
 * in progress on a job that somebody stopped says nothing about the next attempt. A job that failed
 * or is brought back, or that Flink restarts by itself, may not have borne the savepoint.
 */
final class StoppedJob {

  private final JobRef job;
  private final String named;
  private final Supplier<Optional<JobOwner>> owners;
  private final FlinkRest flink;
  private final Executor background;

  /**
   * @param job that the snapshot was triggered on
   * @param named what runs it, as messages name it
   * @param owners reads that; blocks
   */
  StoppedJob(
      JobRef job,
      String named,
      Supplier<Optional<JobOwner>> owners,
      FlinkRest flink,
      Executor background) {
    this.job = job;
    this.named = named;
    this.owners = owners;
    this.flink = flink;
    this.background = background;
  }

  /**
   * How a job was stopped.
   *
   * @param how in words
   * @param failed whether the job has failed, which the savepoint may be the reason of
   */
  record Stop(String how, boolean failed) {}

  /** How it was stopped; empty when it runs on, or Flink restarts it. */
  CompletableFuture<Optional<Stop>> how() {
    return CompletableFuture.supplyAsync(owners, background)
        .thenCompose(
            found ->
                found
                    .map(this::how)
                    .orElseGet(() -> stopped(named + " does not exist any more", false)));
  }

  private CompletableFuture<Optional<Stop>> how(JobOwner owner) {
    if (owner.isDeleting()) {
      return stopped(named + " is being deleted", false);
    }
    Optional<String> operation = owner.operation();
    if (operation.isPresent()) {
      return stopped(operation.get() + " is at work on " + named, owner.isOfRecovery());
    }
    String madeFor = owner.cluster().jobId();
    if (madeFor != null && !madeFor.equals(job.jobId())) {
      return stopped(
          "the job of %s was replaced by job %s".formatted(named, madeFor), owner.isOfRecovery());
    }
    return flink
        .jobsOverview(owner.cluster().endpoint())
        .thenApply(
            overview ->
                overview
                    .job(job.jobId())
                    .filter(it -> it.state().isGloballyTerminal())
                    .map(
                        it ->
                            new Stop(
                                "the job of %s is %s".formatted(named, it.word()),
                                it.state() == FlinkJobState.FAILED)));
  }

  /** A cluster that is gone because its job is brought back is an attempt that failed. */
  CompletableFuture<ProbeResult<Outcome>> judge(ProbeResult<Outcome> seen) {
    return seen instanceof ProbeResult.Done<Outcome> done
            && done.result() instanceof Outcome.NoJob none
        ? CompletableFuture.supplyAsync(owners, background)
            .thenApply(
                found ->
                    found.filter(JobOwner::isOfRecovery).flatMap(JobOwner::operation).isPresent()
                        ? ProbeResult.done(
                            new Outcome.Failed("Recover is at work; " + none.why(), true, true))
                        : seen)
        : CompletableFuture.completedFuture(seen);
  }

  private static CompletableFuture<Optional<Stop>> stopped(String how, boolean failed) {
    return CompletableFuture.completedFuture(Optional.of(new Stop(how, failed)));
  }
}
