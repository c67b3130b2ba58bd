package dev.sluice.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file, or several that belong together, that people change while the process runs, such as a
 * mounted ConfigMap or Secret. They are compared by their content: the kubelet replaces links, for
 * which no file system tells anything. What cannot be read, or is wrong, changes nothing: the last
 * good content stays.
 *
 * @param <T> what they say
 */
public final class WatchedFile<T> implements Supplier<T>, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

  private final List<Path> files;
  private final Function<List<String>, T> parse;
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

  private record Read<T>(List<String> texts, T value) {}

  private WatchedFile(List<Path> files, Function<List<String>, T> parse, Read<T> first) {
    this.files = files;
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
    return open(
        setting,
        file == null ? List.of() : List.of(file),
        texts -> file == null ? absent : parse.apply(texts.get(0)),
        interval);
  }

  /**
   * The same for several.
   *
   * @param files which must be there; without any nothing changes
   * @param parse gets what they say, in that order
   */
  public static <T> WatchedFile<T> open(
      String setting, List<Path> files, Function<List<String>, T> parse, Duration interval) {
    try {
      List<String> texts = read(files);
      WatchedFile<T> watched =
          new WatchedFile<>(files, parse, new Read<>(texts, parse.apply(texts)));
      if (!files.isEmpty()) {
        var unused =
            watched.thread.scheduleWithFixedDelay(
                watched::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
      }
      return watched;
    } catch (IOException | IllegalArgumentException wrong) {
      throw new ConfigurationException(
          List.of(setting + "=" + display(files) + ": " + words(wrong)));
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
    try {
      List<String> texts = read(files);
      if (!texts.equals(last.texts)) {
        last = new Read<>(texts, parse.apply(texts));
        LOG.info("{}: the change is used from now on", display(files));
        listener.run();
      }
      problem = null;
    } catch (IOException | RuntimeException wrong) {
      String why = words(wrong);
      if (!why.equals(problem)) {
        LOG.warn("{}: not used, what was there before still holds: {}", display(files), why);
      }
      problem = why;
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private static List<String> read(List<Path> files) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Path file : files) {
      texts.add(Files.readString(file));
    }
    return texts;
  }

  private static String display(List<Path> files) {
    return files.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  private static String words(Exception wrong) {
    return wrong instanceof IOException
        ? "cannot be read: " + wrong
        : String.valueOf(wrong.getMessage());
  }
}
