package dev.sluice.activities.job;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.StateDirectories;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The job that an activity is about, and what its cluster was configured with.
 *
 * @param cluster the cluster it runs on
 * @param jobId its id
 * @param target configuration of the frozen target, for a savepoint directory that the running
 *     cluster does not have
 */
record JobTarget(RunningCluster cluster, String jobId, FlinkConfiguration target) {

  Endpoint endpoint() {
    return cluster.endpoint();
  }

  private FlinkConfiguration running() {
    return cluster.configuration();
  }

  /** How old Flink's answers about checkpoints and exceptions may be. */
  Duration statisticsAge() {
    return Statistics.age(running());
  }

  /** What Flink puts before a path without a scheme; null for its own default. */
  @Nullable String defaultScheme() {
    return RestoredPath.defaultScheme(running());
  }

  /** Where savepoints go; what the running cluster says wins. */
  Optional<String> savepointDirectory() {
    return StateDirectories.savepoints(running(), target);
  }

  /**
   * What to tell Flink to write a savepoint to. Empty where the running cluster has a directory of
   * its own: it knows best what the path means inside its pods.
   */
  Optional<String> savepointTarget() {
    return StateDirectories.savepoints(running()).isPresent()
        ? Optional.empty()
        : StateDirectories.savepoints(target);
  }

  /**
   * The message of {@code StateNotFound}: where the state may be, and what a person can do.
   *
   * @param why the state is not known
   */
  String stateNotFound(String why) {
    return ("The state of job %s is not known: %s. If a savepoint was completed, it is in %s, named"
            + " %s*. Find the right savepoint or checkpoint (it must have a _metadata file), then"
            + " set the annotation %s: <its path> together with %s.")
        .formatted(
            jobId,
            why,
            savepointDirectory().orElse("the savepoint directory"),
            RestoredPath.savepointPrefix(jobId),
            Annotations.RESTORE_FROM,
            Annotations.RETRY);
  }
}
