package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.controller.deployment.ObservedJob;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.LongAdder;

/**
 * Asks every cluster what its jobs do ({@code GET /jobs/overview}, one request for each cluster and
 * pass), quickly while something changes and slowly while nothing does, and remembers the answers.
 */
public final class JobPollers implements AutoCloseable {

  private final FlinkRest flink;
  private final PollInterval pace;
  private final ScheduledExecutorService timer;
  private final LongAdder passes = new LongAdder();
  private final ConcurrentMap<String, JobPoller> clusters = new ConcurrentHashMap<>();

  /** Asks through this client, which it does not close. */
  public JobPollers(FlinkRest flink, PollInterval pace) {
    this.flink = flink;
    this.pace = pace;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            runnable -> {
              Thread thread = new Thread(runnable, "cluster-watch");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * What Flink said last; {@link ObservedJob.Pending} when nobody asked yet, or when it was about
   * something else.
   *
   * @param key of the resource, e.g. its uid
   * @param about as in {@link PollTarget#about}
   */
  public ObservedJob seen(String key, String about) {
    JobPoller cluster = clusters.get(key);
    return cluster == null ? new ObservedJob.Pending() : cluster.seen(about);
  }

  /**
   * From now on asks as {@code look} says.
   *
   * @param changed called, on any thread, when a person would see a difference
   */
  public void watch(String key, PollTarget look, Runnable changed) {
    clusters
        .computeIfAbsent(key, k -> new JobPoller(flink, pace, timer, passes, changed, look))
        .watch(look);
  }

  /** Asks no more, and forgets. */
  public void forget(String key) {
    JobPoller cluster = clusters.remove(key);
    if (cluster != null) {
      cluster.close();
    }
  }

  /** How many clusters are asked. */
  public int size() {
    return clusters.size();
  }

  /** How many times clusters were looked at so far: one request each, see {@link JobPoller}. */
  public long passes() {
    return passes.sum();
  }

  @Override
  public void close() {
    clusters.values().forEach(JobPoller::close);
    timer.shutdownNow();
  }
}
