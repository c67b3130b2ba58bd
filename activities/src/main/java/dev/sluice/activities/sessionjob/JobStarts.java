package dev.sluice.activities.sessionjob;

import dev.sluice.activities.flink.Endpoint;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The starts in progress, each in the thread of its look for as long as its jar is fetched,
 * uploaded and run. A limit for each session cluster keeps a slow one from holding up the others.
 * May be used from any thread.
 */
public final class JobStarts {

  private final JarSubmission submission;
  private final int perCluster;
  private final int perWorker;
  private final Map<Endpoint, Integer> running = new HashMap<>();
  private int runningInAll;

  /**
   * @param perCluster most starts at a time on one session cluster, at least 1
   * @param perWorker most starts at a time in all, at least 1
   */
  public JobStarts(JarSubmission submission, int perCluster, int perWorker) {
    if (perCluster < 1 || perWorker < 1) {
      throw new IllegalArgumentException(
          "at least 1 start at a time, not %d and %d".formatted(perCluster, perWorker));
    }
    this.submission = submission;
    this.perCluster = perCluster;
    this.perWorker = perWorker;
  }

  public synchronized int running() {
    return runningInAll;
  }

  /** What has to end before a job can be started there; empty when one can be. */
  synchronized Optional<String> full(Endpoint cluster) {
    int here = running.getOrDefault(cluster, 0);
    if (here >= perCluster) {
      return Optional.of("%d of %d jobs are being started on it".formatted(here, perCluster));
    }
    return runningInAll >= perWorker
        ? Optional.of("this worker starts %d of %d jobs".formatted(runningInAll, perWorker))
        : Optional.empty();
  }

  /**
   * Starts a job, see {@link JarSubmission#run}.
   *
   * @return what has to end before; nothing was done then. Empty when it was started
   */
  Optional<String> run(Endpoint cluster, JarSubmission.Run job, JarSubmission.Lease alive) {
    synchronized (this) {
      Optional<String> full = full(cluster);
      if (full.isPresent()) {
        return full;
      }
      count(cluster, 1);
    }
    try {
      submission.run(cluster, job, alive);
      return Optional.empty();
    } finally {
      count(cluster, -1);
    }
  }

  private synchronized void count(Endpoint cluster, int more) {
    runningInAll += more;
    running.merge(cluster, more, (now, some) -> now + some == 0 ? null : now + some);
  }
}
