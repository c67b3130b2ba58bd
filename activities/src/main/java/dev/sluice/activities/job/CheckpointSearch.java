package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.flink.Answers;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.FindCheckpointRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the newest checkpoint of a job among files, when nothing of its cluster is left that
 * could be asked, or could complete another one. A checkpoint is adopted only when it is certain
 * that the job had nothing newer. One instance for each attempt of an activity.
 */
final class CheckpointSearch {

  private final FindCheckpointRequest request;
  private final JobTarget target;
  private final ClusterAccess access;
  private final CheckpointFiles files;
  private final Savepoints savepoints;
  private final @Nullable LostOnSession session;

  /**
   * @param session says whether the job is gone from the cluster of another resource; null when it
   *     has one of its own
   */
  CheckpointSearch(
      FindCheckpointRequest request,
      JobTarget target,
      ClusterAccess access,
      CheckpointDirectory checkpoints,
      Savepoints savepoints,
      @Nullable LostOnSession session) {
    this.request = request;
    this.target = target;
    this.access = access;
    this.files = new CheckpointFiles(target, checkpoints, savepoints.directory());
    this.savepoints = savepoints;
    this.session = session;
  }

  /** Looks once. */
  ProbeResult<TakenState> look() {
    ProbeResult<TakenState> still =
        session == null ? clusterIsGone() : session.look(this::notFound);
    return still instanceof ProbeResult.Done<TakenState>
        ? Answers.await(CompletableFuture.supplyAsync(this::search, savepoints.search()))
        : still;
  }

  /** Done when nothing of it is left. */
  private ProbeResult<TakenState> clusterIsGone() {
    ClusterRef cluster = target.cluster().ref();
    Optional<Deployment> there = access.live().deployment(cluster);
    if (there.isPresent()) {
      return beside(there.get());
    }
    List<Pod> pods = access.live().pods(cluster);
    return pods.isEmpty()
        ? ProbeResult.done(new TakenState(new StateRef.Empty("not looked for yet"), ""))
        : ProbeResult.notYet(pods.size() + " pods left");
  }

  /** What an observation sees as missing is waited for here: to observe again would not help. */
  private ProbeResult<TakenState> beside(Deployment there) {
    return switch (Ownership.of(there, request.resource())) {
      case OURS ->
          there.getMetadata().getDeletionTimestamp() == null
              ? ProbeResult.failed(
                  FailureType.OUTDATED,
                  "there is a JobManager Deployment of " + target.cluster().ref().display())
              : ProbeResult.notYet("the JobManager Deployment is being deleted");
      case EARLIER_INSTANCE -> ProbeResult.notYet(Ownership.owners(there) + " and is not gone yet");
      case SOMEBODY_ELSE -> throw Ownership.taken(there, request.resource());
    };
  }

  private ProbeResult<TakenState> search() {
    CheckpointFiles.Found found = files.newest();
    if (found instanceof CheckpointFiles.NotFound nothing) {
      return notFound(nothing.why());
    }
    CheckpointFiles.Newest newest = (CheckpointFiles.Newest) found;
    return ProbeResult.done(
        new TakenState(
            new StateRef.Checkpoint(newest.checkpoint().path()),
            "the newest of " + newest.of() + " in its directory"));
  }

  private ProbeResult<TakenState> notFound(String why) {
    return ProbeResult.failed(
        FailureType.STATE_NOT_FOUND,
        "The newest state of job %s is not known: %s.%s Find the right savepoint or checkpoint (it must have a _metadata file), then set the annotation %s: <its path> together with %s."
            .formatted(
                target.jobId(),
                why,
                request.startedFrom() == null
                    ? ""
                    : " It was started from " + request.startedFrom() + ".",
                Annotations.RESTORE_FROM,
                Annotations.RETRY));
  }
}
