package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Polls Flink for the reconcilers of all kinds: one request for each pass over a cluster. */
public final class JobPollers implements AutoCloseable {

  /** Longest time that one call to Flink should take. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  /** A JobManager that does not answer holds one for {@link #PATIENCE} of each pass. */
  private static final int THREADS = 48;

  /**
   * The pause between two passes over a Flink cluster.
   *
   * @param shortest with few clusters
   * @param requestsPerSecond to all clusters together, which makes the pause longer with many
   *     clusters
   */
  public record Interval(Duration shortest, int requestsPerSecond) {

    /** 1 s, 150 requests per second: each of 200 clusters is asked every 1.4 s. */
    public static Interval defaults() {
      return new Interval(Duration.ofSeconds(1), 150);
    }

    /** From the end of one pass to the begin of the next one. */
    Duration among(int clusters) {
      Duration budget = Duration.ofSeconds(clusters).dividedBy(requestsPerSecond);
      return budget.compareTo(shortest) > 0 ? budget : shortest;
    }
  }

  private final FlinkRest flink;
  private final Interval interval;
  private final ScheduledExecutorService threads;
  private final LongAdder passes = new LongAdder();
  private final List<JobPolls<?, ?>> all = new CopyOnWriteArrayList<>();
  private volatile @Nullable JobPolls<PollTarget, ObservedJob> hosts;

  /**
   * @param flink limited to {@link #PATIENCE}; stays the caller's to close
   */
  public JobPollers(FlinkRest flink, Interval interval) {
    this.flink = flink;
    this.interval = interval;
    this.threads =
        new ScheduledThreadPoolExecutor(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "job-pollers");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy()); // once it is closed
  }

  /** Polls the clusters of resources of the kind whose clusters may host jobs of others. */
  public JobPolls<PollTarget, ObservedJob> ofHosts(JobPolls.Listener listener) {
    JobPolls<PollTarget, ObservedJob> polls =
        of(this::cluster, (before, now) -> now.differsFrom(before), listener);
    hosts = polls;
    return polls;
  }

  /** Finds jobs in the answers of the clusters that host them. */
  public JobPolls<PolledJob.Target, ObservedJob> ofHosted(JobPolls.Listener listener) {
    return new JobPolls<>(
        threads,
        () -> pause().dividedBy(2), // no request: the answer is there
        target -> new PolledJob(flink, target, () -> host(target)),
        (before, now) -> now.differsFrom(before),
        listener);
  }

  private @Nullable ClusterPoll host(PolledJob.Target job) {
    var polls = hosts;
    return polls != null && polls.poller(job.cluster(), job.uid()) instanceof ClusterPoll poll
        ? poll
        : null;
  }

  /**
   * Polls the clusters of resources of another kind.
   *
   * @param poller made with {@link #cluster}
   * @param differs whether the second answer differs visibly from the first one
   */
  public <A> JobPolls<PollTarget, A> of(
      Function<PollTarget, Supplier<A>> poller,
      BiPredicate<A, A> differs,
      JobPolls.Listener listener) {
    JobPolls<PollTarget, A> polls = new JobPolls<>(threads, this::pause, poller, differs, listener);
    all.add(polls);
    return polls;
  }

  /** The poller of one cluster: each call is one pass. */
  public Supplier<ObservedJob> cluster(PollTarget target) {
    return new ClusterPoll(flink, target, passes);
  }

  private Duration pause() {
    return interval.among(size());
  }

  /** Number of clusters. */
  public int size() {
    return all.stream().mapToInt(JobPolls::size).sum();
  }

  /** Number of passes over clusters so far. */
  public long polls() {
    return passes.sum();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
