package dev.sluice.activities.sessionjob;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.jar.JarStart;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The starts that are in progress, each on a thread of its own for as long as its jar is fetched,
 * uploaded and run. A limit for each session cluster keeps a slow one from holding up the others.
 * May be used from any thread.
 */
public final class JobStarts implements AutoCloseable {

  private final JarSubmission submission;
  private final int perCluster;
  private final int perWorker;
  private final ExecutorService threads;
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
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "job-start-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
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
   * Begins to start a job.
   *
   * @param alive as in {@link JarSubmission#run}
   * @param ended called, on any thread, once it has ended
   * @return empty when there are too many
   */
  Optional<Start> begin(
      Endpoint cluster, JarSubmission.Run job, JarStart.Lease alive, Runnable ended) {
    synchronized (this) {
      if (full(cluster).isPresent()) {
        return Optional.empty();
      }
      runningInAll++;
      running.merge(cluster, 1, Integer::sum);
    }
    Start start = new Start();
    threads.execute(
        () -> {
          Throwable thrown = start.attempt(() -> submission.run(cluster, job, alive));
          leave(cluster);
          start.end(thrown);
          ended.run();
        });
    return Optional.of(start);
  }

  private synchronized void leave(Endpoint cluster) {
    runningInAll--;
    running.computeIfPresent(cluster, (it, count) -> count == 1 ? null : count - 1);
  }

  /** Interrupts those that are in progress: their attempts look again on another worker. */
  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** One that was begun. */
  static final class Start {
    private final CompletableFuture<Void> result = new CompletableFuture<>();
    private @Nullable Thread thread;
    private boolean interrupted;

    /** What it threw; null when Flink has the job. */
    private @Nullable Throwable attempt(Runnable run) {
      try {
        if (!enter()) {
          return new CancellationException("given up before it began");
        }
        run.run();
        return null;
      } catch (RuntimeException | Error e) {
        return e;
      } finally {
        exit();
      }
    }

    private synchronized boolean enter() {
      thread = Thread.currentThread();
      return !interrupted;
    }

    private synchronized void exit() {
      thread = null;
      boolean unused = Thread.interrupted(); // the thread may start another job next
    }

    private void end(@Nullable Throwable thrown) {
      if (thrown == null) {
        result.complete(null);
      } else {
        result.completeExceptionally(thrown);
      }
    }

    /** Whether it has ended, in whatever way. */
    boolean isDone() {
      return result.isDone();
    }

    /** What it has failed with; null when Flink has the job. Blocks until it has ended. */
    @Nullable Throwable failure() {
      return result.handle((done, thrown) -> thrown).join();
    }

    /** Interrupts it; Flink may take the job all the same. */
    synchronized void interrupt() {
      interrupted = true;
      if (thread != null) {
        thread.interrupt();
      }
    }
  }
}
