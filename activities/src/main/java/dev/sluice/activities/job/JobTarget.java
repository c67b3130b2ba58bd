package dev.sluice.activities.job;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.deployment.FlinkConfiguration;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The job that an activity is about, and what its cluster was configured with.
 *
 * @param endpoint where its JobManager answers
 * @param jobId its id
 * @param running configuration of the cluster that runs
 * @param newest configuration of the newest spec
 */
record JobTarget(
    Endpoint endpoint, String jobId, FlinkConfiguration running, FlinkConfiguration newest) {

  private static final String[] SAVEPOINT_DIRECTORY = {
    "execution.checkpointing.savepoint-dir", "state.savepoints.dir"
  };
  private static final Duration REFRESH_DEFAULT = Duration.ofSeconds(3);

  /** Where savepoints go; what the running cluster says wins. */
  Optional<String> savepointDirectory() {
    return Stream.of(running, newest)
        .flatMap(configuration -> Stream.of(SAVEPOINT_DIRECTORY).map(configuration::get))
        .flatMap(Optional::stream)
        .filter(directory -> !directory.isBlank())
        .findFirst();
  }

  /** {@code CANONICAL} or {@code NATIVE}. */
  String savepointFormat() {
    return running
        .getOrDefault("kubernetes.operator.savepoint.format.type", "CANONICAL")
        .trim()
        .toUpperCase(java.util.Locale.ROOT);
  }

  /**
   * How old checkpoint statistics may be: Flink answers them from a cache of {@code
   * web.refresh-interval}, 3 s by default.
   */
  Duration statisticsAge() {
    try {
      return running.duration("web.refresh-interval").orElse(REFRESH_DEFAULT);
    } catch (IllegalArgumentException malformed) {
      return REFRESH_DEFAULT;
    }
  }
}
