package dev.sluice.e2e.breakpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A point in the life of a step, at which the worker waits for as long as a file is there. Files in
 * one folder are all that test and worker share, so either may be killed.
 *
 * @param folder of the files
 * @param moment {@code before} the activity is called, or {@code after} it returned and before its
 *     result is reported
 * @param step the activity type
 * @param resource kind, namespace and name, as a workflow id begins: a breakpoint may be set before
 *     the resource exists
 * @param passes activities that do not wait here, because they have before: each is named by its
 *     run and its id, which all attempts of it share
 */
public record Breakpoint(
    Path folder, Moment moment, String step, String resource, Set<String> passes) {

  /** One for the next activity of that type. */
  public Breakpoint(Path folder, Moment moment, String step, String resource) {
    this(folder, moment, step, resource, Set.of());
  }

  /** Which ones pass is fixed. */
  public Breakpoint {
    passes = Set.copyOf(passes);
  }

  /** Which side of the activity. */
  public enum Moment {
    BEFORE,
    AFTER
  }

  /** The same for the activity that comes next, once this one was reached. */
  public Breakpoint again() {
    Set<String> all = new HashSet<>(passes);
    all.addAll(read("reached"));
    return new Breakpoint(folder, moment, step, resource, all);
  }

  /** Whether the worker is to wait here with that activity. */
  boolean holds(String activity) {
    return Files.exists(file("hold")) && !read("hold").contains(activity);
  }

  /** Whether the worker is waiting here, or has been. */
  public boolean isReached() {
    return isMarked("reached");
  }

  /** Whether the worker has gone on from here, after it had waited. */
  public boolean isPassed() {
    return isMarked("passed");
  }

  private boolean isMarked(String what) {
    return Files.exists(file(what)) && !passes.containsAll(read(what));
  }

  private Set<String> read(String what) {
    try {
      return Files.readString(file(what)).lines().collect(Collectors.toSet());
    } catch (IOException notThere) {
      return Set.of();
    }
  }

  /** Makes the worker wait here the next time. */
  public void set() {
    try {
      Files.createDirectories(folder);
      for (String mark : List.of("reached", "passed")) {
        Files.deleteIfExists(file(mark));
      }
      write("hold", String.join("\n", passes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets the worker go on. */
  public void release() {
    try {
      Files.deleteIfExists(file("hold"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void mark(String what, String activity) {
    try {
      write(what, activity);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whoever reads it sees all of it. */
  private void write(String what, String text) throws IOException {
    Path part = folder.resolve("." + UUID.randomUUID());
    Files.writeString(part, text);
    Files.move(part, file(what), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path file(String kind) {
    return folder.resolve(kind + "-" + moment + "-" + step + "-" + resource);
  }
}
