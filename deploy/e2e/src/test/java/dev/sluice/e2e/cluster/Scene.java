package dev.sluice.e2e.cluster;

import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Namespaces;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One test's part of the cluster: the jobs it has, and a namespace of its own for new ones. */
public final class Scene implements AutoCloseable {

  private final TestCluster cluster;
  private final String namespace;
  private final List<Job> jobs = new ArrayList<>();
  private final Set<Job> left = new HashSet<>();

  Scene(TestCluster cluster) {
    this.cluster = cluster;
    this.namespace = Namespaces.create(cluster);
  }

  public TestCluster cluster() {
    return cluster;
  }

  public String namespace() {
    return namespace;
  }

  /** A FlinkDeployment that this test has, or will have. */
  public Job job(String name) {
    return own(new Job(cluster, namespace, name));
  }

  /**
   * A job that runs the example, with any spec and any past: one that another test has left, or a
   * new one.
   */
  public Job runningJob(String name) {
    return cluster
        .spareJobs()
        .take()
        .map(this::own)
        .orElseGet(
            () -> {
              Job job = job(name);
              job.deploy(job.manifest());
              return job;
            });
  }

  /** Leaves a job to other tests, once this one is over; as it runs then, it is a plain example. */
  public void leave(Job job) {
    left.add(job);
  }

  /**
   * Releases what is held, and ends what runs and is not left to other tests, so that the next one
   * has the memory.
   */
  @Override
  public void close() {
    jobs.forEach(Job::close);
    List<Job> ended =
        jobs.stream().filter(it -> !left.contains(it) || !cluster.spareJobs().offer(it)).toList();
    ended.forEach(Job::discard);
    ended.forEach(Job::awaitGone);
    cluster.local().buildFlinkArchives();
  }

  private Job own(Job job) {
    jobs.add(job);
    return job;
  }
}
