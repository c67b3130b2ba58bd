package dev.sluice.controller.observation;

import dev.sluice.activities.flink.CheckpointProgress;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.controller.observation.ObservedJob.Job;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one cluster says of itself, asked for once, and of its job's checkpoints, asked for now and
 * then. While it does not answer the first, it is asked with fewer and fewer polls.
 */
final class ClusterDetails {

  private static final int MOST_POLLS_WITHOUT = 64;

  /** A new job has no checkpoint yet. */
  private static final int POLLS_TO_FIRST_SIZE = 30;

  /** Less than one request in a hundred. */
  private static final int POLLS_TO_NEXT_SIZE = 120;

  private final FlinkRest flink;
  private String subject = "";
  private Map<String, String> known = Map.of();
  private OptionalLong stateSize = OptionalLong.empty();
  private Optional<FailedCheckpoints> failing = Optional.empty();
  private int failures;
  private int pollsWithout;
  private int pollsToSize = POLLS_TO_FIRST_SIZE;

  ClusterDetails(FlinkRest flink) {
    this.flink = flink;
  }

  /**
   * What is known of it.
   *
   * @param info under the keys of Apache's {@code status.clusterInfo}
   */
  record Known(Map<String, String> info, Optional<FailedCheckpoints> failing) {}

  /** Completes with what is known after this poll. */
  CompletableFuture<Known> of(PollTarget cluster, Optional<Job> job) {
    begin(cluster.subject());
    return version(cluster)
        .thenCompose(unused -> checkpoints(cluster, job))
        .thenApply(unused -> all());
  }

  private CompletableFuture<?> version(PollTarget cluster) {
    return isVersionDue()
        ? flink
            .overview(cluster.endpoint())
            .handle(
                (overview, failure) ->
                    learn(overview == null ? Map.of() : JobOverviewReader.clusterInfo(overview)))
        : CompletableFuture.completedFuture(known);
  }

  private CompletableFuture<?> checkpoints(PollTarget cluster, Optional<Job> job) {
    String id = job.filter(Job::isUp).map(Job::id).orElse(null);
    return id != null && isSizeDue()
        ? flink
            .checkpointProgress(cluster.endpoint(), id)
            .handle((progress, failure) -> learn(id, progress))
        : CompletableFuture.completedFuture(stateSize);
  }

  /** Another set of processes may be another Flink. */
  private synchronized void begin(String now) {
    if (!now.equals(subject)) {
      subject = now;
      known = Map.of();
      stateSize = OptionalLong.empty();
      failing = Optional.empty();
      failures = 0;
      pollsWithout = 0;
      pollsToSize = POLLS_TO_FIRST_SIZE;
    }
  }

  private synchronized boolean isVersionDue() {
    return known.isEmpty() && pollsWithout-- <= 0;
  }

  private synchronized boolean isSizeDue() {
    if (pollsToSize-- > 0) {
      return false;
    }
    pollsToSize = POLLS_TO_NEXT_SIZE;
    return true;
  }

  private synchronized Map<String, String> learn(Map<String, String> answer) {
    known = answer;
    failures = answer.isEmpty() ? failures + 1 : 0;
    pollsWithout = Math.min(1 << Math.min(failures, 30), MOST_POLLS_WITHOUT) - 1;
    return known;
  }

  private synchronized OptionalLong learn(String jobId, @Nullable CheckpointProgress progress) {
    if (progress != null) {
      stateSize = progress.stateSize().isPresent() ? progress.stateSize() : stateSize;
      failing = FailedCheckpoints.of(jobId, progress);
    }
    return stateSize;
  }

  private synchronized Known all() {
    Map<String, String> all = new HashMap<>(known);
    stateSize.ifPresent(size -> all.put("state-size", Long.toString(size)));
    return new Known(all, failing);
  }
}
