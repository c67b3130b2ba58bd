package dev.sluice.e2e.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.TestCluster;
import dev.sluice.local.demo.Counts;
import org.awaitility.Awaitility;

/**
 * An upgrade under observation: it must end with the counts going on, from one savepoint, and with
 * never more than one cluster at a time. Begin it before the spec is changed.
 */
public final class ExactUpgrade implements AutoCloseable {

  private final Job job;
  private final Counts before;
  private final int savepointsBefore;
  private final OneJobWatch watch;

  private ExactUpgrade(TestCluster cluster, Job job) {
    this.job = job;
    this.before = job.counts();
    this.savepointsBefore = job.savepoints().size();
    this.watch = new OneJobWatch(cluster, job);
  }

  /** Looks at the running job. */
  public static ExactUpgrade begin(TestCluster cluster, Job job) {
    return new ExactUpgrade(cluster, job);
  }

  /** The upgrade is over: all of it must hold, whatever was killed meanwhile. */
  public void verifyExact(Resource ready) {
    Counts after = goesOn();
    assertThat(after.exact()).as("no element lost or doubled: %s", after).isTrue();
    assertThat(after.restored()).as("started with state: %s", after).isPositive();
    assertThat(ready.status("/operation/state")).isEqualTo("Succeeded");
    verifySavepoints(1);
    verifyOneCluster(2);
  }

  /** It was a plain upgrade, and nobody interfered. */
  public void verifyUpgraded(Resource ready) {
    verifyExact(ready);
    verifyRestored(ready);
    assertThat(ready.operation()).isEqualTo("Upgrade Succeeded MarkStable");
  }

  /** The new job says that it was restored from the savepoint in the status, with all of it. */
  public void verifyRestored(Resource ready) {
    assertThat(job.counts().restored()).isGreaterThanOrEqualTo(before.total());
    assertThat(job.flink().restored()).isNotEmpty().isEqualTo(ready.status("/operation/savepoint"));
  }

  /** So many savepoints were taken. */
  public void verifySavepoints(int taken) {
    assertThat(job.savepoints()).as("savepoints").hasSize(savepointsBefore + taken);
  }

  /** So many clusters in all, that of the start with them, and never two of them at once. */
  public void verifyOneCluster(int clusters) {
    assertThat(watch.problems()).as("clusters side by side").isEmpty();
    assertThat(watch.jobManagers()).doesNotHaveDuplicates().hasSize(clusters);
  }

  /** Counts that have passed those of before: the job did not only restore, it works. */
  public Counts goesOn() {
    return Awaitility.await().until(job::counts, it -> it.total() > before.total());
  }

  @Override
  public void close() {
    watch.close();
  }
}
