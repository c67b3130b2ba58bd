package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.StateRef;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Looks for the savepoint of a stop among files, after the job has ended and Flink has forgotten
 * where it put it. A savepoint is adopted only when exactly one fits: complete since the stop
 * began, named after the job.
 */
final class SavepointSearch {

  private final JobTarget target;
  private final long sinceMs;
  private final SavepointDirectory directory;
  private final Executor background;

  /**
   * @param sinceMs when the stop began, ms since the epoch
   * @param background for looking at files
   */
  SavepointSearch(
      JobTarget target, long sinceMs, SavepointDirectory directory, Executor background) {
    this.target = target;
    this.sinceMs = sinceMs;
    this.directory = directory;
    this.background = background;
  }

  /**
   * Searches; the job must be known to have ended.
   *
   * @param why Flink does not tell the state itself
   */
  CompletableFuture<ProbeResult<TakenState>> search(String why) {
    return candidates().thenApply(found -> judge(found, why));
  }

  /**
   * Searches for what the job was stopped with before it was begun again.
   *
   * @param why it may have been stopped
   * @return empty when it is known that it was not
   */
  CompletableFuture<Optional<ProbeResult<TakenState>>> searchEarlier(String why) {
    return candidates()
        .thenApply(
            found ->
                found.filter(List::isEmpty).isPresent()
                    ? Optional.empty()
                    : Optional.of(judge(found, why)));
  }

  private CompletableFuture<Optional<List<String>>> candidates() {
    String configured = target.savepointDirectory().orElse("");
    return CompletableFuture.supplyAsync(
        () -> directory.candidates(configured, target.jobId(), sinceMs), background);
  }

  private ProbeResult<TakenState> judge(Optional<List<String>> seen, String why) {
    List<String> found = seen.orElse(List.of());
    if (found.size() == 1) {
      return ProbeResult.done(
          new TakenState(
              new StateRef.Savepoint(found.get(0)),
              "found in the savepoint directory, the only one since the stop began; " + why));
    }
    String which =
        seen.isEmpty()
            ? "none can be seen from here"
            : found.isEmpty()
                ? "none was found that was completed since the stop began"
                : found.size() + " were completed since the stop began";
    return ProbeResult.failed(FailureType.STATE_NOT_FOUND, notFound(target, why, which));
  }

  /**
   * Why no savepoint was adopted, and what the user can do.
   *
   * @param which of the savepoints fit
   */
  static String notFound(JobTarget target, String why, String which) {
    return ("The state of job %s is not known: %s. Of the savepoints in %s named %s*, %s. Find the"
            + " right one (it must have a _metadata file), then set the annotation %s: <its path>"
            + " together with %s.")
        .formatted(
            target.jobId(),
            why,
            target.savepointDirectory().orElse("the savepoint directory"),
            SavepointDirectory.prefix(target.jobId()),
            which,
            Annotations.RESTORE_FROM,
            Annotations.RETRY);
  }
}
