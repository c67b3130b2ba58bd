package dev.sluice.e2e.breakpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A point in the life of a step, at which the worker waits for as long as a file is there. Files in
 * one folder are all that test and worker share, so either may be killed.
 *
 * @param folder of the files
 * @param moment {@code before} the activity is called, or {@code after} it returned and before its
 *     result is reported; an activity that waits without a thread returns when it has begun to wait
 * @param step the activity type
 * @param resource kind, namespace and name, as a workflow id begins: a breakpoint may be set before
 *     the resource exists
 */
public record Breakpoint(Path folder, Moment moment, String step, String resource) {

  /** Which side of the activity. */
  public enum Moment {
    BEFORE,
    AFTER
  }

  /** Whether the worker is to wait here. */
  public boolean isSet() {
    return Files.exists(file("hold"));
  }

  /** Whether the worker is waiting here, or has been. */
  public boolean isReached() {
    return Files.exists(file("reached"));
  }

  /** Whether the worker has gone on from here, after it had waited. */
  public boolean isPassed() {
    return Files.exists(file("passed"));
  }

  /** Whether the activity has returned that had waited here before it was called. */
  public boolean isReturned() {
    return Files.exists(file("returned"));
  }

  /** Makes the worker wait here the next time. */
  public void set() {
    try {
      Files.createDirectories(folder);
      for (String mark : List.of("reached", "passed", "returned")) {
        Files.deleteIfExists(file(mark));
      }
      Files.writeString(file("hold"), "");
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

  void mark(String what) {
    try {
      Files.writeString(file(what), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(String kind) {
    return folder.resolve(kind + "-" + moment + "-" + step + "-" + resource);
  }
}
