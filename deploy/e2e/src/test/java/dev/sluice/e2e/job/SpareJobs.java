package dev.sluice.e2e.job;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Jobs that run, and that the test which deployed them has no more use for. The next test that
 * needs a job, and not the first deployment of one, goes on with it: to start a Flink cluster is
 * what the tests spend most of their time on.
 */
public final class SpareJobs {

  // two minutes of an idle one cost as much as a start
  private static final int MOST = 2;

  private final Deque<Job> jobs = new ArrayDeque<>();

  /** Whether it is kept: not, when there are enough, or when it does not run as its spec says. */
  public synchronized boolean offer(Job job) {
    return jobs.size() < MOST && isSpare(job) && jobs.add(job);
  }

  /** One that still runs as its spec says; it belongs to the caller from now on. */
  public synchronized Optional<Job> take() {
    while (!jobs.isEmpty()) {
      Job job = jobs.remove();
      if (isSpare(job)) {
        return Optional.of(job);
      }
      job.discard();
    }
    return Optional.empty();
  }

  private static boolean isSpare(Job job) {
    return job.find()
        .filter(Resource::isReady)
        .filter(it -> it.condition("Running").startsWith("True"))
        .filter(it -> it.status("/operation/state").equals("Succeeded"))
        .isPresent();
  }
}
