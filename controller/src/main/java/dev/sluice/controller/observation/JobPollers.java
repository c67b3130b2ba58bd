package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
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

/** Makes what asks every Flink cluster what its jobs do: one request for each pass over each. */
public final class JobPollers implements AutoCloseable {

  /** A JobManager that does not answer holds one for up to 5 s of each pass. */
  private static final int THREADS = 48;

  private final FlinkRest flink;
  private final PollInterval interval;
  private final ScheduledExecutorService threads;
  private final LongAdder passes = new LongAdder();
  private final List<JobPolls<?, ?, ?>> all = new CopyOnWriteArrayList<>();
  private volatile @Nullable JobPolls<FlinkDeployment, PollTarget, ObservedJob> deployments;

  /** Asks through this client, which it does not close. */
  public JobPollers(FlinkRest flink, PollInterval interval) {
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

  /** Asks the clusters of FlinkDeployments. */
  public JobPolls<FlinkDeployment, PollTarget, ObservedJob> ofDeployments(
      EventSourceContext<FlinkDeployment> context) {
    var polls = of(context, this::cluster, (before, now) -> now.differsFrom(before));
    deployments = polls;
    return polls;
  }

  /** Looks for the jobs of others in what the clusters of FlinkDeployments have answered. */
  public JobPolls<FlinkSessionJob, PolledJob.Target, PolledJob.Seen> ofSessionJobs(
      EventSourceContext<FlinkSessionJob> context) {
    return new JobPolls<>(
        context,
        threads,
        () -> pause().dividedBy(2), // no request: the answer is there
        target -> new PolledJob(flink, target, () -> cluster(target.cluster(), target.uid())),
        (before, now) -> now.differsFrom(before));
  }

  private @Nullable ClusterPoll cluster(ResourceID resource, String uid) {
    var polls = deployments;
    return polls != null && polls.question(resource, uid) instanceof ClusterPoll poll ? poll : null;
  }

  /**
   * Asks the clusters of other resources.
   *
   * @param question made with {@link #cluster}
   * @param differs whether the second answer is news after the first one
   */
  public <P extends HasMetadata, A> JobPolls<P, PollTarget, A> of(
      EventSourceContext<P> context,
      Function<PollTarget, Supplier<A>> question,
      BiPredicate<A, A> differs) {
    JobPolls<P, PollTarget, A> polls =
        new JobPolls<>(context, threads, this::pause, question, differs);
    all.add(polls);
    return polls;
  }

  /** Asks one cluster, each time it is called. */
  public Supplier<ObservedJob> cluster(PollTarget target) {
    return new ClusterPoll(flink, target, passes);
  }

  private Duration pause() {
    return interval.among(size());
  }

  /** How many clusters are asked. */
  public int size() {
    return all.stream().mapToInt(JobPolls::size).sum();
  }

  /** How many times clusters were asked so far. */
  public long polls() {
    return passes.sum();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
