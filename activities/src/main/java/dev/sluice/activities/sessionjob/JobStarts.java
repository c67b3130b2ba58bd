package dev.sluice.activities.sessionjob;

import dev.sluice.activities.flink.Endpoint;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * The starts in progress, each in the thread of its look for as long as its jar is fetched,
 * uploaded and run. A limit for each session cluster keeps a slow one from holding up the others.
 * May be used from any thread.
 */
public final class JobStarts {

  /** Of the worker: each start has a jar on its disk, in a volume of 4 GiB. */
  static final int MOST = 8;

  private final JarSubmission submission;
  private final int perCluster;
  private final Semaphore free = new Semaphore(MOST);
  private final Map<Endpoint, Semaphore> freeOn = new ConcurrentHashMap<>();

  /**
   * @param perCluster most starts at a time on one session cluster, at least 1
   */
  public JobStarts(JarSubmission submission, int perCluster) {
    this.submission = submission;
    this.perCluster = perCluster;
  }

  /**
   * Starts a job, see {@link JarSubmission#run}.
   *
   * @return what has to end before; nothing was done then. Empty when it was started
   */
  Optional<String> run(Endpoint cluster, JarSubmission.Run job, JarSubmission.Lease alive) {
    Semaphore here = freeOn.computeIfAbsent(cluster, it -> new Semaphore(perCluster));
    if (!here.tryAcquire()) {
      return Optional.of("%1$d of %1$d jobs are being started on it".formatted(perCluster));
    }
    try {
      if (!free.tryAcquire()) {
        return Optional.of("this worker starts %1$d of %1$d jobs".formatted(MOST));
      }
      try {
        submission.run(cluster, job, alive);
        return Optional.empty();
      } finally {
        free.release();
      }
    } finally {
      here.release();
    }
  }
}
