package dev.sluice.e2e.cluster;

import dev.sluice.e2e.job.Application;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Namespaces;
import java.util.ArrayList;
import java.util.List;

/** One test's part of the cluster: a namespace, and the jobs in it. */
public final class Scene implements AutoCloseable {

  private final TestCluster cluster;
  private final String namespace;
  private final List<Job> jobs = new ArrayList<>();
  private final List<Application> applications = new ArrayList<>();

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

  /** A FlinkApplication that this test has, or will have. */
  public Application application(String name) {
    Application application = new Application(cluster, namespace, name);
    applications.add(application);
    return application;
  }

  private Job own(Job job) {
    jobs.add(job);
    return job;
  }

  /** A new job that runs the example. */
  public Job deployed(String name) {
    Job job = job(name);
    job.deploy(job.manifest());
    return job;
  }

  /** Releases what is held, and ends what runs, so that the next test has the memory. */
  @Override
  public void close() {
    jobs.forEach(Job::close);
    jobs.forEach(Job::discard);
    applications.forEach(Application::discard);
    jobs.forEach(Job::awaitGone);
    applications.forEach(Application::awaitGone);
    cluster.local().buildFlinkArchives();
  }
}
