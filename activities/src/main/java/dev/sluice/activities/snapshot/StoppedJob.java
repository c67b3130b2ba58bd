package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.workflows.model.JobRef;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Tells whether a job was stopped, by an operation or by its own end: what failed on it meanwhile
 * says nothing about the next attempt. A job that Flink restarts by itself is not stopped: the
 * savepoint may be what it cannot bear.
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

  /** How it was stopped, in words; empty when it runs on, or Flink restarts it. */
  CompletableFuture<Optional<String>> how() {
    return CompletableFuture.supplyAsync(owners, background)
        .thenCompose(
            found ->
                found.map(this::how).orElseGet(() -> stopped(named + " does not exist any more")));
  }

  private CompletableFuture<Optional<String>> how(JobOwner owner) {
    if (owner.isDeleting()) {
      return stopped(named + " is being deleted");
    }
    Optional<String> operation = owner.operation();
    if (operation.isPresent()) {
      return stopped(operation.get() + " is at work on " + named);
    }
    String madeFor = owner.cluster().jobId();
    if (madeFor != null && !madeFor.equals(job.jobId())) {
      return stopped("the job of %s was replaced by job %s".formatted(named, madeFor));
    }
    return flink
        .jobsOverview(owner.cluster().endpoint())
        .thenApply(
            overview ->
                overview
                    .job(job.jobId())
                    .filter(it -> it.state().isGloballyTerminal())
                    .map(it -> "the job of %s is %s".formatted(named, it.word())));
  }

  private static CompletableFuture<Optional<String>> stopped(String how) {
    return CompletableFuture.completedFuture(Optional.of(how));
  }
}
