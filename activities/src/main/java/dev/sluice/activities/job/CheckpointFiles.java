package dev.sluice.activities.job;

import dev.sluice.activities.job.CheckpointDirectory.Checkpoint;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the newest checkpoint of a job among files, where it is certain that nothing is newer. */
final class CheckpointFiles {

  private final JobTarget target;
  private final CheckpointDirectory checkpoints;
  private final SavepointDirectory savepoints;

  CheckpointFiles(
      JobTarget target, CheckpointDirectory checkpoints, SavepointDirectory savepoints) {
    this.target = target;
    this.checkpoints = checkpoints;
    this.savepoints = savepoints;
  }

  /** What was found. */
  sealed interface Found {}

  /**
   * The newest one.
   *
   * @param of how many there are
   */
  record Newest(Checkpoint checkpoint, int of) implements Found {}

  /**
   * None that is certainly the newest.
   *
   * @param why in words
   * @param cause why, for a decision
   */
  record NotFound(String why, Cause cause) implements Found {}

  /** Why none was found. */
  enum Cause {
    /** The directory cannot be read from here. */
    UNREADABLE,
    /** It can be read, and there is none. */
    NOTHING,
    /** Another state may be newer than the newest checkpoint. */
    DOUBT
  }

  /** Looks; blocks for a moment. The job must have ended. */
  Found newest() {
    String directory = target.checkpointDirectory().orElse(null);
    if (directory == null) {
      return new NotFound("no directory for checkpoints is configured", Cause.UNREADABLE);
    }
    Optional<List<Checkpoint>> found = checkpoints.completed(directory, target.jobId());
    if (found.isEmpty()) {
      return new NotFound(
          "its checkpoints are in " + directory + ", which cannot be read from here",
          Cause.UNREADABLE);
    }
    Checkpoint newest =
        found.get().stream().max(Comparator.comparingLong(Checkpoint::id)).orElse(null);
    if (newest == null) {
      return new NotFound("there is no complete checkpoint of it in " + directory, Cause.NOTHING);
    }
    String doubt = doubt(found.get(), newest, directory);
    return doubt == null
        ? new Newest(newest, found.get().size())
        : new NotFound(doubt, Cause.DOUBT);
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
        savepoints.candidates(directory, target.jobId(), newest.writtenMs());
    if (since.isEmpty()) {
      return "its newest checkpoint is %s, but a newer savepoint may be in %s, which cannot be read from here"
          .formatted(newest.path(), directory);
    }
    return since.get().isEmpty()
        ? null
        : "its newest checkpoint is %s, but %s may be newer"
            .formatted(newest.path(), String.join(", ", since.get()));
  }
}
