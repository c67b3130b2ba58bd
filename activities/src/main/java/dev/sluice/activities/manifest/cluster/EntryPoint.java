package dev.sluice.activities.manifest.cluster;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the start script of the image is given: which JobManager it starts, and for which job. */
final class EntryPoint {
  /** The environment variable with the address of the JobManager's pod. */
  static final String POD_ADDRESS = "_POD_IP_ADDRESS";

  /** What follows is the program's, also where the entry point has an option of that name. */
  private static final String PROGRAM_ARGUMENTS = "--";

  private EntryPoint() {}

  static List<String> ofJobManager(ClusterTarget target, FlinkConfiguration configuration) {
    if (target.isStandalone()) {
      return target.isSession()
          ? standaloneSession(configuration)
          : standaloneApplication(target, configuration);
    }
    return List.of(
        "bash",
        "-c",
        "kubernetes-jobmanager.sh "
            + (target.isSession() ? "kubernetes-session " : "kubernetes-application ")
            + configuration.getOrDefault("kubernetes.jobmanager.entrypoint.args", ""));
  }

  /** Flink's {@code jobmanager.sh} takes what follows for a host name, unless it is {@code -D}. */
  private static List<String> standaloneSession(FlinkConfiguration configuration) {
    List<String> arguments = new ArrayList<>(List.of("jobmanager"));
    ownAddress(configuration).ifPresent(address -> arguments.addAll(List.of("-D", address)));
    return List.copyOf(arguments);
  }

  /** Each JobManager its own, which the leader writes into the metadata. */
  private static Optional<String> ownAddress(FlinkConfiguration configuration) {
    return HighAvailabilityMode.of(configuration).isOn()
        ? Optional.of("jobmanager.rpc.address=$(" + POD_ADDRESS + ")")
        : Optional.empty();
  }

  /**
   * Flink's {@code StandaloneApplicationClusterEntryPoint} takes from here, and not from its
   * configuration, what to start from and whether state may be left out.
   */
  private static List<String> standaloneApplication(
      ClusterTarget target, FlinkConfiguration configuration) {
    JobSpec job = target.job();
    List<String> arguments = new ArrayList<>(List.of("standalone-job"));
    String main = job.entryClass();
    if (main != null && !main.isBlank()) {
      arguments.addAll(List.of("--job-classname", main));
    }
    if (mayLeaveStateOut(configuration)) {
      arguments.add("--allowNonRestoredState");
    }
    ClusterConfiguration.restorePath(target)
        .ifPresent(path -> arguments.addAll(List.of("--fromSavepoint", path)));
    ownAddress(configuration).ifPresent(address -> arguments.add("-D" + address));
    if (!job.args().isEmpty()) {
      arguments.add(PROGRAM_ARGUMENTS);
      arguments.addAll(job.args());
    }
    return List.copyOf(arguments);
  }

  /** What the spec says, under the name of either version. */
  private static boolean mayLeaveStateOut(FlinkConfiguration configuration) {
    return Stream.of(
            "execution.state-recovery.ignore-unclaimed-state",
            "execution.savepoint.ignore-unclaimed-state")
        .anyMatch(key -> configuration.get(key).filter(it -> it.trim().equals("true")).isPresent());
  }
}
