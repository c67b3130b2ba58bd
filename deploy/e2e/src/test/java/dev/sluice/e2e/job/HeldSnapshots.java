package dev.sluice.e2e.job;

import static org.awaitility.Awaitility.await;

import dev.sluice.e2e.cluster.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Lets the savepoints of a job be in progress for as long as a test wants. */
public final class HeldSnapshots {

  private final TestCluster cluster;
  private final Job job;
  private final Path file;

  /** Of a job that need not exist yet, and that has to be deployed as {@link #in} says. */
  public HeldSnapshots(TestCluster cluster, Job job) {
    this.cluster = cluster;
    this.job = job;
    this.file = job.state().resolve("hold-snapshots");
  }

  /** The spec with what the sample job needs to know. */
  public Manifest in(Manifest manifest) {
    return manifest.plusArgs(
        "--slow-snapshot", "-1", "--slow-snapshot-while-file", file.toString());
  }

  /** A savepoint that Flink has begun, and does not complete before {@link #release}. */
  public SnapshotOfJob begin(String name) {
    return begin(name, "savepoint: {}");
  }

  /** The same as {@link SnapshotOfJob#apply} has it. */
  public SnapshotOfJob begin(String name, String what) {
    hold();
    int before = job.flink().savepointsInProgress();
    SnapshotOfJob begun = new SnapshotOfJob(cluster, job, name).apply(what);
    await(name + " is in progress")
        .pollInterval(Duration.ofMillis(200))
        .until(() -> job.flink().savepointsInProgress() > before);
    return begun;
  }

  private void hold() {
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
