package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Pending;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One job on the cluster of another resource, found in the newest answer of that cluster: one
 * overview serves all jobs on it. Only the job with its own id counts.
 */
public final class PolledJob implements Supplier<ObservedJob> {

  private final JobDetails details;
  private final Target target;
  private final Supplier<@Nullable ClusterPoll> cluster;
  private ClusterPoll.@Nullable Newest last;
  private ObservedJob seen = new Pending();

  /**
   * @param cluster null while the cluster is not asked
   */
  PolledJob(FlinkRest flink, Target target, Supplier<@Nullable ClusterPoll> cluster) {
    this.details = new JobDetails(flink);
    this.target = target;
    this.cluster = cluster;
  }

  /**
   * What to look for.
   *
   * @param cluster the FlinkDeployment whose cluster it is
   * @param uid of that
   * @param jobId the job
   * @param subject what the answers are about: when it changes, earlier answers are void
   */
  public record Target(ResourceID cluster, String uid, String jobId, String subject) {}

  @Override
  public ObservedJob get() {
    ClusterPoll poll = cluster.get();
    if (poll == null) {
      return new Pending();
    }
    ClusterPoll.Newest newest = poll.newest();
    if (newest != last) {
      last = newest;
      seen = seen(poll.target(), newest);
    }
    return seen;
  }

  private ObservedJob seen(PollTarget asked, ClusterPoll.Newest newest) {
    return newest.overview() == null
        ? newest.job()
        : new Answered(
            newest
                .overview()
                .job(target.jobId())
                .map(found -> details.complete(asked.endpoint(), found)),
            Map.of());
  }
}
