package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.Answers;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.NewestState;
import dev.sluice.activities.job.RestoredPath;
import dev.sluice.workflows.snapshot.Disposal;
import java.util.Optional;

/**
 * What a job that is not up would go on from. No status tells it before an operation has asked the
 * JobManager, which does not notice when the files are deleted.
 */
final class NewestOfJob {

  private final FlinkRest flink;

  NewestOfJob(FlinkRest flink) {
    this.flink = flink;
  }

  /**
   * What becomes of a savepoint instead of being deleted; empty when the job is up, or would not go
   * on from it. Fails when the JobManager does not answer.
   *
   * @param knowsAlone whether only the JobManager tells what the job left: a job that it does not
   *     know may come back, or its newest state may have to be looked for among the files
   */
  Optional<Disposal> insteadOf(JobOwner owner, boolean knowsAlone, String path) {
    JobsOverview overview = Answers.await(flink.jobsOverview(owner.cluster().endpoint()));
    Optional<JobOverview> job = owner.site().job(overview, owner.cluster().jobId());
    return job.isEmpty() && knowsAlone
        ? Optional.of(unknown(owner))
        : job.filter(it -> !it.isUp()).flatMap(it -> insteadOf(owner, it, path));
  }

  private static Disposal unknown(JobOwner owner) {
    return new Disposal.Failed(
        "the JobManager of %s does not know its job, so it is not known what that left"
            .formatted(owner.display()));
  }

  private Optional<Disposal> insteadOf(JobOwner owner, JobOverview job, String path) {
    Optional<Checkpoints> statistics =
        Answers.await(flink.checkpoints(owner.cluster().endpoint(), job.jobId()));
    return Optional.ofNullable(
            NewestState.of(job.state(), job.jobId(), statistics).state().pathOrNull())
        .filter(newest -> RestoredPath.haveSameName(path, newest))
        .map(
            newest ->
                new Disposal.Impossible(
                    "%s may still be started from it: it is the newest state of its job, which is %s"
                        .formatted(owner.display(), job.word())));
  }
}
