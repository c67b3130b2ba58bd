package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.snapshot.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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
    CompletableFuture<Optional<Stop>> how(@Nullable String failure);
  }

  /** As {@link Question#how}. */
  CompletableFuture<Optional<Stop>> how(@Nullable String failure) {
    return CompletableFuture.supplyAsync(owners, background)
        .thenCompose(
            found ->
                found
                    .map(it -> how(it, failure))
                    .orElseGet(() -> stopped(named + " does not exist any more", false)));
  }

  private CompletableFuture<Optional<Stop>> how(JobOwner owner, @Nullable String failure) {
    if (owner.isDeleting()) {
      return stopped(named + " is being deleted", false);
    }
    Optional<String> operation = owner.operation();
    String madeFor = owner.cluster().jobId();
    boolean isReplaced = madeFor != null && !madeFor.equals(job.jobId());
    if (operation.isPresent()) {
      Stop stop = new Stop(operation.get() + " is at work on " + named, owner.isOfRecovery());
      return failure == null || isReplaced || STOPS.stream().anyMatch(failure::contains)
          ? CompletableFuture.completedFuture(Optional.of(stop))
          : isUp(owner).thenApply(up -> up ? Optional.empty() : Optional.of(stop));
    }
    if (isReplaced) {
      return stopped(
          "the job of %s was replaced by job %s".formatted(named, madeFor), owner.isOfRecovery());
    }
    return owner
        .site()
        .disturbance()
        .map(why -> isUp(owner).thenCompose(up -> up ? ended(owner) : stopped(why, false)))
        .orElseGet(() -> ended(owner));
  }

  private CompletableFuture<Optional<Stop>> ended(JobOwner owner) {
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

  /** It waits for a savepoint that is in progress, so the job may well run on. */
  private CompletableFuture<Boolean> isUp(JobOwner owner) {
    return flink
        .jobsOverview(owner.cluster().endpoint())
        .handle(
            (overview, silent) ->
                silent == null && overview.job(job.jobId()).filter(JobOverview::isUp).isPresent());
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
