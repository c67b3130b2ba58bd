package dev.sluice.activities.job;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkConfiguration;
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
 * @param statisticsAge how old Flink's answers about checkpoints and exceptions may be
 */
record JobTarget(
    Endpoint endpoint,
    String jobId,
    FlinkConfiguration running,
    FlinkConfiguration newest,
    Duration statisticsAge) {

  private static final String[] SAVEPOINT_DIRECTORY = {
    "execution.checkpointing.savepoint-dir", "state.savepoints.dir"
  };

  /** Where savepoints go; what the running cluster says wins. */
  Optional<String> savepointDirectory() {
    return directoryOf(running).or(() -> directoryOf(newest));
  }

  /**
   * What to tell Flink to write a savepoint to. Empty where the running cluster has a directory of
   * its own: it knows best what the path means inside its pods.
   */
  Optional<String> savepointTarget() {
    return directoryOf(running).isPresent() ? Optional.empty() : directoryOf(newest);
  }

  private static Optional<String> directoryOf(FlinkConfiguration configuration) {
    return Stream.of(SAVEPOINT_DIRECTORY)
        .map(configuration::get)
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
}
