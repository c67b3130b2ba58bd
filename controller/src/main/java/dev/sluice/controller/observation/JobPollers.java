package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Asks every cluster what its jobs do ({@code GET /jobs/overview}), quickly while something changes
 * and slowly while nothing does, and remembers the answers.
 */
public final class JobPollers implements AutoCloseable {

  private final FlinkRest flink;
  private final PollInterval interval;
  private final ScheduledExecutorService timer;
  private final FirstTurns turns;
  private final LongAdder polls = new LongAdder();
  private final ConcurrentMap<String, JobPoller> pollers = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, PolledJobs> hosted = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, String> clusterOf = new ConcurrentHashMap<>();

  /** Asks through this client, which it does not close. */
  public JobPollers(FlinkRest flink, PollInterval interval) {
    this.flink = flink;
    this.interval = interval;
    this.turns = new FirstTurns(interval.turn(), System.nanoTime());
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            runnable -> {
              Thread thread = new Thread(runnable, "job-pollers");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * What Flink said last; {@link ObservedJob.Pending} when Flink was not queried yet, or when the
   * answer was about something else.
   *
   * @param key of the resource, e.g. its uid
   * @param subject as in {@link PollTarget#subject}
   */
  public ObservedJob observed(String key, String subject) {
    JobPoller poller = pollers.get(key);
    return poller == null ? new ObservedJob.Pending() : poller.observed(subject);
  }

  /**
   * From now on asks for this.
   *
   * @param changed called, on any thread, when the observed job changed
   */
  public void poll(String key, PollTarget target, Runnable changed) {
    pollers
        .computeIfAbsent(
            key,
            k ->
                new JobPoller(
                    flink,
                    hosted(key),
                    interval,
                    this::size,
                    this::turn,
                    timer,
                    polls,
                    changed,
                    target))
        .poll(target);
  }

  private PolledJobs hosted(String cluster) {
    return hosted.computeIfAbsent(cluster, k -> new PolledJobs(flink));
  }

  /**
   * What Flink said last of a job on the cluster of another resource; {@link ObservedJob.Pending}
   * also while that cluster is not asked.
   *
   * @param cluster key of the resource whose cluster it is
   * @param key of the resource whose job it is
   * @param subject as in {@link PolledJob.Target#subject}
   */
  public PolledJob.Seen hosted(String cluster, String key, String subject) {
    PolledJobs jobs = hosted.get(cluster);
    PolledJob job = jobs == null ? null : jobs.get(key);
    return job == null ? PolledJob.Seen.NOTHING : job.seen(subject);
  }

  /**
   * From now on looks for this job in what its cluster is asked anyway.
   *
   * @param changed called, on any thread, when what is known of the job changed
   */
  public void look(String cluster, String key, PolledJob.Target target, Runnable changed) {
    String before = clusterOf.put(key, cluster);
    if (before != null && !before.equals(cluster)) {
      remove(before, key);
    }
    if (hosted(cluster).add(key, changed).look(target)) {
      JobPoller poller = pollers.get(cluster);
      if (poller != null) {
        poller.lookAgain();
      }
    }
  }

  private void remove(@Nullable String cluster, String key) {
    PolledJobs jobs = cluster == null ? null : hosted.get(cluster);
    if (jobs != null) {
      jobs.remove(key);
    }
  }

  /** Looks for the job no more. */
  public void forgetHosted(String key) {
    remove(clusterOf.remove(key), key);
  }

  private Duration turn() {
    return turns.waitFrom(System.nanoTime());
  }

  /** Asks no more, and forgets. */
  public void forget(String key) {
    JobPoller poller = pollers.remove(key);
    if (poller != null) {
      poller.close();
      hosted(key).silent(new ObservedJob.Pending());
      hosted.computeIfPresent(key, (k, jobs) -> jobs.isEmpty() ? null : jobs);
    }
  }

  /** How many clusters are asked. */
  public int size() {
    return pollers.size();
  }

  /** How many times clusters were asked so far. */
  public long polls() {
    return polls.sum();
  }

  @Override
  public void close() {
    pollers.values().forEach(JobPoller::close);
    timer.shutdownNow();
  }
}
