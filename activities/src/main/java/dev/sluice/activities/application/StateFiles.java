package dev.sluice.activities.application;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.StateDirectories;
import dev.sluice.workflows.model.StateRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The savepoints and checkpoints of one job of a version, where this worker mounts their
 * directories. The job must have ended.
 */
class StateFiles {

  /** A storage that takes longer hangs. */
  private static final int ANSWERS_SECONDS = 15;

  private static final String METADATA = "_metadata";
  private static final String PREFIX = "chk-";
  private static final Pattern CHECKPOINT = Pattern.compile(PREFIX + "\\d{1,18}");

  private final String jobId;
  private final Optional<String> checkpoints;
  private final Optional<String> savepoints;
  private final Executor background;

  /**
   * @param running configuration of the cluster
   * @param newer configuration for a savepoint directory that the cluster does not have
   * @param background runs blocking reads; a storage that hangs keeps its threads
   */
  StateFiles(
      String jobId, FlinkConfiguration running, FlinkConfiguration newer, Executor background) {
    this.jobId = jobId;
    this.checkpoints = StateDirectories.checkpoints(running);
    this.savepoints = StateDirectories.savepoints(running, newer);
    this.background = background;
  }

  /** What the storage says of the newest checkpoint. */
  sealed interface Stored {

    /**
     * It is certainly the newest among files.
     *
     * @param id counts up over all checkpoints and savepoints of the job
     * @param writtenMs when it was complete, ms since the epoch
     */
    record Newest(StateRef.Checkpoint checkpoint, long id, long writtenMs) implements Stored {}

    /**
     * The directory was read, and has none.
     *
     * @param why in words
     */
    record Nothing(String why) implements Stored {}

    /**
     * There are some, and which state is the newest cannot be told.
     *
     * @param why in words
     */
    record Doubtful(String why) implements Stored {}

    /**
     * The directory is not configured, or cannot be read from here.
     *
     * @param why in words
     */
    record Unreadable(String why) implements Stored {}
  }

  /** The directory of savepoints, for messages. */
  String savepointDirectory() {
    return savepoints.orElse("a directory that its spec does not name");
  }

  /**
   * The complete savepoints that may be of the job: a name has only the first six digits of the job
   * id, and nothing inside a savepoint names its job.
   *
   * @param sinceMs those that were complete before are left out, ms since the epoch
   * @return their paths; empty where the directory cannot be read from here
   */
  Optional<List<String>> savepointsSince(long sinceMs) {
    return read(() -> savepoints.flatMap(directory -> candidates(directory, sinceMs)));
  }

  /** The newest checkpoint. */
  Stored newest() {
    return read(this::newestNow);
  }

  /** An interrupt ends the wait for a storage that hangs, but not the read. */
  private <T> T read(Supplier<T> files) {
    try {
      return CompletableFuture.supplyAsync(files, background)
          .orTimeout(ANSWERS_SECONDS, TimeUnit.SECONDS)
          .get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the storage did not answer");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    }
  }

  private Stored newestNow() {
    String directory = checkpoints.orElse(null);
    if (directory == null) {
      return new Stored.Unreadable("no directory for checkpoints is configured");
    }
    List<Stored.Newest> found = completed(directory).orElse(null);
    if (found == null) {
      return new Stored.Unreadable(
          "its checkpoints are in " + directory + ", which cannot be read from here");
    }
    Stored.Newest newest =
        found.stream().max(Comparator.comparingLong(Stored.Newest::id)).orElse(null);
    if (newest == null) {
      return new Stored.Nothing("there is no complete checkpoint of it in " + directory);
    }
    String doubt = doubt(found, newest, directory);
    return doubt == null ? newest : new Stored.Doubtful(doubt);
  }

  /** Why it may not be the newest state of the job; null when it is. */
  private @Nullable String doubt(
      List<Stored.Newest> found, Stored.Newest newest, String checkpointDirectory) {
    String path = newest.checkpoint().path();
    Stored.Newest later =
        found.stream().filter(it -> it.writtenMs() > newest.writtenMs()).findFirst().orElse(null);
    if (later != null) {
      return "%s was written after %s: the job restarted in between"
          .formatted(later.checkpoint().path(), path);
    }
    String directory = savepoints.orElse(null);
    if (directory == null || isNotMade(directory, checkpointDirectory)) {
      return null;
    }
    List<String> since = candidates(directory, newest.writtenMs()).orElse(null);
    if (since == null) {
      return "its newest checkpoint is %s, but a newer savepoint may be in %s, which cannot be read from here"
          .formatted(path, directory);
    }
    return since.isEmpty()
        ? null
        : "its newest checkpoint is %s, but %s may be newer"
            .formatted(path, String.join(", ", since));
  }

  private Optional<List<String>> candidates(String directory, long sinceMs) {
    String prefix = "savepoint-" + jobId.substring(0, Math.min(6, jobId.length())) + "-";
    return mounted(directory)
        .flatMap(
            root ->
                complete(
                    root,
                    it ->
                        name(it).startsWith(prefix) && written(it) >= sinceMs
                            ? Optional.of("file:" + it)
                            : Optional.empty()));
  }

  private Optional<List<Stored.Newest>> completed(String directory) {
    return mounted(directory)
        .map(root -> root.resolve(jobId))
        .flatMap(
            own ->
                Files.exists(own) ? complete(own, StateFiles::checkpoint) : Optional.of(List.of()));
  }

  private static Optional<Stored.Newest> checkpoint(Path folder) {
    return CHECKPOINT.matcher(name(folder)).matches()
        ? Optional.of(
            new Stored.Newest(
                new StateRef.Checkpoint("file:" + folder),
                Long.parseLong(name(folder).substring(PREFIX.length())),
                written(folder)))
        : Optional.empty();
  }

  /** What is complete: Flink writes its metadata last. Empty where it cannot be read. */
  private static <T> Optional<List<T>> complete(Path root, Function<Path, Optional<T>> which) {
    try (Stream<Path> entries = Files.list(root)) {
      return Optional.of(
          entries
              .filter(it -> Files.isRegularFile(it.resolve(METADATA)))
              .sorted()
              .map(which)
              .flatMap(Optional::stream)
              .toList());
    } catch (IOException | UncheckedIOException unreadable) {
      return Optional.empty();
    }
  }

  private static long written(Path folder) {
    try {
      return Files.getLastModifiedTime(folder.resolve(METADATA)).toMillis();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  private static Optional<Path> mounted(String directory) {
    return path(directory).filter(Files::isDirectory);
  }

  /**
   * Whether a directory does not exist yet, because Flink makes it with the first savepoint: its
   * parent is mounted, and has the other one, too. A missing path alone proves nothing.
   */
  private static boolean isNotMade(String directory, String mounted) {
    Path missing = path(directory).map(Path::normalize).orElse(null);
    Path parent = missing == null ? null : missing.getParent();
    return missing != null
        && parent != null
        && parent.getNameCount() > 0
        && !Files.exists(missing)
        && Files.isDirectory(parent)
        && mounted(mounted).filter(other -> other.normalize().startsWith(parent)).isPresent();
  }

  private static Optional<Path> path(String directory) {
    try {
      URI uri = URI.create(directory.trim());
      boolean file = uri.getScheme() == null || uri.getScheme().equals("file");
      return file && uri.getPath() != null && uri.getPath().startsWith("/")
          ? Optional.of(Path.of(uri.getPath()))
          : Optional.empty();
    } catch (IllegalArgumentException notAPath) {
      return Optional.empty();
    }
  }
}
