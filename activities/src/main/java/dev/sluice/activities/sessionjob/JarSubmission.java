package dev.sluice.activities.sessionjob;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Has a session cluster run a job: fetches the jar, uploads it unless Flink has it, and runs it.
 *
 * <p>Who calls has noted the job id before and has asked Flink whether it knows the job. An attempt
 * whose answer was lost is repeated with the same id: Flink refuses a job that it runs already.
 */
@FunctionalInterface
public interface JarSubmission {

  /**
   * Returns when Flink has accepted the job, or says that it knows a job of that id. Blocks while
   * the jar is fetched and while its main method runs; an interrupt ends it within 30 s.
   *
   * @param alive is called right before the job is run, among others; what it throws ends the
   *     attempt
   * @throws io.temporal.failure.ApplicationFailure of a type that says whether it may pass: the jar
   *     cannot be fetched, the cluster does not answer, or Flink refuses the jar or the job. A
   *     failure after the run was sent says that the job may have been accepted
   */
  void run(Endpoint cluster, Run job, Lease alive);

  /** Whether an attempt may go on; called before each call to Flink. What it throws ends it. */
  @FunctionalInterface
  interface Lease extends Runnable {
    /** Flink is asked to run the job next; what it throws keeps it from being asked. Blocks. */
    default void sending() {}

    /** It is certain that the run that was sent last has started nothing. Blocks. */
    default void startedNothing() {}
  }

  /**
   * What Flink is to run.
   *
   * @param jobId its id, 32 hex digits
   * @param jarUri {@code spec.job.jarURI} as it is written; null for a class that the cluster has
   * @param entryClass null for the one in the manifest of the jar
   * @param args of the main method
   * @param parallelism at least 1
   * @param savepointPath savepoint or checkpoint to start from; null for none
   * @param allowNonRestoredState start even when some of the state fits no operator
   * @param configuration of the job, without the keys of the operator
   * @param flinkVersion of the cluster; null when not known
   */
  record Run(
      String jobId,
      @Nullable String jarUri,
      @Nullable String entryClass,
      List<String> args,
      int parallelism,
      @Nullable String savepointPath,
      boolean allowNonRestoredState,
      FlinkConfiguration configuration,
      @Nullable FlinkVersion flinkVersion) {

    public Run {
      args = List.copyOf(args);
      Objects.requireNonNull(configuration);
    }
  }
}
