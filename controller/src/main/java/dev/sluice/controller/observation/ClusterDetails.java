package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one cluster says of itself, asked for once. While it does not answer that, it is asked with
 * fewer and fewer polls.
 */
final class ClusterDetails {

  private static final int MOST_POLLS_WITHOUT = 64;

  private final FlinkRest flink;
  private String subject = "";
  private Map<String, String> known = Map.of();
  private int failures;
  private int pollsWithout;

  ClusterDetails(FlinkRest flink) {
    this.flink = flink;
  }

  /** What is known of it, under the keys of Apache's {@code status.clusterInfo}. */
  CompletableFuture<Map<String, String>> of(PollTarget cluster) {
    begin(cluster.subject());
    Map<String, String> now = knownOrPostponed();
    return now != null
        ? CompletableFuture.completedFuture(now)
        : flink
            .overview(cluster.endpoint())
            .handle(
                (overview, failure) ->
                    learn(overview == null ? Map.of() : JobOverviewReader.clusterInfo(overview)));
  }

  /** Another set of processes may be another Flink. */
  private synchronized void begin(String now) {
    if (!now.equals(subject)) {
      subject = now;
      known = Map.of();
      failures = 0;
      pollsWithout = 0;
    }
  }

  private synchronized @Nullable Map<String, String> knownOrPostponed() {
    return known.isEmpty() && pollsWithout-- <= 0 ? null : known;
  }

  private synchronized Map<String, String> learn(Map<String, String> answer) {
    known = answer;
    failures = answer.isEmpty() ? failures + 1 : 0;
    pollsWithout = Math.min(1 << Math.min(failures, 30), MOST_POLLS_WITHOUT) - 1;
    return known;
  }
}
