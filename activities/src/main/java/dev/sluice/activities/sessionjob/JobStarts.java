package dev.sluice.activities.sessionjob;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.jar.JarStart;
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

  /** How many there are. */
  public synchronized int running() {
    return runningInAll;
  }

  /** What has to end before another job can be started there; empty when nothing has to. */
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
   * @return false when there are too many, and nothing was done
   */
  boolean run(Endpoint cluster, JarSubmission.Run job, JarStart.Lease alive) {
    if (!enter(cluster)) {
      return false;
    }
    try {
      submission.run(cluster, job, alive);
      return true;
    } finally {
      leave(cluster);
    }
  }

  private synchronized boolean enter(Endpoint cluster) {
    if (full(cluster).isPresent()) {
      return false;
    }
    runningInAll++;
    running.merge(cluster, 1, Integer::sum);
    return true;
  }

  private synchronized void leave(Endpoint cluster) {
    runningInAll--;
    running.computeIfPresent(cluster, (it, count) -> count == 1 ? null : count - 1);
  }
}
