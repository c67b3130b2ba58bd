package dev.sluice.activities.application;

import dev.sluice.activities.application.StateFiles.Stored;
import dev.sluice.activities.application.StateFiles.Stored.Doubtful;
import dev.sluice.activities.application.StateFiles.Stored.Newest;
import dev.sluice.activities.application.StateFiles.Stored.Nothing;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.workflows.application.FoundState;
import dev.sluice.workflows.application.FoundState.Found;
import dev.sluice.workflows.application.FoundState.None;
import dev.sluice.workflows.application.FoundState.Unknown;
import dev.sluice.workflows.model.StateRef;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the newest state of a job that nobody has any more, from all that is known of it. An
 * older one never takes the place of one that there may be. Pure.
 */
final class NewestKnown {

  private static final Pattern CHECKPOINT = Pattern.compile("(.*/)chk-(\\d{1,18})/?");
  private static final String OF_STATUS = "the status, in which it was seen last";

  private static final Savepoints NOT_LISTED =
      new Savepoints(Optional.empty(), "its savepoint directory");

  private final String jobId;
  private final Evidence known;
  private final StateAge.Limit limit;
  private final @Nullable String path;

  /**
   * What is known of a job.
   *
   * @param status what was last seen of it
   * @param stop the savepoint that it may have been stopped with; null when it was not asked to
   * @param kept the savepoints of a job that was seen FINISHED; null of every other
   * @param stored its newest checkpoint among files
   * @param metadata id of the newest checkpoint in its high-availability metadata; empty when it
   *     has none
   */
  record Evidence(
      ApplicationJobStatus status,
      @Nullable Stop stop,
      @Nullable Savepoints kept,
      Stored stored,
      OptionalLong metadata) {}

  /**
   * A savepoint that a job may have been stopped with.
   *
   * @param sinceMs when the stop was recorded, ms since the epoch
   * @param found those that were complete since then; empty when they cannot be seen from here
   * @param directory where they are, in words
   */
  record Stop(long sinceMs, Optional<List<String>> found, String directory) {}

  /**
   * All savepoints that may be of a job.
   *
   * @param found empty when they cannot be seen from here
   * @param directory where they are, in words
   */
  record Savepoints(Optional<List<String>> found, String directory) {}

  /**
   * @param limit how old it may be
   */
  NewestKnown(String jobId, Evidence known, StateAge.Limit limit) {
    this.jobId = jobId;
    this.known = known;
    this.limit = limit;
    String last = known.status().lastCheckpoint();
    this.path = last == null || last.isBlank() ? null : last;
  }

  /** The newest state, or why that is not known. */
  FoundState find() {
    Stop stop = known.stop();
    FoundState stopped = stop == null ? null : stoppedWith(stop);
    if (stopped != null) {
      return stopped;
    }
    if (known.status().state() == FlinkJobState.FINISHED) {
      return finished();
    }
    if (known.stored() instanceof Newest newest) {
      return newest(newest);
    }
    if (known.stored() instanceof Doubtful doubtful) {
      return unclear(doubtful.why());
    }
    return known.stored() instanceof Nothing nothing
        ? notStored(nothing.why())
        : ofStatus(((Stored.Unreadable) known.stored()).why());
  }

  // ------------------------------------------------------------- it may have been stopped

  /** Null when it was surely not stopped with a savepoint. */
  private @Nullable FoundState stoppedWith(Stop stop) {
    if (path != null && isSavepoint(path) && isSince(stop)) {
      return found(new StateRef.Savepoint(path), OF_STATUS + ": it was stopped with it");
    }
    FlinkJobState state = known.status().state();
    if (state == FlinkJobState.FAILED || state == FlinkJobState.CANCELED) {
      return null;
    }
    if (stop.found().isEmpty()) {
      return unclear(
          "it may have been stopped with a savepoint, and %s cannot be read from here%s"
              .formatted(stop.directory(), before()));
    }
    List<String> all = stop.found().get();
    if (all.size() > 1) {
      return unclear(
          "it may have been stopped with one of the savepoints " + String.join(", ", all));
    }
    return all.isEmpty()
        ? null
        : found(
            new StateRef.Savepoint(all.get(0)),
            "its savepoint directory, in which it is the only one since the stop");
  }

  private boolean isSince(Stop stop) {
    Long taken = WrittenTime.millis(known.status().lastCheckpointTime());
    // the status has whole seconds
    return taken != null && taken >= stop.sinceMs() / 1000 * 1000;
  }

  private String before() {
    return path == null ? "" : ". Before that, its newest state was " + path;
  }

  // ------------------------------------------------------------- what is left

  /**
   * Flink has deleted its checkpoints. It has no work left, or it was stopped with a savepoint: one
   * that is stopped by hand is FINISHED, too.
   */
  private FoundState finished() {
    if (path != null && isSavepoint(path)) {
      return found(new StateRef.Savepoint(path), OF_STATUS + ": it is FINISHED");
    }
    Savepoints kept = Objects.requireNonNullElse(known.kept(), NOT_LISTED);
    List<String> all = kept.found().orElse(null);
    if (all == null) {
      return mayBeStopped(kept.directory() + " cannot be read from here");
    }
    if (all.size() > 1) {
      return mayBeStopped("these may be of it: " + String.join(", ", all));
    }
    if (all.size() == 1) {
      return found(
          new StateRef.Savepoint(all.get(0)),
          "its savepoint directory, in which it is the only one, and the status, in which it is FINISHED");
    }
    return known.stop() == null
        ? found(
            new StateRef.Empty("job " + jobId + " has finished by itself"),
            "the status, in which it is FINISHED, and its savepoint directory, which has none of it")
        : mayBeStopped("it was asked to, and %s has none of it".formatted(kept.directory()));
  }

  private FoundState mayBeStopped(String why) {
    return unclear(
        "it is FINISHED, and may have been stopped with a savepoint: %s (savepointDisabled starts without state)"
            .formatted(why));
  }

  private FoundState newest(Newest stored) {
    long missing = Math.max(own(path), known.metadata().orElse(-1));
    if (missing > stored.id()) {
      return unclear(
          "it has completed checkpoint %d, and the newest one in its directory is %s"
              .formatted(missing, stored.checkpoint().path()));
    }
    Instant written = Instant.ofEpochMilli(stored.writtenMs());
    String elsewhere = path == null || own(path) >= 0 ? null : path;
    return elsewhere != null && lastSeen().orElse(Instant.MAX).isAfter(written)
        ? judged(elsewhere)
        : limit.judged(
            stored.checkpoint(), Optional.of(written), "its directory, in which it is the newest");
  }

  /** What was in the directory is not there any more. */
  private FoundState notStored(String why) {
    return path != null && own(path) >= 0 ? none(why + "; the status has " + path) : ofStatus(why);
  }

  private FoundState ofStatus(String why) {
    if (known.metadata().isPresent()) {
      return ofMetadata(known.metadata().getAsLong());
    }
    if (path != null) {
      return judged(path);
    }
    String restored = known.status().restorePath();
    if (restored == null || restored.isBlank()) {
      return none(why);
    }
    return known.status().lastCheckpointTime() == null
        ? limit.judged(
            state(restored),
            WrittenTime.read(known.status().restoreTime()),
            "the status, by which the job was restored from it and completed no checkpoint")
        : none(why + "; Flink had deleted its newest one, or gave no path");
  }

  /** The metadata has a pointer that only Flink can read, but its key is the checkpoint's id. */
  private FoundState ofMetadata(long newest) {
    Matcher last = path == null ? null : CHECKPOINT.matcher(path);
    if (path == null || last == null || !last.matches() || own(path) < 0) {
      return unclear(
          "its newest checkpoint is chk-%d by its high-availability metadata, and its path is not known%s"
              .formatted(newest, before()));
    }
    return own(path) >= newest
        ? judged(path)
        : limit.judged(
            new StateRef.Checkpoint(last.group(1) + "chk-" + newest),
            lastSeen(),
            "its high-availability metadata, which has it as the newest one");
  }

  /** The id of a checkpoint in the directory of the job itself; -1 for everything else. */
  private long own(@Nullable String of) {
    Matcher found = of == null ? null : CHECKPOINT.matcher(of);
    return found != null && found.matches() && found.group(1).endsWith("/" + jobId + "/")
        ? Long.parseLong(found.group(2))
        : -1;
  }

  // ------------------------------------------------------------- outcomes

  private FoundState judged(String seen) {
    return limit.judged(state(seen), lastSeen(), OF_STATUS);
  }

  private FoundState found(StateRef state, String how) {
    return new Found(state, limit.ageMs(lastSeen()), how);
  }

  private FoundState none(String why) {
    return new None("No checkpoint of job %s is known: %s".formatted(jobId, why));
  }

  private FoundState unclear(String why) {
    return new Unknown("The newest state of job %s is not known: %s".formatted(jobId, why), true);
  }

  private Optional<Instant> lastSeen() {
    return WrittenTime.read(known.status().lastCheckpointTime());
  }

  private static StateRef state(String path) {
    return isSavepoint(path) ? new StateRef.Savepoint(path) : new StateRef.Checkpoint(path);
  }

  private static boolean isSavepoint(String path) {
    return path.substring(path.lastIndexOf('/') + 1).startsWith("savepoint-");
  }
}
