package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.job.RestoredPath;
import dev.sluice.api.common.SavepointDirectoryOption;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.snapshot.Outcome;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a look says that must not trigger anything any more. A savepoint that neither Flink nor
 * Kubernetes tells of may have been completed, so it says where to look for it.
 *
 * @param isLast whether the look is such a one; any other is left as it is
 * @param whereItMayBe for the end of a message; empty for a checkpoint
 */
record LastLook(boolean isLast, String whereItMayBe) {

  static LastLook of(
      TakeRequest request, @Nullable SavepointSpec savepoint, Optional<JobOwner> owner) {
    return new LastLook(
        !request.mayTrigger(),
        savepoint == null
            ? ""
            : "; if it was completed, it is in %s%s"
                .formatted(
                    Optional.ofNullable(savepoint.pathOrNull())
                        .or(
                            () ->
                                owner.flatMap(
                                    it ->
                                        SavepointDirectoryOption.of(it.cluster().configuration())))
                        .orElse("the savepoint directory that its cluster was configured with"),
                    named(request.trigger().jobId())));
  }

  private static String named(String jobId) {
    return jobId.isEmpty() ? "" : ", named %s*".formatted(RestoredPath.savepointPrefix(jobId));
  }

  /** The same for any other look. */
  ProbeResult<Outcome> judge(ProbeResult<Outcome> seen) {
    if (isLast && seen instanceof ProbeResult.Failed<Outcome> failed) {
      return FailureType.OUTDATED.equals(failed.type()) ? unknown(failed.message()) : seen;
    }
    if (!isLast || !(seen instanceof ProbeResult.Done<Outcome> done)) {
      return seen;
    }
    if (done.result() instanceof Outcome.Unknown unknown) {
      return ProbeResult.done(new Outcome.Unknown(unknown.why() + whereItMayBe));
    }
    return done.result() instanceof Outcome.NoJob none ? unknown(none.why()) : seen;
  }

  private ProbeResult<Outcome> unknown(String why) {
    return ProbeResult.done(new Outcome.NoJob(why + whereItMayBe));
  }
}
