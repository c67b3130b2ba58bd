package dev.sluice.e2e.job;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A file: while it is there, savepoints and checkpoints of the sample job that was started with
 * {@link #arguments} are in progress and do not complete.
 */
public final class SnapshotHold {

  private final Path file;
  private final Supplier<FlinkCluster> flink;

  SnapshotHold(Path state, Supplier<FlinkCluster> flink) {
    this.file = state.resolve("hold-snapshots");
    this.flink = flink;
  }

  /** Of the deployed version of an application. */
  public static SnapshotHold of(Application application) {
    return new SnapshotHold(application.state(), application::flink);
  }

  /** What the sample job needs to know. */
  public String[] arguments() {
    return new String[] {
      "--slow-snapshot", "-1", "--slow-snapshot-while-file", file.toString(),
    };
  }

  /** Until a savepoint is in progress that was asked for. */
  public void begin(Runnable ask) {
    hold();
    FlinkCluster asked = flink.get();
    int before = asked.savepointsInProgress();
    ask.run();
    await("a savepoint is in progress")
        .pollInterval(Duration.ofMillis(200))
        .until(() -> asked.savepointsInProgress() > before);
  }

  void hold() {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets Flink complete them, and those that follow. */
  public void release() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
