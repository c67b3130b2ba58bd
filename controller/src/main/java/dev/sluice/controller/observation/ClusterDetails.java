package dev.sluice.controller.observation;

import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.controller.observation.ObservedJob.Job;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The version of one cluster, asked for with one poll in 64 until it answers, and the size of the
 * state of its job, asked for with one poll in {@value #POLLS_TO_NEXT_SIZE}. Not thread safe.
 */
final class ClusterDetails {

  private static final int POLLS_TO_NEXT_VERSION = 64;

  /** A new job has no checkpoint yet. */
  private static final int POLLS_TO_FIRST_SIZE = 30;

  /** Less than one request in a hundred. */
  private static final int POLLS_TO_NEXT_SIZE = 120;

  private final FlinkRest flink;
  private Map<String, String> known = Map.of();
  private OptionalLong stateSize = OptionalLong.empty();
  private int pollsToVersion;
  private int pollsToSize = POLLS_TO_FIRST_SIZE;

  ClusterDetails(FlinkRest flink) {
    this.flink = flink;
  }

  /** Called once with each poll; returns what is known under the keys of Apache's clusterInfo. */
  Map<String, String> of(PollTarget cluster, Optional<Job> job) {
    if (known.isEmpty() && pollsToVersion-- <= 0) {
      askForVersion(cluster);
    }
    job.filter(Job::isUp).map(Job::id).ifPresent(id -> askForSize(cluster, id));
    Map<String, String> all = new HashMap<>(known);
    stateSize.ifPresent(size -> all.put("state-size", Long.toString(size)));
    return all;
  }

  private void askForVersion(PollTarget cluster) {
    ClusterOverview overview = FlinkRest.orNull(() -> flink.overview(cluster.endpoint()));
    known =
        overview == null
            ? Map.of()
            : Map.of(
                "flink-version", overview.flinkVersion(), "flink-revision", overview.flinkCommit());
    pollsToVersion = POLLS_TO_NEXT_VERSION - 1;
  }

  private void askForSize(PollTarget cluster, String job) {
    if (pollsToSize-- > 0) {
      return;
    }
    pollsToSize = POLLS_TO_NEXT_SIZE;
    OptionalLong size = FlinkRest.orNull(() -> flink.stateSize(cluster.endpoint(), job));
    if (size != null && size.isPresent()) {
      stateSize = size;
    }
  }
}
