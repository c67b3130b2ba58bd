package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.job.CheckpointDirectory.Checkpoint;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.FindCheckpointRequest;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Comparator;
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
  private final CheckpointDirectory checkpoints;
  private final Savepoints savepoints;

  CheckpointSearch(
      FindCheckpointRequest request,
      JobTarget target,
      ClusterAccess access,
      CheckpointDirectory checkpoints,
      Savepoints savepoints) {
    this.request = request;
    this.target = target;
    this.access = access;
    this.checkpoints = checkpoints;
    this.savepoints = savepoints;
  }

  /** Looks once. */
  CompletableFuture<ProbeResult<TakenState>> look() {
    return access
        .ask(this::clusterIsGone)
        .thenCompose(
            still ->
                still instanceof ProbeResult.Done<TakenState>
                    ? CompletableFuture.supplyAsync(this::search, savepoints.search())
                    : CompletableFuture.completedFuture(still));
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
    String directory = target.checkpointDirectory().orElse(null);
    if (directory == null) {
      return notFound("no directory for checkpoints is configured");
    }
    Optional<List<Checkpoint>> found = checkpoints.completed(directory, target.jobId());
    if (found.isEmpty()) {
      return notFound("its checkpoints are in " + directory + ", which cannot be read from here");
    }
    Checkpoint newest =
        found.get().stream().max(Comparator.comparingLong(Checkpoint::id)).orElse(null);
    if (newest == null) {
      return notFound("there is no complete checkpoint of it in " + directory);
    }
    String doubt = doubt(found.get(), newest, directory);
    return doubt == null
        ? ProbeResult.done(
            new TakenState(
                new StateRef.Checkpoint(newest.path()),
                "the newest of " + found.get().size() + " in its directory"))
        : notFound(doubt);
  }

  /** Why it may not be the newest state of the job; null when it is. */
  private @Nullable String doubt(
      List<Checkpoint> found, Checkpoint newest, String checkpointDirectory) {
    Optional<Checkpoint> later =
        found.stream().filter(it -> it.writtenMs() > newest.writtenMs()).findFirst();
    if (later.isPresent()) {
      return "%s was written after %s: the job was begun again in between"
          .formatted(later.get().path(), newest.path());
    }
    String directory = target.savepointDirectory().orElse(null);
    // Flink makes it with the first savepoint
    if (directory == null || LocalPath.isNotMade(directory, checkpointDirectory)) {
      return null;
    }
    Optional<List<String>> since =
        savepoints.directory().candidates(directory, target.jobId(), newest.writtenMs());
    if (since.isEmpty()) {
      return "its newest checkpoint is %s, but a newer savepoint may be in %s, which cannot be read from here"
          .formatted(newest.path(), directory);
    }
    return since.get().isEmpty()
        ? null
        : "its newest checkpoint is %s, but %s may be newer"
            .formatted(newest.path(), String.join(", ", since.get()));
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
