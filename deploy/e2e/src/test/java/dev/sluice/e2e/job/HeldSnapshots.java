package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.TestCluster;

/** Lets the savepoints of a job be in progress for as long as a test wants. */
public final class HeldSnapshots {

  private final TestCluster cluster;
  private final Job job;
  private final SnapshotHold hold;

  /** Of a job that need not exist yet, and that has to be deployed as {@link #in} says. */
  public HeldSnapshots(TestCluster cluster, Job job) {
    this.cluster = cluster;
    this.job = job;
    this.hold = new SnapshotHold(job.state(), job::flink);
  }

  /** The spec with what the sample job needs to know. */
  public Manifest in(Manifest manifest) {
    return manifest.plusArgs(hold.arguments());
  }

  /**
   * A savepoint that Flink has begun and the worker knows of, and that is not completed before
   * {@link #release}.
   */
  public SnapshotOfJob begin(String name) {
    SnapshotOfJob begun = new SnapshotOfJob(cluster, job, name);
    begin(
        () -> {
          SnapshotOfJob unused = begun.apply("savepoint: {}");
        });
    begun.awaitTriggered();
    return begun;
  }

  /** The same, however it is asked for. */
  public void begin(Runnable ask) {
    hold.begin(ask);
  }

  /** Lets no savepoint that Flink begins be completed before {@link #release}. */
  public void hold() {
    hold.hold();
  }

  /** Lets Flink complete them, and those that follow. */
  public void release() {
    hold.release();
  }
}
