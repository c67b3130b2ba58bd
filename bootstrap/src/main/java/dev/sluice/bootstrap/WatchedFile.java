package dev.sluice.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that people change while the process runs, such as a mounted ConfigMap. It is compared by
 * its content: the kubelet replaces links, for which no file system tells anything. One that cannot
 * be read, or is wrong, changes nothing: the last good one stays.
 *
 * @param <T> what it says
 */
public final class WatchedFile<T> implements Supplier<T>, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

  private final @Nullable Path file;
  private final Function<String, T> parse;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread daemon = new Thread(task, "watched-file");
            daemon.setDaemon(true);
            return daemon;
          });
  private volatile Read<T> last;
  private volatile @Nullable String problem;
  private volatile Runnable listener = () -> {};

  private record Read<T>(String text, T value) {}

  private WatchedFile(@Nullable Path file, Function<String, T> parse, Read<T> first) {
    this.file = file;
    this.parse = parse;
    this.last = first;
  }

  /**
   * Reads it, and reads it again from time to time.
   *
   * @param setting that names the file, for messages
   * @param file null when there is none
   * @param absent what holds without a file
   * @param parse throws {@link IllegalArgumentException} with what is wrong
   * @throws ConfigurationException when it cannot be read now, or is wrong
   */
  public static <T> WatchedFile<T> open(
      String setting, @Nullable Path file, T absent, Function<String, T> parse, Duration interval) {
    return file == null
        ? new WatchedFile<>(null, parse, new Read<>("", absent))
        : open(setting, file, parse, interval);
  }

  /** The same for one that must be there. */
  public static <T> WatchedFile<T> open(
      String setting, Path file, Function<String, T> parse, Duration interval) {
    try {
      String text = Files.readString(file);
      WatchedFile<T> watched = new WatchedFile<>(file, parse, new Read<>(text, parse.apply(text)));
      var unused =
          watched.thread.scheduleWithFixedDelay(
              watched::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
      return watched;
    } catch (IOException | IllegalArgumentException wrong) {
      throw new ConfigurationException(List.of(setting + "=" + file + ": " + words(wrong)));
    }
  }

  /** The last good content. */
  @Override
  public T get() {
    return last.value;
  }

  /** Why the file as it is now is not used; empty when it is. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** What to do after each change. */
  public void onChange(Runnable then) {
    listener = then;
  }

  /** Looks now. */
  void look() {
    Path there = file;
    if (there == null) {
      return;
    }
    try {
      String text = Files.readString(there);
      if (!text.equals(last.text)) {
        last = new Read<>(text, parse.apply(text));
        LOG.info("{} has changed and is used from now on", there);
        listener.run();
      }
      problem = null;
    } catch (IOException | RuntimeException wrong) {
      String why = words(wrong);
      if (!why.equals(problem)) {
        LOG.warn("{} is not used, what it said before still holds: {}", there, why);
      }
      problem = why;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private static String words(Exception wrong) {
    return wrong instanceof IOException
        ? "cannot be read: " + wrong
        : String.valueOf(wrong.getMessage());
  }
}
