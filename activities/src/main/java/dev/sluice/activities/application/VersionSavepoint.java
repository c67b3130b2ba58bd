package dev.sluice.activities.application;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.application.SavepointOutcome;
import dev.sluice.workflows.model.StateRef;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Takes a savepoint of the job of a version, and says what became of it. One instance for each
 * attempt of the activity.
 */
final class VersionSavepoint {

  private final FrozenVersion version;
  private final String jobId;
  private final Wait.Probe<TakenState> savepoint;
  private final Supplier<Optional<List<String>>> left;
  private final ClusterPresence presence;
  private final FlinkRest flink;

  /**
   * @param savepoint takes it
   * @param left finds it among files: all that it may be
   */
  VersionSavepoint(
      FrozenVersion version,
      String jobId,
      Wait.Probe<TakenState> savepoint,
      Supplier<Optional<List<String>>> left,
      ClusterPresence presence,
      FlinkRest flink) {
    this.version = version;
    this.jobId = jobId;
    this.savepoint = savepoint;
    this.left = left;
    this.presence = presence;
    this.flink = flink;
  }

  ProbeResult<SavepointOutcome> look(ActGuard guard) {
    return presence.orGone(() -> outcome(savepoint.look(guard)), () -> gone(left.get()));
  }

  /** Its JobManager may have taken it before it went. */
  private ProbeResult<SavepointOutcome> gone(Optional<List<String>> left) {
    String why =
        "The JobManager of %s is gone, and with it job %s"
            .formatted(version.ref().display(), jobId);
    return ProbeResult.done(
        left.filter(found -> found.size() == 1)
            .<SavepointOutcome>map(
                found ->
                    new SavepointOutcome.Taken(
                        found.get(0), "found in the savepoint directory, the only one; " + why))
            .orElseGet(() -> new SavepointOutcome.NoJob(why)));
  }

  private ProbeResult<SavepointOutcome> outcome(ProbeResult<TakenState> seen) {
    if (seen instanceof ProbeResult.NotYet<TakenState> missing) {
      return ProbeResult.notYet(missing.progress());
    }
    if (seen instanceof ProbeResult.Done<TakenState> done && done.result() != null) {
      TakenState taken = done.result();
      return taken.state() instanceof StateRef.Savepoint path
          ? done(new SavepointOutcome.Taken(path.path(), taken.how()))
          : ended(job -> new SavepointOutcome.Ended(job.word(), taken.state(), taken.how()));
    }
    ProbeResult.Failed<TakenState> failed = (ProbeResult.Failed<TakenState>) seen;
    return switch (failed.type()) {
      case FailureType.SAVEPOINT_FAILED -> done(new SavepointOutcome.Failed(failed.message()));
      case FailureType.TIMED_OUT -> done(new SavepointOutcome.Unknown(failed.message()));
      case FailureType.STATE_NOT_FOUND ->
          ended(
              job ->
                  new SavepointOutcome.Ended(
                      job.word(), new StateRef.Unknown(unknown(job)), unknown(job)));
      default -> ProbeResult.failed(failed.type(), failed.message());
    };
  }

  private String unknown(JobOverview job) {
    return "Job %s is %s, and Flink does not tell what it has left".formatted(jobId, job.word());
  }

  /** It has ended, and Flink is asked once more how: it may know the job no more. */
  private ProbeResult<SavepointOutcome> ended(Function<JobOverview, SavepointOutcome> how) {
    return flink
        .jobsOverview(version.endpoint())
        .job(jobId)
        .map(
            job ->
                job.state().isGloballyTerminal()
                    ? ProbeResult.done(how.apply(job))
                    : ProbeResult.<SavepointOutcome>notYet("job is " + job.display()))
        .orElseGet(
            () ->
                ProbeResult.done(
                    new SavepointOutcome.NoJob(
                        "The JobManager of %s answers and does not know job %s"
                            .formatted(version.ref().display(), jobId))));
  }

  private static ProbeResult<SavepointOutcome> done(SavepointOutcome outcome) {
    return ProbeResult.done(outcome);
  }
}
